"""Obligations in a state, as far as a viewer may see them: debtor, creditor, amount, rule, consequence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from functools import cache, cached_property
from typing import Any, Literal

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from ledger.games.moments import Moment
from ledger.kernel.facts.audience import EVERYONE, Viewer
from ledger.kernel.facts.obligations import Obligation
from ledger.kernel.facts.state import State
from ledger.kernel.language.phrase import Phrase
from ledger.kernel.language.sentences import speak
from ledger.kernel.rules.rulebook import Rulebook
from ledger.reading.words.naming import Names

ObligationStatus = Literal["open", "due", "laid"]

_OWES = Phrase("{debtor} owes {creditor} {amount} ({label})", "{debtor} doit {amount} à {creditor} ({label})")
_OWES_SOMEBODY = Phrase("{debtor} owes {amount} ({label})", "{debtor} doit {amount} ({label})")
_IS_OWED = Phrase("{creditor} is owed {amount} ({label})", "on doit {amount} à {creditor} ({label})")
_LAID = Phrase("{debtor} has laid {amount} ({label})", "{debtor} a déposé {amount} ({label})")
_LAID_FOR = Phrase(
    "{debtor} has laid {amount} for {creditor} ({label})", "{debtor} a déposé {amount} pour {creditor} ({label})"
)
_ACT = Phrase("{debtor} still has this to do: {label}", "{debtor} doit encore faire ceci : {label}")
_ACT_FOR = Phrase(
    "{debtor} still has this to do for {creditor}: {label}",
    "{debtor} doit encore faire ceci pour {creditor} : {label}",
)
_RELEASE = Phrase("release from a debt of {amount} ({label})", "quittance d'une dette de {amount} ({label})")
_SINCE = Phrase("{text}, since line {since}", "{text}, depuis la ligne {since}")


_OPTIONAL = ("debtor", "creditor", "commodity", "amount", "part", "since", "due", "release")
"""The members of an obligation that stand in its view as they are, unless None."""


class ObligationView(msgspec.Struct, frozen=True, kw_only=True):
    """An amount or an act owed by a rule: a debt, a deposit, an answer, a throw.

    `kind` is an id of the rulebook ("debt"). `text` is the whole sentence: "Bob owes Ana ₦120 (rent: Nuketown),
    since line 57.". `label`, `follows` (the consequence) and the names are for people, too, in the caller's
    language. A member without a value is left out.
    """

    kind: str
    label: str
    text: str
    status: ObligationStatus
    """`laid`: the amount has left the debtor's purse (in escrow, in transit, on the market); `due`: payable or to
    be done now; `open`: payable later, or on demand."""
    debtor: str | UnsetType = UNSET
    """The seat that owes; left out for a debtor not yet known, such as the next prisoner."""
    debtor_name: str | UnsetType = UNSET
    creditor: str | UnsetType = UNSET
    """The account entitled; left out for nobody in particular, or nobody known yet."""
    creditor_name: str | UnsetType = UNSET
    commodity: str | UnsetType = UNSET
    """The commodity owed, or its veil; left out for an act."""
    commodity_name: str | UnsetType = UNSET
    amount: int | UnsetType = UNSET
    """Whole units of the commodity; left out for an act."""
    about: str
    """The subject: the id of a debt or an agreement, a title, a card; empty if the kind says enough."""
    part: int | UnsetType = UNSET
    """The part of the subject: the number of a leg of a deal, from 0."""
    since: int | UnsetType = UNSET
    """The number of the action that opened the matter; left out if the state does not keep the number."""
    due: datetime | UnsetType = UNSET
    """The time at which the consequence comes by the clock; left out without a clock."""
    rule: str
    rule_title: str | UnsetType = UNSET
    follows: str
    release: str | UnsetType = UNSET
    """The commodity that the creditor's seat gives the debtor in a deal to end the debt; left out if none does."""
    release_name: str | UnsetType = UNSET
    """The name of that commodity: "release from a debt of ₦120 (rent: Nuketown)"."""


