"""What changes a game: perform, preview, correct, undo, redo."""
