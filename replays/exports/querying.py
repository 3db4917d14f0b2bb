"""Run the statements of DuckDB that come in on standard input, in a process of its own.

Run as a program. Each line of input is a JSON text: first the configuration, then one statement a line. Each
statement is answered by a line: null, or the error as a JSON text. The process ends with its input.
"""

import json
import signal
import sys

import duckdb


def main() -> None:
    """Answer statements until the input ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that asks, and ends the input.
    lines = iter(sys.stdin)
    duck = duckdb.connect(config=json.loads(next(lines)))
    for line in lines:
        failure = None
        try:
            duck.execute(json.loads(line))
        except duckdb.Error as fault:
            failure = str(fault)
        sys.stdout.write(json.dumps(failure) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
