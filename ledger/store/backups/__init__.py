"""Backups: the whole database in one file, and a database made from such a file.

- `archive`: the file, its manifest and its checks;
- `writing`: a backup from one snapshot of a database that may be in use;
- `restoring`: a backup into an empty database, all or nothing.

A backup is independent of the version of Postgres and of the version of the tables.
"""
