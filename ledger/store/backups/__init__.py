"""Backups: the whole database in a file, and a database restored from a file.

- `archive`: the file, its manifest and its checks;
- `sealing`: the keys of the service in the file, under a passphrase;
- `writing`: a backup from a snapshot of a database, possibly in use;
- `restoring`: a backup into an empty database, all or nothing.

A backup is independent of the versions of Postgres and of the tables.
"""
