"""The command `replay`: the sources of frames, their wording in lines of text, and the screen in a terminal."""