class AllObligations:
    """The obligations in a state, in a language, for any number of viewers. Each is written once."""

    def __init__(self, rulebook: Rulebook[Any], state: State, language: str) -> None:
        self._rulebook = rulebook
        self._state = state
        self._language = language
        self._obligations = tuple(rulebook.agreements.obligations(state))
        self.view = cache(self._written)
        """Write an obligation for people."""

    @cached_property
    def _names(self) -> Names:
        return Names(self._rulebook, self._state, self._language)

    def seen_by(self, viewer: Viewer, *, foreseen: bool = False) -> tuple[ObligationView, ...]:
        """Return the visible obligations, in the order of the rulebook.

        `foreseen` is for a state that is not the game's (yet): restricted facts are for the parties alone.
        """
        return tuple(map(self.view, self.visible(viewer, foreseen=foreseen)))

    def visible(self, viewer: Viewer, *, foreseen: bool = False) -> list[Obligation]:
        """Return the obligations in the viewer's view. Amounts under an equal veil are summed, like holdings."""
        visible: list[Obligation] = []
        veiled: dict[Obligation, int] = {}
        for owed in self._obligations:
            veil = None if owed.commodity is None else self._rulebook.secrets.veil(owed.commodity)
            if owed.audience.admits(viewer) and not (foreseen and self._is_restricted(owed, veil, viewer)):
                visible.append(owed)
            elif veil is not None:
                cover = replace(owed, commodity=veil, amount=None, audience=EVERYONE)
                if cover not in veiled:
                    visible.append(cover)
                veiled[cover] = veiled.get(cover, 0) + (owed.amount or 0)
        return [replace(owed, amount=veiled[owed]) if owed in veiled else owed for owed in visible]

    def _is_restricted(self, owed: Obligation, veil: str | None, viewer: Viewer) -> bool:
        """Return True for a restricted fact, or a card to be named, of which the viewer is no party."""
        names_card = owed.commodity is None and owed.about and self._rulebook.secrets.veils
        if viewer.sees_all or (owed.audience.everyone and veil is None and not names_card):
            return False
        return viewer.seat is None or viewer.seat not in (owed.debtor, self._seat_of(owed.creditor))

    def _seat_of(self, account: str | None) -> str | None:
        return None if account is None else self._rulebook.accounts.seat_of(self._state, account)

    def _written(self, owed: Obligation) -> ObligationView:
        names = self._names
        matter = self._rulebook.agreements.matters[owed.kind].in_language(names.language)
        label = speak(matter, owed, names.language, names.speakers)
        return ObligationView(
            kind=owed.kind,
            label=label,
            text=self._text(owed, label),
            status="laid" if owed.laid else "due" if owed.awaited else "open",
            debtor_name=_or_unset(names.seat(owed.debtor)),
            creditor_name=UNSET if owed.creditor is None else names.account(owed.creditor),
            commodity_name=UNSET if owed.commodity is None else names.commodity(owed.commodity),
            about=owed.about,
            rule=owed.rule,
            rule_title=_or_unset(names.rule(owed.rule).title),
            follows=owed.follows.in_language(names.language),
            release_name=UNSET if owed.release is None else self._release(owed, label),
            **{name: value for name in _OPTIONAL if (value := getattr(owed, name)) is not None},
        )

    def _text(self, owed: Obligation, label: str) -> str:
        """Return the whole sentence: debtor, creditor, amount, label, and the opening line."""
        text = self._clause(owed, label)
        if owed.since is not None:
            text = _SINCE.in_language(self._names.language).format(text=text, since=owed.since)
        return f"{text}."

    def brief(self, owed: Obligation) -> str:
        """Return the sentence without the opening line and the full stop: "Bob owes Ana ₦120 (rent: Nuketown)"."""
        names = self._names
        matter = self._rulebook.agreements.matters[owed.kind].in_language(names.language)
        return self._clause(owed, speak(matter, owed, names.language, names.speakers))

    def _clause(self, owed: Obligation, label: str) -> str:
        names = self._names
        to = self._seat_of(owed.creditor)
        creditor = names.seat(to) if to else owed.creditor and names.account(owed.creditor)
        if owed.amount is None:
            template = _ACT_FOR if creditor else _ACT
        elif owed.laid:
            template = _LAID_FOR if creditor else _LAID
        elif owed.debtor is None:
            template = _IS_OWED
        else:
            template = _OWES if creditor else _OWES_SOMEBODY
        text = template.in_language(names.language).format(
            debtor=names.seat(owed.debtor), creditor=creditor, amount=self._quantity(owed), label=label
        )
        return f"{text[:1].upper()}{text[1:]}"

    def _release(self, owed: Obligation, label: str) -> str:
        return _RELEASE.in_language(self._names.language).format(amount=self._quantity(owed), label=label)

    def _quantity(self, owed: Obligation) -> str:
        """Return the amount with its unit, in the words of the rulebook; empty for an act."""
        if owed.commodity is None:
            return ""
        speakers, language = self._names.speakers, self._names.language
        if "pieces" in speakers:
            return speakers["pieces"]((owed.commodity, owed.amount), language)
        if owed.commodity == self._rulebook.accounts.currency:
            return speakers["money"](owed.amount, language)
        return f"{owed.amount} × {self._names.commodity(owed.commodity)}"


