"""Language: sentences with fields, their words in English and French, and the words that every game has."""
