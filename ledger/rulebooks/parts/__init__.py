"""What games share, without a rule of any game: no rule number and no title.

Functions and small frozen structs to compose. A game passes its own rule ids, texts and pieces.
"""
