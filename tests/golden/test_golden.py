"""A stored game must fold to the same state for ever."""

from __future__ import annotations

import hashlib
from itertools import takewhile
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from ledger.kernel.journal.entry import Entry
from ledger.kernel.journal.timeline import Timeline
from ledger.kernel.rules.rulebook import Rulebook
from ledger.trust.deciding import compare_decision
from ledger.trust.refolding import Refold
from tests.golden import (
    DECIDED_OTHERWISE,
    FOLDER,
    RULEBOOKS,
    entries_of,
    fold,
    journal_of,
    plain,
    rulebook_of,
    state_of,
)
from tests.golden.__main__ import main

PINNED: dict[str, tuple[str, str]] = {
    "monopoly_naruto_v1": (
        "e7c2d5f6171494e845fe87f2281ed2ec2680aebf299e69916d566c4ae5b1b2ae",
        "a48f67a376813c5306f9c4e812e6602d49d2f37501cb65b29a7e0555007f37a2",
    ),
    "monopoly_naruto_v2": (
        "c10c5c1c934490f7a41d90695d7c618802a4db802dcf4f8665f054a72ca6720b",
        "9704c14fec333f4702ea9fd98d639eab16aa9f3b731a37e3a95d092025e5e5f0",
    ),
    "monopoly_naruto_v3": (
        "22fc31098d65162c9702d556d1a004cde090eb4614cb2ea50c0fc47e3fe2519a",
        "d5cec656c2073656c8d2fb7bb8394cfc9d9a227825c2ce35635bc0889238acdc",
    ),
    "monopoly_v1": (
        "77f36df3a2a72ee49f7c1d21f1389192a27dddf3227cb4aa87a46590732c22ce",
        "ecc1e74c77ea33329ff8716bc68e638b7c7db0ba175eff3d58b9d715b775f6a2",
    ),
    "monopoly_v2": (
        "bf4b1c624e7994a08b2cc373c09af9064095380bd6ddd4977641b4fa43f5ab7b",
        "33efdc5e0234a0521b27d7dafa3e3e0588566df13613845674712ac9629dc6b7",
    ),
    "monopolys_v1": (
        "9ea367a78b48f078554e160f97ebb2cd716f70fd0503f6e83cadd958c4caff6b",
        "57714e21965304dc3ed66b967db423bf8fdda95b19bf1e50acbbe2a27c712ea4",
    ),
    "monopolys_v2": (
        "1663f2043afda90d11383d9461fca28230f6c71010ae093926025154fc8a28c8",
        "b2cf6be088ba44269a03718a9a47797ad568f448b930ac699e3ca64ae85902ac",
    ),
    "monopolys_v3": (
        "ede5a73b46bd11707b7852a6475ed89115cdb92be96bf24947d42f7559f1e8ff",
        "84a8260d601014cecc57a39d9240a11e867d070a493473e9db217ac8d10822be",
    ),
    "monopolys_v4": (
        "040abacad3a20481cc4408d0379bc48122d968cc84927689f58e57c3e6644405",
        "5cde3ad2b245046c968ff63f827587a862652444534220f527edae3e44d42238",
    ),
    "negoces2_v1": (
        "82070b65fe3fdd9fce454caa5810537da7fb1883e753710667fc604c8690c568",
        "3033d8deae985758c75a5aee434ee154b04c8c7660de2d21422023642739618b",
    ),
    "negoces2_v2": (
        "454e5384a9acd16e281f7a2b3e2c3fff2f44d876b875ccfdff9dc1ce6f0f4cb4",
        "d9760ea11893b0a6d7f1a259007051bda3f741243860a3834fd14bb9a178a785",
    ),
    "negoces2_v3": (
        "fec9d53e5ebd51be304ba0229d3143aed2f0d6312636ee7064870ab82a15d93d",
        "05630a2cc5d19e7bad825960d7efb0c770dd47b92beb271effe5f7fd79cad7e5",
    ),
    "negoces2_v4": (
        "9ab9fdbc66811988eff184c1f393839bef723a3032ee65a38d794ec2d4bd3fb1",
        "efdb4d6cdc5fa4840bbcd481915e74ba44734b10d76b526f7f74fe9c278942ff",
    ),
    "negopoly_v1": (
        "7f4497eb2e1993ac51ff025d155155c4fe32db7099c4b1773d22ae1e6d00ec11",
        "50d1fff9df0932910183e95a8a21161d12d0e600815851d075edaa67f3986c14",
    ),
    "negopoly_v2": (
        "15a19369df4c6186352b2986f2bbeeb55a3823de18c90b439cbefed15b31743f",
        "bc6daa76b56961d7f54d47e57ad590dce7b8c18303362d142047211872ef9183",
    ),
    "negopoly_v3": (
        "c3e815219977629825c6244425cc2f8bf30c6d883d41fcba97ca9ed25c6fe18e",
        "2e38c196ebddabc36936c2403cbf2f8ef1e46f715bef2e7a8402b6792628ecff",
    ),
    "negopoly_v4": (
        "ff6f0f9bf45bc65a7883e46ef5531b675ee5641464d5044780886e87c1cb9896",
        "6c5c346fd9ffee5ff0886ec0e1f6f23444b7eb6978b1d959a71e5b9973114ffe",
    ),
    "negopoly_v5": (
        "7b5022aaef529d34c06ca1938cf155d7d82930da5f37dfc4cfa815a6866ebb9a",
        "3fcf490b031a2f7fc7f5a99ed1c540e7e438639c822113dfe103d5cd746c592e",
    ),
    "negopoly_v6": (
        "21f9af8fbd85bb82fe40eb432c66300d2c7b0f8bcfacb76d53a042c0135cb33b",
        "1b2251a3887fed9115938ec9b091a34acaf67e82241a580cbe0740923ee62b01",
    ),
    "negopoly_v7": (
        "1ea1855da2d45cd7e01c01c6a9ecf4ace576a2409d909278649e3b5d2062ac56",
        "e80d2e0647382ecf6112878961c725f4ae4d6861925d464715bb84bc4d78a0a1",
    ),
    "negopoly_v8": (
        "1b1b85c1cc19aa1c7e3d348a8ea457b0e03d34daa9ea0c700e0bfe7e87501d30",
        "266c63754e9c587c52213284596faff03bee9c62528cb4fc5f6772a1eacaa8da",
    ),
    "negopoly_v9": (
        "0ca6493e621b60ae8d64f3b750df6654701649373f7b14a0ee50b094640d820a",
        "77b2d9e6564d5f21332a6a72c8c9831492abb4b89a0f08dee0126dffe5e8e78d",
    ),
    "negopoly_v10": (
        "b799a7f662765956dd37a0743f65e08a6a9a9bc9e2ffa016a44cad44e5c98870",
        "a9d11f3e287b051779837e6838bcdad090c69653c285bb02180b3fda4130cb69",
    ),
    "negopoly_v11": (
        "f142d90dce4640da8a655fb046aaf01eb44cad72d73652d12ab76c0a8c93b33a",
        "9eb641840e2d494d44cdde4250a29281b309e5bc2a2c7ad3eea8ac3f101dc14b",
    ),
    "negopoly_v12": (
        "fd213440df3903e80bf1f702b6c792cd98cf2aeb5081f5eb3f9c4a38bdac9cb5",
        "e33814b001ce64fa95f05822d90b6086843c491aa4e97766e0bccb08558db50b",
    ),
    "negopoly_v13": (
        "c222fe90ec38b6dd74ce2db3e2c44c9f004aee44eb52fe8388e667e3e2089ab3",
        "8eaf2860a770b87a18a3a698bc1be0fa7064a0dd60503c0412b09e1c2f9a6608",
    ),
    "negopoly_v14": (
        "e1b39315538bef17f1f62f619519d0706cae0929aeb18fae0bfc9c8092120e6b",
        "4df26e595e987427d040d12aa51ad216a520adfce94aafee342dce88f2603ea1",
    ),
    "virtual_revolution_v1": (
        "b3052f878c45291ff78aff22bedff528a08df69d89fcf58e6d69b970fe5a7d41",
        "1fc4f46318567600aa8c728721b7e30fdf64471c688766ceac7f4bea063ad6e0",
    ),
    "virtual_revolution_v2": (
        "3d5b0294c7bbebe3e2fc01409ed282f7284d2dab126a497d6bb06f5f95bb4b58",
        "261cf6534d6cb1a3c1cb7bbef9e2f6e28fcaf604c2b0ced1ca8ec4f185adc8cf",
    ),
    "virtual_revolution_v3": (
        "51e9eb34f44bed1ea5f5c4e1d3d9e6369b3f339c0fc0f9b1414b557a18cc2ce1",
        "99ecee2e7fd744bfadf1779cf8a2d16bb1fdaee755cd3a55a78872cd32a1c400",
    ),
    "virtual_revolution_v4": (
        "9a1a426bb78baccc2e2786ddd7ca33705e8147db3c1316ea22fbeadb8a0c5469",
        "5cec1607ca3f9bbd5e08971949dd94e86bb0713b9c33a4d8e109be3fd02174b9",
    ),
    "virtual_revolution_v5": (
        "678a740c983f5f2a084ae0f0a18685a46087c190b75e680ed8429403bf07edac",
        "43e02eb2478a5df89f338d40943a377056cd6daefd53d77e7fc4d54354edafcd",
    ),
    "virtual_revolution_v6": (
        "dae9266f7237940f23abe0bf76d672e7d96b76325b373ec3bbe78b13e100a6a2",
        "63c63773c90995f9854fda20bd3e8b5861786425d1b705c8e3419f2105475bc0",
    ),
    "virtual_revolution_v7": (
        "a6d43a91aed96a041e30273233edce2117dfa40e6136b155eb569feac958ba1d",
        "a006d1a38742cd8f24318dafb3352b4735846e96851b5f69fc14b84e26997e6d",
    ),
    "virtual_revolution_v8": (
        "35a024d62b9e60c326ab93ea6be16b8637e8e3526c1eea2b8bb8b26fdffbea21",
        "e4d9fecfee32582805da7b52d5989b67cea7167bc4e660d709918d3e1f29ab13",
    ),
    "virtual_revolution_v9": (
        "d4a3e8c5316dde009265b0e5d9f052279600d61d53bd5d478320e6edb2e0a83a",
        "90b25a893785536d3327342fdb1ad8e65ca51f82ebc2786a3261efea9b161d93",
    ),
}
"""Each golden game with the SHA-256 of its two files, so that nobody mends the past instead of the code."""

