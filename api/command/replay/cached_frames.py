"""A cache of the frames of a game, read from their source in stretches."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence

from api.command.replay.sources import Source
from ledger.kernel.facts.labels import Place, label_of
from replays.frames import Frame

_STRETCH = 100
_KEPT = 10


class CachedFrames:
    """The frames of a game, read in stretches of a hundred actions. The last ten stretches are cached.

    `first` and `last` are the first and the last action to show.
    """

    def __init__(self, source: Source, first: int, last: int) -> None:
        self._source = source
        self.first = first
        self.last = last
        self._stretches: OrderedDict[tuple[int, str | None], list[Frame]] = OrderedDict()

    def first_after(self, position: Place, follow: str | None = None) -> Frame | None:
        """Return the first frame after a place in the history."""
        for stretch in range(self._stretch_of(position), self._stretch_of((self.last, 0, 0)) + 1):
            for frame in self._frames(stretch, follow):
                if frame.place > position:
                    return frame
        return None

    def last_before(self, position: Place, follow: str | None = None) -> Frame | None:
        """Return the last frame before a place in the history."""
        for stretch in range(self._stretch_of(position), -1, -1):
            for frame in reversed(self._frames(stretch, follow)):
                if frame.place < position:
                    return frame
        return None

    def at(self, number: int, follow: str | None = None) -> Frame | None:
        """Return the frame of an action, or else the next frame, or the last frame."""
        return self.first_after((number, 0, -1), follow) or self.last_before((number, 0, 0), follow)

    def inserted(self, name: str, follow: str | None = None) -> Frame | None:
        """Return the frame of an action inserted by a correction ("60.1"). The frame stands before the
        correction.
        """
        frame = self.at(label_of(name)[0], follow)
        while frame is not None and frame.action != name:
            frame = self.last_before(frame.place, follow)
        return frame

    def _stretch_of(self, position: Place) -> int:
        return (min(max(position[0], self.first), self.last) - self.first) // _STRETCH

    def _frames(self, stretch: int, follow: str | None) -> Sequence[Frame]:
        stretch_frames = self._stretches.pop((stretch, follow), None)
        if stretch_frames is None:
            start = self.first + stretch * _STRETCH
            stretch_frames = list(self._source.frames(start, min(start + _STRETCH - 1, self.last), follow))
            while len(self._stretches) >= _KEPT:
                self._stretches.popitem(last=False)
        self._stretches[stretch, follow] = stretch_frames
        return stretch_frames
