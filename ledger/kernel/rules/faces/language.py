"""Language: the words of a game in English and French."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from typing import Any, Generic, TypeVar

from ledger.kernel.facts.state import State
from ledger.kernel.language.parameter_words import UNNAMED, ParameterWording
from ledger.kernel.language.phrase import Phrase
from ledger.kernel.language.sentences import Speaker
from ledger.kernel.language.setting_words import UNSAID, SettingsWording
from ledger.kernel.language.wording import UNWORDED, Wording

S = TypeVar("S", bound=State)


class Language(ABC, Generic[S]):
    """The words of a game in English and French."""

    wording: Wording = UNWORDED
    """The words for the actions: labels, groups, ranks and verbs."""
    parameter_wording: ParameterWording = UNNAMED
    """The words for the parameters of the actions."""
    settings_wording: SettingsWording = UNSAID
    """The words for the settings: titles, groups, and the order of the form."""
    agreement_names: Mapping[str, Phrase] = {}
    """The readable names of the collections of agreements: {"loans": Loans, …}."""

    @abstractmethod
    def speakers(self, state: S) -> Mapping[str, Speaker]:
        """Return the speakers that name the values of the game in sentences."""

    def describe_changes(
        self, state: S, before: Mapping[str, Any], after: Mapping[str, Any], language: str
    ) -> Iterator[str]:
        """Yield the differences of two views of a game as sentences in "en" or "fr", the most important first.

        The views are plain data from `Screen.view`, so the sentences contain only visible facts. `state` gives
        the names. Empty by default.
        """
        return iter(())
