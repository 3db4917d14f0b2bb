"""Random postings make and lose nothing, and only accounts that may be negative are.

The bank issues everything except titles, which come from the box. Players may owe only money.
"""

from hypothesis import given
from hypothesis import strategies as st

from ledger.kernel.facts.accounts import BANK, BOX, Holdings, Posting
from ledger.kernel.facts.refusals import Impossible
from ledger.kernel.facts.values import INT64_MAX
from ledger.rulebooks.negopoly import RULEBOOK
from tests.harness.unhurried import UNHURRIED

ACCOUNTS = (BANK, BOX, "player:ana", "player:bob", "escrow:bounty:3", "used", "property:negotown")
COMMODITIES = ("NGD", "dose", "title:negotown")

amounts = st.one_of(st.integers(-2, 12), st.sampled_from([INT64_MAX - 1, INT64_MAX, INT64_MAX + 1]))
postings = st.builds(
    Posting, st.sampled_from(COMMODITIES), amounts, st.sampled_from(ACCOUNTS), st.sampled_from(ACCOUNTS)
)


def assert_sound(holdings: Holdings) -> None:
    for commodity in COMMODITIES:
        assert holdings.total(commodity) == 0
    for account, held in holdings.items():
        assert held
        for commodity, amount in held.items():
            assert amount != 0
            assert amount > 0 or RULEBOOK.accounts.may_owe(account, commodity), (account, commodity, amount)


def post(holdings: Holdings, posting: Posting) -> bool:
    """Make the posting, or check that a refused one changes nothing. Returns whether it was made."""
    before = holdings.as_dict()
    try:
        holdings.post(posting)
    except Impossible:
        assert holdings.as_dict() == before
        return False
    return True


@UNHURRIED
@given(st.lists(postings, max_size=40))
def test_sums_are_zero_and_only_who_may_owe_is_below_zero(moves: list[Posting]) -> None:
    holdings = Holdings(RULEBOOK.accounts.may_owe)
    for posting in moves:
        post(holdings, posting)
        assert_sound(holdings)


@UNHURRIED
@given(st.lists(postings, max_size=30))
def test_a_posting_is_refused_exactly_when_it_moves_nothing_or_what_is_not_there(moves: list[Posting]) -> None:
    holdings = Holdings(RULEBOOK.accounts.may_owe)
    for posting in moves:
        left = holdings.of(posting.source, posting.commodity) - posting.amount
        there = left >= 0 or RULEBOOK.accounts.may_owe(posting.source, posting.commodity)
        possible = 1 <= posting.amount <= INT64_MAX and posting.source != posting.target and there
        gained = holdings.of(posting.target, posting.commodity) + posting.amount
        assert post(holdings, posting) is possible
        if possible:
            assert holdings.of(posting.source, posting.commodity) == left
            assert holdings.of(posting.target, posting.commodity) == gained


@UNHURRIED
@given(st.lists(postings, max_size=20), st.lists(postings, max_size=6))
def test_the_postings_of_one_event_are_made_all_or_none(earlier: list[Posting], event: list[Posting]) -> None:
    holdings = Holdings(RULEBOOK.accounts.may_owe)
    for posting in earlier:
        post(holdings, posting)
    one_by_one = holdings.copy()
    before = holdings.as_dict()
    possible = all(post(one_by_one, posting) for posting in event)
    try:
        holdings.post_all(event)
    except Impossible:
        assert not possible
        assert holdings.as_dict() == before
    else:
        assert possible
        assert holdings == one_by_one
    assert_sound(holdings)


@UNHURRIED
@given(st.lists(postings, max_size=30))
def test_holdings_are_the_sum_of_the_postings_in_any_order_of_accounts(moves: list[Posting]) -> None:
    holdings = Holdings(RULEBOOK.accounts.may_owe)
    made = [posting for posting in moves if post(holdings, posting)]
    for account in ACCOUNTS:
        for commodity in COMMODITIES:
            gained = sum(one.amount for one in made if (one.target, one.commodity) == (account, commodity))
            spent = sum(one.amount for one in made if (one.source, one.commodity) == (account, commodity))
            assert holdings.of(account, commodity) == gained - spent


@UNHURRIED
@given(st.lists(postings, max_size=30), st.lists(st.tuples(st.integers(0, 2), postings), max_size=15))
def test_a_copy_and_its_original_do_not_touch_each_other(
    first: list[Posting], then: list[tuple[int, Posting]]
) -> None:
    """Three copies that share data hold the same as three that share nothing."""
    holdings = Holdings(RULEBOOK.accounts.may_owe)
    for posting in first:
        post(holdings, posting)
    alone = [Holdings(RULEBOOK.accounts.may_owe, holdings.as_dict()) for _ in range(3)]
    copied = holdings.copy()
    three = [holdings, copied, copied.copy()]
    for which, posting in then:
        assert post(three[which], posting) == post(alone[which], posting)
        assert three == alone
    assert_sound(copied)


@UNHURRIED
@given(st.lists(postings, max_size=30))
def test_a_snapshot_gives_the_same_holdings(moves: list[Posting]) -> None:
    state = RULEBOOK.blank()
    for posting in moves:
        post(state.holdings, posting)
    frozen = RULEBOOK.codec.to_snapshot(state)
    thawed = RULEBOOK.codec.from_snapshot(frozen)
    assert thawed.holdings == state.holdings
    assert RULEBOOK.codec.to_snapshot(thawed) == frozen
