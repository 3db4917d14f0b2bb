"""VII. Doses."""

from __future__ import annotations

from ledger.kernel.rulebook import Chapter

chapter = Chapter("VII. Doses")
