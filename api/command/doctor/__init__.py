"""The command `doctor`: checks of an installation, in the order of mending."""
