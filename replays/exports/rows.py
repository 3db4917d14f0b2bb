"""Convert the history of a game into table rows with DuckDB, stretch by stretch.

DuckDB runs in a separate process (`querying.py`) for the time of one export. So a service that makes no tables
never loads DuckDB, and the memory of an export is free afterwards.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, Literal, NamedTuple

import msgspec

from ledger.kernel.facts.texts import IN_UNICODE
from ledger.reading.money.spreadsheets import FORMULA
from replays.exports.columns import HISTORY, TABLES, Column

_AT_ONCE = 256 * 1024
_MEMORY = 256
"""The memory for DuckDB, in MB. Beyond, DuckDB stores on disk."""
_OBJECT = 1024 * 1024
"""The longest line expected by DuckDB by default, in bytes."""
_AROUND = 1024
"""The largest number of bytes in a line besides the entry."""

Kind = Literal["csv", "parquet"]

_FORMULA = ", ".join(f"chr({ord(first)})" for first in FORMULA)
_REFUSED = "[" + "".join(f"\\x{{{first:x}}}-\\x{{{last:x}}}" for first, last in IN_UNICODE) + "]"
"""A refused character, as a regular expression of DuckDB (RE2)."""

_QUERYING = Path(__file__).with_name("querying.py")
_ENDED = "the process that makes the tables has ended"

_encode = msgspec.json.Encoder().encode


class TablesFailed(Exception):  # noqa: N818 - it names a condition
    """The tables could not be made, for instance because the disk is full. The message has the reason."""


class Lines(NamedTuple):
    """A part of the history as JSON Lines, in order: the lines, their count, the longest line, and the last
    action.

    Lines from a part of the journal without corrections have a `shift`, the difference between an action's
    number and its position in the history. Other lines have their position and status. `narration` has a line for
    each action with the round, the turn and the sentence, if the table of actions is requested.
    """

    lines: bytes
    actions: int
    longest: int
    last: int
    shift: int | None = None
    narration: bytes | None = None


_ENTRY = """STRUCT(number BIGINT, kind VARCHAR, seat VARCHAR, "by" VARCHAR, recorded_at VARCHAR, override VARCHAR,
                  warnings JSON, params JSON, draws JSON, first_seq BIGINT, events JSON[])"""

_LINES = """
CREATE OR REPLACE TEMP TABLE line AS
SELECT entry.number AS number, entry.kind AS kind, entry.seat AS seat, entry."by" AS "by",
       entry.recorded_at AS recorded_at, entry.override AS override, entry.warnings AS warnings,
       entry.params AS params, entry.draws AS draws, entry.first_seq AS first_seq, leaf,
       len(entry.events) AS recorded, {standing}
  FROM read_json({file}, format = 'newline_delimited', maximum_object_size = {longest},
                 columns = {{entry: '{entry}', leaf: 'VARCHAR'{columns}}})
"""

# An entry without corrections has all values itself.
_PLAIN = """
       entry.number + {shift} AS position, entry.number::VARCHAR AS action, NULL::VARCHAR AS "after",
       'effective' AS status, NULL::BIGINT AS corrected_by, NULL::VARCHAR AS reason_rule, NULL::VARCHAR AS reason,
       NULL::BIGINT[] AS seqs, entry.events AS events, NULL::JSON[] AS balances
"""

_EXPLICIT = """
       position, coalesce(action, entry.number::VARCHAR) AS action, "after", status, corrected_by,
       why.rule AS reason_rule, why."text" AS reason, seqs,
       list_concat(entry.events, coalesce(restated, [])) AS events, balances
"""
_EXPLICIT_COLUMNS = """,
    position: 'BIGINT', action: 'VARCHAR', "after": 'VARCHAR', status: 'VARCHAR', corrected_by: 'BIGINT',
    why: 'STRUCT(rule VARCHAR, "text" VARCHAR)', seqs: 'BIGINT[]', restated: 'JSON[]', balances: 'JSON[]'
