"""Problem answers (RFC 9457) and their kinds."""
