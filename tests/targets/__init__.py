"""The Makefile's targets: each has a short form in `make test`, so that none can rot."""
