"""The same game elsewhere: verified offline, imported, restored, upgraded, served twice."""

from __future__ import annotations

from pathlib import Path

from tests.crossing.laying import tokens_in
from tests.crossing.older import OLDER, OLDEST, lay_out
from tests.crossing.readings import Readings, unlike
from tests.crossing.scenes import Scene
from tests.crossing.tables import BANKER


class Elsewhere:
    """The invariants (d) and (f) at the end of an evening."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self._table = scene.table
        self._house = scene.house

    def receipts(self) -> None:
        """Every receipt that was given on the way proves in the journal as it is now."""
        for (viewer, number), leaf in self._table.receipts.items():
            line = self._table.ask(viewer, "GET", f"actions/{number}")
            same = line.good and line.json["receipt"]["leaf"] == leaf
            self._table.holds("d", "a receipt", true=same, text=f"{viewer} {number}: {line.text[:200]}")

    def logs(self) -> None:
        """The log of each viewer verifies offline, with a receipt that was kept."""
        for viewer in self.scene.some_viewers():
            answer = self._table.ask(viewer, "GET", "export", query={"format": "log"})
            if not answer.good:
                self._table.found("d", "no log", f"{viewer}: {answer.text[:300]}")
                continue
            log = self.scene.folder / f"{viewer}.zip"
            log.write_bytes(answer.content)
            kept = self.scene.folder / f"{viewer}.receipt"
            number = self.scene.chance.randint(1, self.scene.head)
            proof = self._table.get(viewer, f"proofs/{number}")
            arguments: list[str | Path] = ["verify", log, "--key", self._table.key]
            if isinstance(proof, dict) and "proof" in proof:
                kept.write_text(proof["proof"])
                arguments += ["--older", kept]
            ran = self._house.command(*arguments)
            self._table.holds(
                "d",
                "an honest log",
                true=ran.returncode == 0,
                text=f"{viewer}: {ran.returncode} {ran.stdout[:600]} {ran.stderr[:300]}",
            )

    def verified(self) -> None:
        """`verify --decide` finds nothing."""
        for options in (["--decide"],):
            ran = self._house.command("verify", self._table.game, *options)
            self._table.holds(
                "d",
                f"verify {' '.join(options)}",
                true=ran.returncode == 0,
                text=f"{ran.returncode} {ran.stdout[:800]} {ran.stderr[:300]}",
            )

    def imported(self) -> None:
        """An exported journal is imported into an empty service, and reads the same there."""
        if not self._table.whole:
            return
        answer = self._table.ask(BANKER, "GET", "export", query={"format": "jsonl"})
        journal = self.scene.folder / "game.jsonl"
        journal.write_text(answer.text)
        service, database = self._house.mirror()
        ran = self._house.command("import", journal, database=database)
        self._table.holds(
            "d", "import", true=ran.returncode == 0, text=f"{ran.returncode} {ran.stdout[:300]} {ran.stderr[:900]}"
        )
        if ran.returncode:
            return
        tokens = tokens_in(ran.stdout)
        with service.client() as there, self._house.client() as here:
            self._compare(
                Readings(here, self._table.game, self._table.tokens, dict(self._table.languages)),
                Readings(there, self._table.game, tokens, dict(self._table.languages)),
                "d",
                "an imported game reads otherwise",
            )
        ran = self._house.command("verify", self._table.game, "--decide", database=database)
        self._table.holds(
            "d", "verify after import", true=ran.returncode == 0, text=f"{ran.stdout[:600]} {ran.stderr[:300]}"
        )

    def _compare(self, here: Readings, there: Readings, invariant: str, kind: str) -> None:
        viewers = self.scene.some_viewers()
        own, other = here.take(viewers), there.take(viewers)
        for path, text in unlike(own, other):
            self._table.holds(invariant, f"{kind}: {path}", true=False, text=text)
        self._table.counts[f"checks {invariant}"] += len(own)

    def second_service(self) -> None:
        """A second service on the same database reads and signs the same."""
        self._compare_with(self._house.database, "f", "a second service reads otherwise")

    def restored(self) -> None:
        """A restored backup reads the same."""
        backup = self.scene.folder / "backup"
        ran = self._house.command("backup", backup, "--without-keys")
        self._table.holds("f", "backup", true=ran.returncode == 0, text=f"{ran.stdout[:300]} {ran.stderr[:300]}")
        database = self._house.new_database(migrated=False)
        ran = self._house.command("restore", backup, database=database)
        self._table.holds("f", "restore", true=ran.returncode == 0, text=f"{ran.stdout[:300]} {ran.stderr[:300]}")
        if ran.returncode:
            return
        self._compare_with(database, "f", "a restored game reads otherwise")

    def upgraded(self) -> None:
        """A database of an older schema is upgraded, and reads the same."""
        database = self._house.new_database(migrated=False)
        revision = self.scene.chance.choice(OLDER + OLDEST if self.scene.plan.dice == "table" else OLDER)
        lay_out(self._house.database, database, revision)
        ran = self._house.command("migrate", database=database)
        self._table.holds("f", f"an upgrade from {revision}", true=ran.returncode == 0, text=f"{ran.stderr[:600]}")
        if ran.returncode == 0:
            self._compare_with(database, "f", "an upgraded game reads otherwise")

    def _compare_with(self, database: str, invariant: str, kind: str) -> None:
        """Compare what a service on another database reads with what this one reads."""
        service = self._house.serve(database, workers=1)
        try:
            with service.client() as there, self._house.client() as here:
                languages = dict(self._table.languages)
                own = Readings(here, self._table.game, self._table.tokens, languages)
                other = Readings(there, self._table.game, self._table.tokens, languages)
                self._compare(own, other, invariant, kind)
                if database == self._house.database:
                    signed = [readings.read(BANKER, "checkpoint") for readings in (own, other)]
                    self._table.holds(
                        "f",
                        "a second service signs otherwise",
                        true=signed[0] == signed[1],
                        text=f"{signed}"[:400],
                    )
        finally:
            service.stop()
