"""Run the DuckDB statements from standard input, in a separate process.

Run as a program. Each line of input is a JSON text: first the configuration, then the statements. The answer to
a statement is a line: null, or the error as a JSON text. The process ends with its input.
"""

import json
import signal
import sys

import duckdb


def main() -> None:
    """Answer statements until the input ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # The parent process handles Ctrl-C, and closes the input.
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
