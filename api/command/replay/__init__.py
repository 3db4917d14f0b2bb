"""The command `replay`: where the frames come from, how they are told in lines, and the screen to look at them."""