UNREACHABLE = {"no_card_left"}
"""No board is taken whose players can empty a deck."""
NOT_KEPT = {
    *("answers_waived", "corruption_missed", "pieces_replaced", "played_first", "server_moved", "turn_forgone"),
}
"""Kinds of Virtual Revolution that no golden journal has yet: rare cards, rulings and corrected histories."""

_RECORDS = {
    "auction",
    "debts",
    "held",
    "landing",
    "lots",
    "received",
    "rents",
    "turn",
    "open",
    "past",
    "statements",
    "seats",
    "sale",
    "offers",
    "claims",
    "unread",
    "disruptions",
    "strikes",
    "questions",
    "raid",
    "attack",
    "changed",
    "changes",
    "chosen",
    "scores",
    "demands",
}
"""What holds whole structs: they may gain fields later, but keep what they had."""
_KEYED = {"open", "past", "seats", "offers", "claims"}
"""And of these, what holds so many of them as there were."""


def contains(now: Any, then: Any) -> bool:
    """Whether the state still has every old field. Structs may have gained fields since."""
    if isinstance(then, dict) and isinstance(now, dict):
        return then.keys() <= now.keys() and all(contains(now[name], then[name]) for name in then)
    if isinstance(then, list) and isinstance(now, list):
        return len(now) == len(then) and all(map(contains, now, then))
    return bool(now == then)


