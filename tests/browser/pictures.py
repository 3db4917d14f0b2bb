"""The pictures of the console: `make pictures` takes two for the README, with `FOLDER=…` all screens."""

from __future__ import annotations

import argparse
import base64
import shutil
import struct
import tempfile
import zlib
from collections.abc import Collection, Sequence
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from ledger.store.postgres.embedded import url_of_running
from tests.browser.conftest import CHROMIUM, FLAGS
from tests.browser.screens import NAMED, SCREENS, Evenings, Language, Theme
from tests.command.service import Service

README = Path(__file__).parents[2] / "api" / "console" / "pictures"
PICTURED = SCREENS | NAMED
SHOWN = ("desk", "phone")
"""The screens in the README."""
THEMES: tuple[Theme, ...] = ("light", "dark")
LANGUAGES: tuple[Language, ...] = ("en", "fr")

# The most frequent colours that differ enough from each other; how much is found by trying.
_INDEXED = """async (picture) => {
  const image = new Image();
  image.src = `data:image/png;base64,${picture}`;
  await image.decode();
  const canvas = new OffscreenCanvas(image.width, image.height).getContext("2d");
  canvas.drawImage(image, 0, 0);
  const points = new Uint32Array(canvas.getImageData(0, 0, image.width, image.height).data.buffer);
  const counts = new Map();
  for (const point of points) counts.set(point, (counts.get(point) ?? 0) + 1);
  const colours = [...counts].sort((one, two) => two[1] - one[1]).map(([colour]) => colour);
  const distance = (one, two) => [0, 8, 16].reduce((sum, bits) =>
    sum + Math.abs(((one >> bits) & 255) - ((two >> bits) & 255)), 0);
  let palette = colours;
  for (let least = 4; palette.length > most; least *= 1.1) {
    palette = [];
    for (const colour of colours) {
      if (palette.every((taken) => distance(taken, colour) >= least)) palette.push(colour);
      if (palette.length > most) break;
    }
  }
  const nearest = new Map(colours.map((colour) => [colour, palette.reduce((best, taken, at) =>
    distance(taken, colour) < distance(palette[best], colour) ? at : best, 0)]));
  const indices = Array.from(points, (point) => String.fromCharCode(nearest.get(point))).join("");
  return [image.width, image.height, palette, btoa(indices)];
}"""


def with_palette(chromium: Browser, picture: bytes, most: int = 52) -> bytes:
    """Draw a PNG with at most so many colours. Returns a PNG of a third of the size."""
    page = chromium.new_page()
    taken = base64.b64encode(picture).decode()
    width, height, palette, packed = page.evaluate(_INDEXED.replace("most", str(most)), taken)
    page.close()
    indices = base64.b64decode(packed)
    rows = b"".join(b"\0" + indices[at : at + width] for at in range(0, width * height, width))
    colours = b"".join(struct.pack("<I", colour)[:3] for colour in palette)

    def chunk(kind: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    packer = zlib.compressobj(9, memLevel=9)
    head = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0))
    body = chunk(b"PLTE", colours) + chunk(b"IDAT", packer.compress(rows) + packer.flush())
    return b"\x89PNG\r\n\x1a\n" + head + body + chunk(b"IEND", b"")


def take(folder: Path, pages: Collection[str], themes: Collection[Theme], languages: Collection[Language]) -> None:
    """Take pictures of the screens into a folder: `desk.png`, `desk-dark-fr.png`."""
    with tempfile.TemporaryDirectory() as home, sync_playwright() as playwright:
        service = Service("--home", home)
        chromium = playwright.chromium.launch(executable_path=shutil.which(CHROMIUM), args=FLAGS)
        try:
            service.wait_for(r"`(mabligop demo --tokens)`")
            evenings = Evenings(chromium, service, url_of_running(Path(home)) or "")
            folder.mkdir(exist_ok=True, parents=True)
            for name in pages:
                for theme in themes:
                    for language in languages:
                        page = evenings.open(PICTURED[name], theme=theme, language=language)
                        parts = [name, "dark" if theme == "dark" else "", "fr" if language == "fr" else ""]
                        picture = with_palette(chromium, page.screenshot(animations="disabled"))
                        (folder / f"{'-'.join(filter(None, parts))}.png").write_bytes(picture)
                        page.context.close()
            evenings.clear()
        finally:
            chromium.close()
            service.stop()


def main(arguments: Sequence[str] | None = None) -> None:
    """Take the README's pictures; with a folder every screen in every look, or the pages and looks asked for."""
    parser = argparse.ArgumentParser(prog="python -m tests.browser.pictures")
    parser.add_argument("--folder", type=Path, help="take all screens, into this folder")
    parser.add_argument("--page", action="append", choices=PICTURED, help="only this page")
    parser.add_argument("--theme", action="append", choices=THEMES, help="only this theme")
    parser.add_argument("--language", action="append", choices=LANGUAGES, help="only this language")
    asked = parser.parse_args(arguments)
    if asked.folder is None:
        take(README, SHOWN, THEMES[:1], LANGUAGES[:1])
    else:
        take(asked.folder, asked.page or PICTURED, asked.theme or THEMES, asked.language or LANGUAGES)


if __name__ == "__main__":
    main()