"""

# The lines of both files are in the same order.
_TOLD = """
CREATE OR REPLACE TEMP TABLE told AS
SELECT line.*, told.* FROM line POSITIONAL JOIN read_json({file}, format = 'newline_delimited',
    maximum_object_size = {longest}, columns = {{round: 'BIGINT', turn: 'VARCHAR', sentence: 'VARCHAR'}}) AS told
"""

_EVENTS = """
CREATE OR REPLACE TEMP TABLE event AS
SELECT position, action, number, recorded_at, data, nth <= recorded AS recorded,
       if(nth <= recorded, nth, nth - recorded) AS event,
       if(nth <= recorded, status = 'effective', true) AS counts,
       if(nth <= recorded AND "after" IS NULL, coalesce(seqs[nth], first_seq + nth - 1), NULL) AS seq,
       split_part(parts[1], '@', 1) AS kind, parts[2] AS rule, parts[3] AS made
  FROM (SELECT *, json_extract_string(data, ['$.kind', '$.rule', '$.postings']) AS parts
          FROM (SELECT *, unnest(events) AS data, generate_subscripts(events, 1) AS nth FROM line))
"""

_POSTINGS = """
CREATE OR REPLACE TEMP TABLE posting AS
SELECT position, action, number, recorded_at, event, posting, kind, rule, counts,
       part[1] AS commodity, part[2]::BIGINT AS amount, part[3] AS source, part[4] AS target
  FROM (SELECT *, json_extract_string(found, ['$[0]', '$[1]', '$[2]', '$[3]']) AS part
          FROM (SELECT *, unnest(made::JSON[]) AS found, generate_subscripts(made::JSON[], 1) AS posting
                  FROM event WHERE made <> '[]'))
"""

_MOVED = """
SELECT position, account, commodity, sum(amount) AS change
  FROM (SELECT position, commodity, target AS account, amount::HUGEINT AS amount FROM posting WHERE counts
         UNION ALL
        SELECT position, commodity, source, -amount::HUGEINT FROM posting WHERE counts)
 GROUP BY position, account, commodity
