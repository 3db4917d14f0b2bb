"""Whether stored journals are what the service wrote, and what its rules give."""
