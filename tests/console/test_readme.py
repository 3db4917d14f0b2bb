"""The recipe for a page of the console, followed on a copy of the project."""

from pathlib import Path

from tests.console.test_units import CONSOLE, run
from tests.harness.recipes import followed

TEST = """
import { expect, test } from "vitest";
import { listedFor, pages } from "../pages";
import { frameTexts } from "../frame/texts";
test("the page is listed, named and loaded", async () => {
  for (const role of ["banker", "player", "spectator"] as const) expect(listedFor(role)).toContain("standings");
  expect(frameTexts().names.standings).toBe("Standings");
  expect((await pages.standings!.load()).default).toBeTypeOf("function");
});
"""


def test_a_page_is_added(tmp_path: Path) -> None:
    copied = followed("api/console/README.md", "Add a page", tmp_path, "api/console") / "api" / "console"
    (copied / "node_modules").symlink_to((CONSOLE / "node_modules").resolve())
    (copied / "src" / "standings" / "recipe.test.ts").write_text(TEST, encoding="utf-8")
    run("npx", "vitest", "run", "src/standings", console=copied)
