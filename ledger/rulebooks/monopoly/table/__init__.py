"""The table: state, pieces, settings, and the roles of rules."""
