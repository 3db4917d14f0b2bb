"""VI.C. Hôpital."""

from __future__ import annotations

from ledger.kernel.rulebook import Chapter

chapter = Chapter("VI.C. Hôpital")