def as_stored(state: dict[str, Any]) -> dict[str, Any]:
    """Plain data after a round trip through JSON."""
    decoded: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(state))
    return decoded


@pytest.fixture(params=sorted(PINNED))
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_every_golden_journal_is_pinned() -> None:
    assert {path.stem for path in FOLDER.glob("*.jsonl")} == set(PINNED)


@pytest.mark.parametrize("rulebook", RULEBOOKS.values(), ids=RULEBOOKS)
def test_every_kind_of_event_is_kept(rulebook: Rulebook[Any]) -> None:
    """Every kind of event in its current shape is in a golden journal, so that it can always be read.

    The editions of one engine have the same events.
    """
    recorded = [
        msgspec.json.decode(event)
        for name in PINNED
        if rulebook_of(name).engine == rulebook.engine
        for entry in entries_of(name)
        for event in entry.events
    ]
    inserted = [one["action"] for event in recorded for one in event.get("insertions", ())]
    kept = {event["kind"] for event in (*recorded, *(one for new in inserted for one in new["events"]))}
    assert set(rulebook.events) - kept - UNREACHABLE - NOT_KEPT == set()


def test_the_stored_bytes_are_untouched(name: str) -> None:
    kept = tuple(hashlib.sha256(path.read_bytes()).hexdigest() for path in (journal_of(name), state_of(name)))
    assert kept == PINNED[name]


