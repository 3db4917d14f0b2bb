"""Faults: a service is played on while it is killed, starved and held up. Its journals are checked afterwards."""
