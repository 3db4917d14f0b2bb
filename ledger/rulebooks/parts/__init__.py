"""What games share, without a rule of any of them: no rule number and no title stands here.

Functions and small frozen structs, to be composed. A game passes its own rule ids, words and pieces.
"""
