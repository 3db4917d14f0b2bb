"""What games share. There is no rule of a particular game in it: no rule number and no title."""
