"""VI.D to VI.F. Prison, Comico and checkpoints."""