def test_the_end_reveals_what_it_did_then(name: str) -> None:
    """Games of before there was a choice were played by an end that reveals everything: they keep it."""
    entries = entries_of(name)
    laid_out = msgspec.json.decode(entries[0].events[0])
    chosen = laid_out["settings"].get("reveal_at_end", True)
    state = fold(rulebook_of(name), entries)
    assert (state.reveals_at_end, state.settings.reveal_at_end) == (chosen, chosen)


def test_it_folds_to_the_state_of_its_day(name: str) -> None:
    now = as_stored(plain(fold(rulebook_of(name), entries_of(name))))
    then = msgspec.json.decode(state_of(name).read_bytes())
    assert then.keys() <= now.keys()
    for part, kept in then.items():
        if part in _RECORDS:
            assert contains(now[part], kept), part
            assert part not in _KEYED or len(now[part]) == len(kept)
        else:
            assert now[part] == kept, part


def test_folding_it_in_one_batch_comes_to_the_same(name: str) -> None:
    """Up to the first correction: after it, not all stored events count."""
    rulebook = rulebook_of(name)
    entries = list(takewhile(lambda entry: not _corrects(rulebook, entry), entries_of(name)))
    state = rulebook.blank()
    for facts in rulebook.codec.read_events(journal_of(name).read_bytes().splitlines()[: len(entries)]):
        state.fold(facts.events)
    state.version = entries[-1].number
    assert rulebook.codec.to_snapshot(state) == rulebook.codec.to_snapshot(fold(rulebook, entries))


def test_it_is_decided_as_it_was(name: str) -> None:
    """Every decision comes out the same today, apart from a few that are known."""
    entries, rulebook = entries_of(name), rulebook_of(name)
    refold = Refold(rulebook, lambda first, last: entries[first - 1 : last])
    otherwise: dict[int, str] = {}
    for entry in entries:
        events = tuple(map(rulebook.codec.event, entry.events))
        found = compare_decision(rulebook, refold.state, entry, events, refold, entries[entry.number :])
        if found is not None:
            otherwise[entry.number] = found.description
        refold.take(entry.number, entry.recorded_at, entry.first_seq + len(events) - 1, events)
    known = DECIDED_OTHERWISE.get(name, {})
    assert otherwise.keys() == known.keys(), otherwise
    assert all(known[number] in found for number, found in otherwise.items())
    assert rulebook.codec.to_snapshot(refold.state) == rulebook.codec.to_snapshot(
        replace(fold(rulebook, entries), last_at=refold.state.last_at, corrections=refold.state.corrections)
    )


def test_every_entry_stands_in_its_timeline(name: str) -> None:
    """The numbers have no gap; and all actions count, unless a correction is among them."""
    entries, rulebook = entries_of(name), rulebook_of(name)
    standings = list(Timeline(entries, rulebook.codec.event).entries())
    written = [standing.entry.number for standing in standings if not standing.insert]
    assert sorted(written) == [entry.number for entry in entries] == list(range(1, len(entries) + 1))
    corrected = any(_corrects(rulebook, entry) for entry in entries)
    assert corrected or all(standing.counts for standing in standings)


def _corrects(rulebook: Rulebook[Any], entry: Entry) -> bool:
    events = [rulebook.codec.event(stored) for stored in entry.events]
    return any(event.amends() or event.inserts() for event in events)


def test_one_event_left_out_is_noticed(name: str) -> None:
    """The comparison finds a difference: without the last posting the state is another one."""
    entries, rulebook = entries_of(name), rulebook_of(name)
    events = [
        event
        for standing in Timeline(entries, rulebook.codec.event).effective(len(entries))
        for event in standing.events
    ]
    del events[max(place for place, event in enumerate(events) if event.postings)]
    state = rulebook.blank()
    state.fold(events)
    then = msgspec.json.decode(state_of(name).read_bytes())
    assert as_stored(plain(state))["holdings"] != then["holdings"]


def test_an_existing_version_is_never_overwritten(name: str) -> None:
    before = journal_of(name).read_bytes(), state_of(name).read_bytes()
    with pytest.raises(FileExistsError, match="for ever"):
        main(name)
    assert (journal_of(name).read_bytes(), state_of(name).read_bytes()) == before
