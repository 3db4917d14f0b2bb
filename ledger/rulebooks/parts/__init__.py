"""Building blocks shared by games, without a rule number or a title of any game.

The blocks are functions and small frozen structs to compose. A game passes its own rule ids, texts and pieces.
"""
