"""The command `replay`: the sources of frames, the wording of frames in lines of text, and the terminal screen."""
