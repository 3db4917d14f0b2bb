"""Scenarios of the recipes in the READMEs, run on a copy of the project in which a recipe was followed."""

from ledger.rulebooks.negopoly import RULEBOOK

_LAST = max(int(rule.id.rpartition(".")[2]) for rule in RULEBOOK.register.rules() if rule.article == "IX.C")

NEXT = {"IX.C.30": f"IX.C.{_LAST + 1}", "number = 2": f"number = {len(RULEBOOK.revisions) + 1}"}
"""The next free numbers of a rule of the arsenal and of a revision, for those of the recipe of a weapon."""
