"""VI. The effects of squares: Spawn, Hôpital, Prison, Comico and the checkpoints."""

CHAPTERS = ("spawn", "hospital", "prison", "comico", "checkpoints")
