"""The running service: settings, request context, log lines and metrics."""
