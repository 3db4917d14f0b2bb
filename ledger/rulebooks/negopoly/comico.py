"""VI.E. Comico."""

from __future__ import annotations

from ledger.kernel.rulebook import Chapter

chapter = Chapter("VI.E. Comico")
