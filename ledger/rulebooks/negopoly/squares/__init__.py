"""VI. What the squares do: Spawn and Hôpital, and the police of Prison, Comico and the checkpoints."""

CHAPTERS = ("spawn", "hospital", "prison", "comico", "checkpoints")
