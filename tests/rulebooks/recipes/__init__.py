"""Scenarios of the recipes in the READMEs, run on a copy of the project in which a recipe was followed."""