"""

# The holdings of all accounts carry over from each stretch to the next.
_BALANCES = (
    f"""
    CREATE OR REPLACE TEMP TABLE balance AS
    SELECT moved.*, line.action, line.number, line.recorded_at, coalesce(held.balance, 0::HUGEINT)
               + sum(change) OVER (PARTITION BY moved.account, moved.commodity ORDER BY position) AS balance
      FROM ({_MOVED}) AS moved JOIN line USING (position) LEFT JOIN held USING (account, commodity)
     ORDER BY position, account, commodity
    """,  # noqa: S608 - only constants
    """
    CREATE OR REPLACE TEMP TABLE held AS
    SELECT account, commodity, balance
      FROM (SELECT account, commodity, balance, position FROM balance
             UNION ALL SELECT account, commodity, balance, 0 FROM held)
    QUALIFY row_number() OVER (PARTITION BY account, commodity ORDER BY position DESC) = 1
    """,
)

# A viewer with a partial view gets the balances of the view.
_VISIBLE_BALANCES = (
    f"""
    CREATE OR REPLACE TEMP TABLE balance AS
    SELECT visible.*, moved.change
      FROM (SELECT position, action, number, recorded_at, one ->> '$[0]' AS account, one ->> '$[1]' AS commodity,
                   (one ->> '$[2]')::HUGEINT AS balance
              FROM (SELECT position, action, number, recorded_at, unnest(balances) AS one FROM line)) AS visible
      LEFT JOIN ({_MOVED}) AS moved USING (position, account, commodity)
     ORDER BY position, account, commodity
    """,  # noqa: S608
)


class Staging:
    """Converts parts of the history into files of rows, in a separate folder."""

    def __init__(self, folder: Path, kind: Kind, selected: tuple[str, ...], *, whole: bool) -> None:
        self._folder = folder
        self._kind = kind
        self._selected = selected
        self._steps: list[str] = []
        if {"events", "postings", "balances"} & set(selected):
            self._steps.append(_EVENTS)
        if {"postings", "balances"} & set(selected):
            self._steps.append(_POSTINGS)
        if "balances" in selected:
            self._steps += _BALANCES if whole else _VISIBLE_BALANCES
        self._parts = dict.fromkeys(selected, 0)
        self._duck = _Duck(
            {
                # One thread keeps the rows in order, and another processor fetches meanwhile.
                "threads": 1,
                "memory_limit": f"{_MEMORY}MB",
                "temp_directory": str(folder / "spilled"),
                # Everything is in the package, so nothing is ever downloaded.
                "autoinstall_known_extensions": False,
                "autoload_known_extensions": False,
            }
        )

    def __enter__(self) -> Staging:
        return self

    def __exit__(self, *raised: object) -> None:
        self._duck.close()

    def begin(self, game: str) -> None:
        """Begin the history of a game."""
        self._run(f"SET VARIABLE game = {_quoted(game)}")
        self._run("CREATE OR REPLACE TEMP TABLE held (account VARCHAR, commodity VARCHAR, balance HUGEINT)")

    def mark(self) -> Mapping[str, int]:
        """Return the number of parts of each table so far."""
        return dict(self._parts)

    def go_back(self, mark: Mapping[str, int]) -> None:
        """Drop the parts converted since the mark."""
        self._parts = dict(mark)

    def take(self, part: Lines) -> None:
        """Convert a part of the history of the game into rows."""
        file = self._written("lines", part.lines)
        standing, columns = (
            (_EXPLICIT, _EXPLICIT_COLUMNS) if part.shift is None else (_PLAIN.format(shift=part.shift), "")
        )
        longest = max(_OBJECT, part.longest + _AROUND)
        self._run(
            _LINES.format(standing=standing, columns=columns, entry=_ENTRY, file=_quoted(file), longest=longest)
        )
        if part.narration is not None:
            narration = self._written("told", part.narration)
            self._run(_TOLD.format(file=_quoted(narration), longest=max(_OBJECT, len(part.narration))))
        for step in self._steps:
            self._run(step)
        for name in self._selected:
            if name in HISTORY:
                self._copy(name)

    def standing(self, rows: Mapping[str, Sequence[Mapping[str, Any]]]) -> None:
        """Convert the rows of the tables of the state, for all games together."""
        for name in self._selected:
            if name in rows:
                self._stand(name, rows[name])

    def finish(self) -> None:
        """Join the parts of each table. Raises TablesFailed."""
        if self._kind == "csv":
            return
        for name in self._selected:
            parts = ", ".join(_quoted(self._part(name, part)) for part in range(self._parts[name]))
            rows = self._of_their_types(name, f"FROM read_parquet([{parts}])") if parts else _no_rows(name)
            whole = _quoted(self._folder / f"{name}.parquet")
            self._run(f"COPY ({rows}) TO {whole} (FORMAT parquet)")

    def content(self, name: str) -> Iterator[bytes]:
        """Yield the file of a table."""
        if self._kind == "parquet":
            return _read(self._folder / f"{name}.parquet")
        header = ",".join(column.name for column in TABLES[name][1]) + "\n"
        parts = (_read(self._part(name, part)) for part in range(self._parts[name]))
        return chain((header.encode(),), chain.from_iterable(parts))

    def _of_their_types(self, name: str, rows: str) -> str:
        """Select the rows with sums cast to the type of their column. A column with sums out of range stays
        decimal.
        """
        sums = [column for column in TABLES[name][1] if column.is_sum]
        if not sums:
            return rows
        fits = ", ".join(
            f'coalesce(bool_and("{summed.name}" IS NULL '
            f'OR TRY_CAST("{summed.name}" AS {summed.kind}) IS NOT NULL), true)'
            for summed in sums
        )
        file = self._folder / f"{name}.fits"
        self._run(f"COPY (SELECT {fits} {rows}) TO {_quoted(file)} (FORMAT csv, HEADER false)")
        flags = file.read_text(encoding="utf-8").strip().split(",")
        narrow = [
            f'"{summed.name}"::{summed.kind} AS "{summed.name}"'
            for summed, fit in zip(sums, flags, strict=True)
            if fit == "true"
        ]
        return f"SELECT * REPLACE ({', '.join(narrow)}) {rows}" if narrow else rows

    def _stand(self, name: str, rows: Sequence[Mapping[str, Any]]) -> None:
        relation, columns = TABLES[name]
        lines = [_encode(row) + b"\n" for row in rows]
        file = self._written("rows", b"".join(lines))
        longest = max(_OBJECT, *map(len, lines)) if lines else _OBJECT
        # In CSV, the text of a time is left unchanged.
        kinds = ", ".join(
            f"\"{column.name}\": '{'VARCHAR' if column.kind == 'TIMESTAMPTZ' else column.widest}'"
            for column in columns
        )
        self._run(
            f"CREATE OR REPLACE TEMP TABLE {relation} AS FROM read_json({_quoted(file)},"
            f" format = 'newline_delimited', maximum_object_size = {longest}, columns = {{{kinds}}})"
        )
        self._copy(name)

    def _copy(self, name: str) -> None:
        """Write a part of a table from its relation."""
        relation, columns = TABLES[name]
        chosen = ", ".join(_selected(column, self._kind) for column in columns)
        options = "FORMAT csv, HEADER false" if self._kind == "csv" else "FORMAT parquet"
        part = _quoted(self._part(name, self._parts[name]))
        self._run(f"COPY (SELECT {chosen} FROM {relation}) TO {part} ({options})")  # noqa: S608 - our own
        self._parts[name] += 1

    def _written(self, name: str, content: bytes) -> Path:
        """Write a file in the folder, and return its path. Raises TablesFailed."""
        file = self._folder / name
        try:
            file.write_bytes(content)
        except OSError as fault:
            raise TablesFailed(f"{self._folder} cannot be written: {fault.strerror}") from fault
        return file

    def _part(self, name: str, part: int) -> Path:
        return self._folder / f"{name}.{part}.{self._kind}"

    def _run(self, statement: str) -> None:
        self._duck.execute(statement)


class _Duck:
    """DuckDB in a separate process, with a configuration."""

    def __init__(self, config: Mapping[str, Any]) -> None:
        try:
            self._process = subprocess.Popen(  # noqa: S603 - our own program
                # Keep the modules in the folder of the program from hiding others.
                [sys.executable, "-P", str(_QUERYING)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                encoding="utf-8",
            )
        except OSError as fault:
            raise TablesFailed(f"the tables cannot be made: {fault.strerror}") from fault
        try:
            self._send(config)
        except BaseException:
            self.close()
            raise

    def execute(self, statement: str) -> None:
        """Run a statement to its end. Raises TablesFailed."""
        self._send(statement)
        assert self._process.stdout is not None  # noqa: S101 - it was started with a pipe
        answer = self._process.stdout.readline()
        failure = json.loads(answer) if answer else _ENDED
        if failure is not None:
            raise TablesFailed(failure)

    def close(self) -> None:
        """End the process. All files written so far are complete."""
        self._process.kill()
        self._process.communicate()

    def _send(self, value: Any) -> None:
        assert self._process.stdin is not None  # noqa: S101 - it was started with a pipe
        try:
            self._process.stdin.write(json.dumps(value) + "\n")
            self._process.stdin.flush()
        except BrokenPipeError as fault:
            raise TablesFailed(_ENDED) from fault


def _no_rows(name: str) -> str:
    columns = ", ".join(f'NULL::{column.kind} AS "{column.name}"' for column in TABLES[name][1])
    return f"SELECT {columns} WHERE false"


def _quoted(text: Path | str) -> str:
    return "'" + str(text).replace("'", "''") + "'"


def _selected(column: Column, kind: Kind) -> str:
    if kind == "parquet":
        # Parquet has no integer of 128 bits.
        stored = "DECIMAL(38, 0)" if column.is_sum else column.kind
        return f'({column.expression})::{stored} AS "{column.name}"'
    if column.kind == "VARCHAR":
        # As in `ledger.reading.money.spreadsheets`. In JSON a control character is an escape, and stays one.
        text = f"regexp_replace(({column.expression})::VARCHAR, '{_REFUSED}', chr(65533), 'g')"
        return f"if(left({text}, 1) IN ({_FORMULA}), chr(39), '') || {text} AS \"{column.name}\""
    return f'{column.expression} AS "{column.name}"'


def _read(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while piece := file.read(_AT_ONCE):
            yield piece