def obligations_of(moment: Moment, language: str, state: State | None = None) -> tuple[ObligationView, ...]:
    """Return the obligations visible to the moment's viewer, in the moment's state or another state of the game.

    The obligations of the newest state are written once for all viewers.
    """
    if state is None or state is moment.state:
        written = all_obligations(moment, language)
    else:
        written = AllObligations(moment.rulebook, state, language)
    return written.seen_by(moment.viewer)


def all_obligations(moment: Moment, language: str) -> AllObligations:
    """Return the obligations in the state of the moment, for any viewer."""
    return moment.shared(
        ("obligations", language), lambda: AllObligations(moment.rulebook, moment.state, language)
    )


def obligation_views(
    moment: Moment,
    *,
    language: str,
    debtor: str | None = None,
    creditor: str | None = None,
    commodity: str | None = None,
    kind: str | None = None,
    status: ObligationStatus | None = None,
) -> tuple[ObligationView, ...]:
    """Return the visible obligations of the moment that pass the filters, in the order of the rulebook.

    The filters apply to the view of the viewer: to the veil, and not to the hidden commodity. `creditor` is an
    account, or a seat for all accounts of the seat.
    """
    owners = moment.rulebook.accounts
    creditors = {creditor, *(owners.accounts_of(creditor) if creditor in moment.state.seats else ())}
    return tuple(
        owed
        for owed in obligations_of(moment, language)
        if debtor in {None, owed.debtor}
        and (creditor is None or owed.creditor in creditors)
        and commodity in {None, owed.commodity}
        and kind in {None, owed.kind}
        and status in {None, owed.status}
    )


def of_account(
    moment: Moment, language: str, account: str, commodity: str | None = None
) -> tuple[tuple[ObligationView, ...], tuple[ObligationView, ...]]:
    """Return the visible obligations of an account: owed by the seat that pays from the account, and owed to the
    account. `commodity` leaves out other commodities and acts.
    """
    visible = obligation_views(moment, language=language, commodity=commodity)
    purse = moment.rulebook.accounts.purse
    return (
        tuple(owed for owed in visible if owed.debtor and purse(owed.debtor) == account),
        tuple(owed for owed in visible if owed.creditor == account),
    )


def settled_by(
    rulebook: Rulebook[Any], owed: Iterable[ObligationView], seat: str, kind: str, params: Mapping[str, Any]
) -> tuple[ObligationView, ...]:
    """Return the obligations that an action of a seat settles (`Agreements.settling`), each sentence once."""
    values = {**params, "seat": seat}
    purse = rulebook.accounts.purse

    def names(obligation: ObligationView, terms: Mapping[str, str]) -> bool:
        return all(
            getattr(obligation, field) in (values[name], purse(values[name]))
            if name in values
            else "seat" in terms
            for name, field in terms.items()
        )

    settling = rulebook.agreements.settling
    settled = {
        obligation.text: obligation
        for obligation in owed
        if (terms := settling.get(obligation.kind, {}).get(kind)) is not None and names(obligation, terms)
    }
    return tuple(settled.values())


def changed_between(
    previous: Sequence[ObligationView], corrected: Sequence[ObligationView]
) -> list[tuple[ObligationView | UnsetType, ObligationView | UnsetType]]:
    """Return the obligations that differ between two states, each with its earlier and its later view."""
    gone = (Counter(previous) - Counter(corrected)).elements()
    new = [*(Counter(corrected) - Counter(previous)).elements()]
    changed: list[tuple[ObligationView | UnsetType, ObligationView | UnsetType]] = []
    for owed in gone:
        same = next((candidate for candidate in new if _subject(candidate) == _subject(owed)), UNSET)
        if same is not UNSET:
            new.remove(same)
        changed.append((owed, same))
    return [*changed, *((UNSET, owed) for owed in new)]


def new_obligations(
    rulebook: Rulebook[Any], earlier: State, following: State, viewer: Viewer, language: str
) -> tuple[ObligationView, ...]:
    """Return the obligations of a foreseen state that differ from those of the earlier state, as foreseeable."""
    previous = Counter(AllObligations(rulebook, earlier, language).visible(viewer, foreseen=True))
    foreseen = AllObligations(rulebook, following, language)
    return tuple(
        foreseen.view(owed) for owed in (Counter(foreseen.visible(viewer, foreseen=True)) - previous).elements()
    )


def _subject(owed: ObligationView) -> tuple[object, ...]:
    return owed.kind, owed.debtor, owed.about, owed.part, owed.commodity


def _or_unset(text: str | None) -> str | UnsetType:
    return UNSET if text is None else text
