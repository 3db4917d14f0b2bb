"""What holds at the end of an evening."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import parse_qsl

from replays.exports import FORMATS
from tests.crossing import counting
from tests.crossing.findings import Broken
from tests.crossing.holding import Holding, differing, table_lines
from tests.crossing.house import API, House
from tests.crossing.laying import table_of, tokens_in
from tests.crossing.older import OLDER, OLDEST, lay_out
from tests.crossing.plans import Plan
from tests.crossing.readings import PATHS, Readings, unlike
from tests.crossing.tables import BANKER, SPECTATOR, Table

_BEANCHECK = Path(sys.executable).with_name("bean-check")
_FEW = 3
VEIL = "card"
"""What a card is to those who may not see which one it is."""


class Ending:
    """The invariants that are looked at when an evening is over. A `short` ending starts no further service."""

    def __init__(self, house: House, table: Table, plan: Plan, holding: Holding, *, short: bool) -> None:
        self.house = house
        self.table = table
        self.plan = plan
        self.holding = holding
        self.short = short
        self.chance = Random(f"{plan.seed} end")
        self.folder = house.folder / table.game
        self.head = table.head
        self.whole = table.whole

    def look(self) -> None:
        """Look at everything; a fault of one check does not hide those after it."""
        self.folder.mkdir()
        checks: list[Callable[[], None]] = [
            self.journals,
            self.sweep,
            self.exports,
            self.channels,
            self.statements,
            self.books,
            self.moments,
            self.frames,
            self.known_then,
            self.statistics,
            self.fork,
            self.receipts,
            self.logs,
            self.verified,
            self.imported,
        ]
        if not self.short:
            checks += [self.second_service] if "second service" in self.plan.extras else []
            checks += [self.restored] if "backup" in self.plan.extras else []
            checks += [self.upgraded] if "older schema" in self.plan.extras else []
        for check in checks:
            try:
                check()
            except Broken as broken:
                self.table.found(*broken.finding)
        shutil.rmtree(self.folder)

    # (a) ------------------------------------------------------------------------------------------

    def journals(self) -> None:
        """Every viewer's stream, journal and audit agree once more."""
        self.holding.look(thorough=True)
        for viewer, follower in self.table.followers.items():
            ended = self.table.get(viewer, "state")["status"] == "ended"
            self.table.holds(
                "a", "the end is told", true=bool(follower.ended) or not ended, text=f"{viewer}: {follower.ended}"
            )
            lines = (line for line in table_lines(self.table, viewer) if line["number"] > follower.since)
            journal = {line["number"]: line for line in lines if "." not in str(line["action"])}
            for number, told in follower.entries.items():
                line = journal.get(number)
                same = line is not None and line["receipt"]["leaf"] == told["receipt"]["leaf"]
                self.table.holds("a", "the stream told another entry", true=same, text=f"{viewer}: {number}")
            self.table.holds(
                "a",
                "the stream left entries out",
                true=set(journal) == set(follower.entries),
                text=f"{viewer}: {set(journal) ^ set(follower.entries)}",
            )

    # (h) ------------------------------------------------------------------------------------------

    def sweep(self) -> None:
        """Every viewer reads everything, in both languages; what is wrong with an answer is found on the way."""
        for viewer in self.table.viewers:
            for path in PATHS:
                place, _, query = path.partition("?")
                for language in ("en", "fr"):
                    read = self.table.ask(viewer, "GET", place, query=dict(parse_qsl(query)), language=language)
                    self.table.holds(
                        "h",
                        f"{path} is refused",
                        true=read.good,
                        text=f"{viewer}: {read.status} {read.text[:300]}",
                    )

    def exports(self) -> None:
        """Every format of an export is written, for everybody."""
        for viewer in self._some_viewers():
            for form in FORMATS:
                answer = self.table.ask(viewer, "GET", "export", query={"format": form})
                self.table.holds(
                    "h",
                    f"no export as {form}",
                    true=answer.good,
                    text=f"{viewer}: {answer.status} {answer.text[:300]}",
                )

    def channels(self) -> None:
        """No channel tells a viewer of a posting that the journal hides: audit, frames and tables say the same.

        Lines that a correction has touched are left out: each channel shows another of their sides.
        """
        for viewer in (self.chance.choice(self.table.seats), SPECTATOR):
            journal = {
                str(line["action"]): sorted(
                    _moved(posting) for event in line["events"] for posting in event["postings"]
                )
                for line in table_lines(self.table, viewer)
                if line["status"] == "effective"
            }
            audit = {
                str(line["action"]): sorted(map(_moved, line["postings"]))
                for line in table_lines(self.table, viewer, "audit", "lines")
            }
            frames = {
                str(frame["action"]): sorted(map(_moved, frame["recorded"]["postings"]))
                for frame in table_lines(self.table, viewer, "replay", "frames")
                if frame["recorded"] is not None
            }
            rows = self.table.ask(viewer, "GET", "export", query={"format": "csv", "table": "postings"}).text
            table: dict[str, list[tuple[str, int, str, str]]] = {action: [] for action in journal}
            for row in counting.rows_of(rows):
                moved = (row["commodity"], int(row["amount"]), row["source"], row["target"])
                table.setdefault(row["action"], []).append(moved)
            for channel, told in (("the audit", audit), ("a frame", frames), ("an exported table", table)):
                unlike = [
                    f"{action}: {sorted(told[action])} / {moved}"
                    for action, moved in journal.items()
                    if action in told and sorted(told[action]) != moved
                ]
                self.table.holds(
                    "h",
                    f"{channel} tells other postings than the journal",
                    true=not unlike,
                    text=f"{viewer} {unlike[:2]}",
                )

    # (c) ------------------------------------------------------------------------------------------

    def statements(self) -> None:
        """Statements end at the holdings, and `why` explains them."""
        table = self.table
        for viewer in self._some_viewers():
            accounts = table.get(viewer, "accounts")["accounts"]
            # How many cards lie face down is seen, but not every fact that moved one.
            open_ones = [account for account in accounts if VEIL not in account["holdings"]]
            for account in self.chance.sample(open_ones, min(_FEW, len(open_ones))):
                lines = self._statement(viewer, account["account"])
                last: dict[str, int] = {}
                for line in lines:
                    last[line["commodity"]] = line["balance"]
                held = {name: amount for name, amount in last.items() if amount}
                told = account["holdings"]
                table.holds(
                    "c",
                    "a statement ends elsewhere",
                    true=held == told,
                    text=f"{viewer}, {account['account']}: {differing(held, told)[:4]}",
                )
                for commodity, amount in [*told.items()][:_FEW]:
                    why = table.ask(
                        viewer, "GET", "why", query={"account": account["account"], "commodity": commodity}
                    )
                    reason = why.json.get("amount", why.json.get("balance")) if why.good else why.text[:200]
                    table.holds(
                        "c",
                        "why tells another amount",
                        true=reason == amount,
                        text=f"{viewer}, {account['account']} {commodity}: {reason}, not {amount}",
                    )

    def _statement(self, viewer: str, account: str) -> list[Any]:
        lines: list[Any] = []
        cursor = None
        while True:
            page = self.table.get(viewer, f"accounts/{account}/statement", limit=200, cursor=cursor)
            lines += page["lines"]
            cursor = page["next"]
            if cursor is None:
                return lines

    def books(self) -> None:
        """Others' checkers find nothing in the exported books."""
        checkers: dict[str, list[str | Path]] = {"beancount": [_BEANCHECK], "hledger": ["hledger", "check", "-f"]}
        for form, command in checkers.items():
            for viewer in (BANKER, self.chance.choice(self.table.seats)):
                answer = self.table.ask(viewer, "GET", "export", query={"format": form})
                book = self.folder / f"{viewer}.{form}"
                book.write_text(answer.text)
                ran = subprocess.run([*command, book], capture_output=True, text=True, check=False)
                self.table.holds(
                    "c",
                    f"a book for {form}",
                    true=answer.good and ran.returncode == 0,
                    text=f"{viewer}: {answer.status} {ran.stdout[:300]} {ran.stderr[:300]}",
                )

    # (e) ------------------------------------------------------------------------------------------

    def moments(self) -> None:
        """What the journal says of a moment is the same whichever way it is asked for."""
        table = self.table
        for number in self._some_numbers():
            for viewer in self._some_viewers():
                state = table.get(viewer, "state", at=number)
                accounts = table.get(viewer, "accounts", at=number)["accounts"]
                listed = {one["account"]: one["holdings"] for one in accounts}
                table.holds(
                    "e",
                    "accounts at a moment",
                    true=listed == state["accounts"],
                    text=f"{viewer} at {number}: {differing(listed, state['accounts'])[:4]}",
                )

    def frames(self) -> None:
        """The frame of an action ends at the state right after it."""
        table = self.table
        for viewer in self._some_viewers():
            frames = table.get(viewer, "replay", limit=100)["frames"]
            pairs = zip(frames, [*frames[1:], None], strict=True)
            settled = [
                one
                for one, after in pairs
                if "." not in str(one["action"]) and (after is None or "." not in str(after["action"]))
            ]
            for frame in self.chance.sample(settled, min(_FEW, len(settled))):
                state = table.get(viewer, "state", at=frame["action"])
                side = frame["corrected"]
                held = {} if side is None else side["balances"]
                unlike = {
                    account: (balances, state["accounts"].get(account, {}))
                    for account, balances in held.items()
                    if {name: amount for name, amount in balances.items() if amount}
                    != {
                        name: state["accounts"].get(account, {}).get(name)
                        for name, amount in balances.items()
                        if amount
                    }
                }
                table.holds(
                    "e", "a frame's balances", true=not unlike, text=f"{viewer} {frame['action']}: {unlike}"
                )
                if side is not None and "display" in side:
                    table.holds(
                        "e",
                        "a frame's board",
                        true=side["display"] == state["display"],
                        text=f"{viewer} {frame['action']}: {differing(side['display'], state['display'])[:3]}",
                    )
                worths = {one["seat"]: one.get("worth") for one in frame["standings"]}
                then = {one["seat"]: one.get("worth") for one in state["standings"]}
                ended = state["status"] == "ended"
                table.holds(
                    "e",
                    "a frame's standings",
                    true=ended
                    or all(then.get(seat) in {worth, None} or worth is None for seat, worth in worths.items()),
                    text=f"{viewer} {frame['action']}: {worths} / {then}",
                )

    def known_then(self) -> None:
        """What is said to have been known at a moment is what was shown live then, to each viewer."""
        table = self.table
        if table.get(BANKER, "state")["status"] == "ended":
            return
        for viewer, follower in table.followers.items():
            shown = [version for version in follower.shown if version <= self.head]
            for version in self.chance.sample(shown, min(_FEW, len(shown))):
                then = table.get(viewer, "state", at=version, known_at=version)
                live = follower.shown[version]
                unlike = differing(_moment_of(live), _moment_of(then))
                table.holds("e", "earlier knowledge", true=not unlike, text=f"{viewer} at {version}: {unlike[:4]}")

    def fork(self) -> None:
        """A fork is the state of its moment, as it was known then, and can be played on."""
        table = self.table
        number = self.chance.randint(1, self.head)
        with self.house.client() as client:
            origin = {"game": table.game, "action": number, "token": table.tokens[BANKER]}
            answer = client.post(f"{API}/games", json={"title": "Another evening", "from": origin})
        if answer.status_code == 403 and not self.whole:
            return
        table.holds(
            "e", "a fork is refused", true=answer.status_code == 201, text=f"at {number}: {answer.text[:300]}"
        )
        if answer.status_code != 201:
            return
        other = table_of(self.house, answer.json(), table.languages)
        for viewer in table.viewers:
            if self.whole or viewer != BANKER:
                here = table.get(viewer, "state", at=number, known_at=number)
                there = other.get(viewer, "state", at=number, known_at=number)
                if table.get(BANKER, "state")["status"] == "ended" and viewer != BANKER:
                    continue
                unlike = differing(_moment_of(there), _moment_of(here))
                table.holds(
                    "e", "a fork is another state", true=not unlike, text=f"{viewer} at {number}: {unlike[:4]}"
                )
        self._play_on(other)
        table.findings += [found for found in other.findings if found not in table.findings]
        table.counts += other.counts
        other.leave()

    def _play_on(self, other: Table) -> None:
        """Whoever is awaited in a fork does what is due."""
        for _ in range(_FEW):
            state = other.get(BANKER, "state")
            for one in state["awaited"][:1]:
                viewer = one["seat"] if one["seat"] in other.tokens else BANKER
                simple = [
                    action
                    for move, action in other.moves(viewer)
                    if move["rank"] == "due" and not move.get("draws")
                ]
                if simple:
                    other.post(
                        viewer,
                        "actions",
                        self.chance.choice(simple),
                        Idempotency_Key=f"{other.game} {self.chance.random()}",
                    )

    # (g) ------------------------------------------------------------------------------------------

    def statistics(self) -> None:
        """Throws, payments and rents are those of the exported tables."""
        if not self.whole:
            return
        table = self.table
        told = table.get(BANKER, "statistics")
        tables = {
            name: table.ask(BANKER, "GET", "export", query={"format": "csv", "table": name}).text
            for name in ("events", "postings")
        }
        owners = table.get(BANKER, "names")["owners"]
        for dice in told["dice"]:
            if dice["id"] in counting.counted_dice():
                counted = counting.throws(tables["events"], dice["id"])
                shown = {
                    seat["seat"]: {face: times for face, times in enumerate(seat["faces"], start=1) if times}
                    for seat in dice["seats"]
                    if seat["dice"]
                }
                plain = {seat: dict(faces) for seat, faces in counted.items()}
                table.holds(
                    "g", "throws", true=shown == plain, text=f"{dice['id']}: {differing(shown, plain)[:4]}"
                )
        currency = told["currency"]["id"]
        sums = counting.balances(tables["postings"], currency, owners)
        flows = {seat["seat"]: seat["received"] - seat["paid"] for seat in told["seats"]}
        table.holds(
            "g",
            "payments",
            true=all(sums[seat] == change for seat, change in flows.items()),
            text=f"{flows} / {dict(sums)}",
        )
        rents = counting.rents(tables["postings"], currency, owners)
        paid = {
            (flow["from"], flow["to"]): flow["amount"]
            for flow in told["flows"]["money"]
            if flow["purpose"] == "rent" and {flow["from"], flow["to"]} <= set(table.seats) and flow["amount"]
        }
        table.holds("g", "rents", true=paid == dict(rents), text=f"{paid} / {dict(rents)}")

    # (d) ------------------------------------------------------------------------------------------

    def receipts(self) -> None:
        """Every receipt that was given on the way proves in the journal as it is now."""
        for (viewer, number), leaf in self.table.receipts.items():
            line = self.table.ask(viewer, "GET", f"actions/{number}")
            same = line.good and line.json["receipt"]["leaf"] == leaf
            self.table.holds("d", "a receipt", true=same, text=f"{viewer} {number}: {line.text[:200]}")

    def logs(self) -> None:
        """The log of each viewer verifies offline, with a receipt that was kept."""
        for viewer in self._some_viewers():
            answer = self.table.ask(viewer, "GET", "export", query={"format": "log"})
            if not answer.good:
                self.table.found("d", "no log", f"{viewer}: {answer.text[:300]}")
                continue
            log = self.folder / f"{viewer}.zip"
            log.write_bytes(answer.content)
            kept = self.folder / f"{viewer}.receipt"
            number = self.chance.randint(1, self.head)
            proof = self.table.get(viewer, f"proofs/{number}")
            arguments: list[str | Path] = ["verify", log, "--key", self.table.key]
            if isinstance(proof, dict) and "proof" in proof:
                kept.write_text(proof["proof"])
                arguments += ["--older", kept]
            ran = self.house.command(*arguments)
            self.table.holds(
                "d",
                "an honest log",
                true=ran.returncode == 0,
                text=f"{viewer}: {ran.returncode} {ran.stdout[:600]} {ran.stderr[:300]}",
            )

    def verified(self) -> None:
        """`verify --decide` finds nothing."""
        for options in (["--decide"],):
            ran = self.house.command("verify", self.table.game, *options)
            self.table.holds(
                "d",
                f"verify {' '.join(options)}",
                true=ran.returncode == 0,
                text=f"{ran.returncode} {ran.stdout[:800]} {ran.stderr[:300]}",
            )

    def imported(self) -> None:
        """An exported journal is imported into an empty service, and reads the same there."""
        if not self.whole:
            return
        answer = self.table.ask(BANKER, "GET", "export", query={"format": "jsonl"})
        journal = self.folder / "game.jsonl"
        journal.write_text(answer.text)
        service, database = self.house.mirror()
        ran = self.house.command("import", journal, database=database)
        self.table.holds(
            "d", "import", true=ran.returncode == 0, text=f"{ran.returncode} {ran.stdout[:300]} {ran.stderr[:900]}"
        )
        if ran.returncode:
            return
        tokens = tokens_in(ran.stdout)
        with service.client() as there, self.house.client() as here:
            self._compare(
                Readings(here, self.table.game, self.table.tokens, dict(self.table.languages)),
                Readings(there, self.table.game, tokens, dict(self.table.languages)),
                "d",
                "an imported game reads otherwise",
            )
        ran = self.house.command("verify", self.table.game, "--decide", database=database)
        self.table.holds(
            "d", "verify after import", true=ran.returncode == 0, text=f"{ran.stdout[:600]} {ran.stderr[:300]}"
        )

    def _compare(self, here: Readings, there: Readings, invariant: str, kind: str) -> None:
        viewers = self._some_viewers()
        own, other = here.take(viewers), there.take(viewers)
        for path, text in unlike(own, other):
            self.table.holds(invariant, f"{kind}: {path}", true=False, text=text)
        self.table.counts[f"checks {invariant}"] += len(own)

    # (f) ------------------------------------------------------------------------------------------

    def second_service(self) -> None:
        """A second service on the same database reads and signs the same."""
        self._compare_with(self.house.database, "f", "a second service reads otherwise")

    def restored(self) -> None:
        """A restored backup reads the same."""
        backup = self.folder / "backup"
        ran = self.house.command("backup", backup)
        self.table.holds("f", "backup", true=ran.returncode == 0, text=f"{ran.stdout[:300]} {ran.stderr[:300]}")
        database = self.house.new_database(migrated=False)
        ran = self.house.command("restore", backup, database=database)
        self.table.holds("f", "restore", true=ran.returncode == 0, text=f"{ran.stdout[:300]} {ran.stderr[:300]}")
        if ran.returncode:
            return
        self._compare_with(database, "f", "a restored game reads otherwise")

    def upgraded(self) -> None:
        """A database of an older schema is upgraded, and reads the same."""
        database = self.house.new_database(migrated=False)
        revision = self.chance.choice(OLDER + OLDEST if self.plan.dice == "table" else OLDER)
        lay_out(self.house.database, database, revision)
        ran = self.house.command("migrate", database=database)
        self.table.holds("f", f"an upgrade from {revision}", true=ran.returncode == 0, text=f"{ran.stderr[:600]}")
        if ran.returncode == 0:
            self._compare_with(database, "f", "an upgraded game reads otherwise")

    def _compare_with(self, database: str, invariant: str, kind: str) -> None:
        """Compare what a service on another database reads with what this one reads."""
        service = self.house.serve(database, workers=1)
        try:
            with service.client() as there, self.house.client() as here:
                languages = dict(self.table.languages)
                own = Readings(here, self.table.game, self.table.tokens, languages)
                other = Readings(there, self.table.game, self.table.tokens, languages)
                self._compare(own, other, invariant, kind)
                if database == self.house.database:
                    signed = [readings.read(BANKER, "checkpoint") for readings in (own, other)]
                    self.table.holds(
                        "f",
                        "a second service signs otherwise",
                        true=signed[0] == signed[1],
                        text=f"{signed}"[:400],
                    )
        finally:
            service.stop()

    # Choices --------------------------------------------------------------------------------------

    def _some_viewers(self) -> list[str]:
        return [BANKER, self.chance.choice([*self.table.seats, SPECTATOR])]

    def _some_numbers(self) -> list[int]:
        return sorted(self.chance.sample(range(1, self.head + 1), min(_FEW, self.head)))


def _moved(posting: Any) -> tuple[str, int, str, str]:
    """What a posting moves: the commodity, the amount, and the two accounts."""
    return posting["commodity"], posting["amount"], posting["from"], posting["to"]


def _moment_of(state: Any) -> Any:
    """A state without what belongs to the game as a file, and without the time of reading."""
    left_out = {"game", "head", "due", "origin"}
    return {name: value for name, value in state.items() if name not in left_out}
