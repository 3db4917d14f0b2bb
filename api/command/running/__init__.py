"""Running a service: addresses, certificates, database, keys, and the welcome."""
