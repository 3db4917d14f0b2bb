"""IX.C and IX.D. Weapons, charges and Game Enders."""
