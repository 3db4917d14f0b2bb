import pytest

from ledger.kernel.facts.accounts import BANK, CONSERVATION, Holdings, Posting
from ledger.kernel.facts.refusals import Impossible
from ledger.kernel.facts.values import INT64_MAX


def holdings(**owing: str) -> Holdings:
    """Holdings in which the bank issues everything; `ana="coin"` lets ana owe coins."""
    return Holdings(lambda account, commodity: account == BANK or owing.get(account) == commodity)


def posted(*postings: Posting) -> Holdings:
    held = holdings()
    held.post_all(postings)
    return held


def test_a_posting_moves_the_amount_from_source_to_target() -> None:
    held = posted(Posting("coin", 7, BANK, "ana"), Posting("coin", 3, "ana", "bob"))
    assert (held.of("ana", "coin"), held.of("bob", "coin"), held.of(BANK, "coin")) == (4, 3, -7)
    assert held.total("coin") == 0
    assert held.account("ana") == {"coin": 4}


@pytest.mark.parametrize("amount", [0, -1, INT64_MAX + 1])
def test_an_amount_is_positive_and_fits_64_bits(amount: int) -> None:
    held = holdings()
    with pytest.raises(Impossible, match="moves nothing") as refusal:
        held.post(Posting("coin", amount, BANK, "ana"))
    assert refusal.value.rule == CONSERVATION
    assert held == holdings()


def test_the_largest_amount_may_be_moved_more_than_once() -> None:
    held = posted(Posting("coin", INT64_MAX, BANK, "ana"), Posting("coin", INT64_MAX, BANK, "ana"))
    assert held.of("ana", "coin") == 2 * INT64_MAX


def test_an_account_pays_nothing_to_itself() -> None:
    held = posted(Posting("coin", 5, BANK, "ana"))
    with pytest.raises(Impossible, match="from ana to ana"):
        held.post(Posting("coin", 1, "ana", "ana"))
    assert held.of("ana", "coin") == 5


def test_nobody_gives_what_they_do_not_hold() -> None:
    held = posted(Posting("coin", 5, BANK, "ana"))
    with pytest.raises(Impossible, match="ana does not hold 6 × coin"):
        held.post(Posting("coin", 6, "ana", "bob"))
    with pytest.raises(Impossible, match="ana does not hold 1 × bean"):
        held.post(Posting("bean", 1, "ana", "bob"))
    assert held.as_dict() == {BANK: {"coin": -5}, "ana": {"coin": 5}}


def test_who_may_owe_a_commodity_owes_that_one_only() -> None:
    held = holdings(ana="coin")
    held.post(Posting("coin", 6, "ana", "bob"))
    assert held.of("ana", "coin") == -6
    with pytest.raises(Impossible):
        held.post(Posting("bean", 1, "ana", "bob"))


def test_an_emptied_account_leaves_no_trace() -> None:
    held = posted(Posting("coin", 5, BANK, "escrow:1"), Posting("coin", 5, "escrow:1", "ana"))
    assert dict(held.items()) == {BANK: {"coin": -5}, "ana": {"coin": 5}}


def test_a_debt_that_is_paid_leaves_no_trace() -> None:
    held = posted(
        Posting("coin", 5, BANK, "ana"), Posting("bean", 2, BANK, "bob"), Posting("coin", 5, "ana", BANK)
    )
    assert held.as_dict() == {BANK: {"bean": -2}, "bob": {"bean": 2}}


def test_an_account_without_holdings_is_empty() -> None:
    assert holdings().of("ana", "coin") == 0
    assert holdings().account("ana") == {}


def test_the_holder_of_a_piece_is_found_whatever_the_order_of_the_accounts() -> None:
    earlier = posted(Posting("coin", 1, BANK, "bob"), Posting("coin", 1, BANK, "ana"))
    later = posted(Posting("coin", 1, BANK, "ana"), Posting("coin", 1, BANK, "bob"))
    assert earlier.holder("coin") == later.holder("coin") == "ana"
    assert earlier.holder("bean") is None


def test_postings_are_made_all_or_none() -> None:
    """The third posting is impossible, so the two equal ones before it are undone."""
    held = posted(Posting("coin", 5, BANK, "ana"))
    before = held.as_dict()
    payment = Posting("coin", 2, "ana", "bob")
    with pytest.raises(Impossible, match="ana does not hold 2 × coin"):
        held.post_all((payment, payment, payment))
    assert held.as_dict() == before


def test_a_copy_goes_its_own_way() -> None:
    held = posted(Posting("coin", 5, BANK, "ana"))
    copied = held.copy()
    copied.post(Posting("coin", 2, "ana", "bob"))
    assert held.as_dict() == {BANK: {"coin": -5}, "ana": {"coin": 5}}
    assert copied.of("bob", "coin") == 2
    assert held != copied
    with pytest.raises(Impossible):
        copied.post(Posting("coin", 9, "bob", "ana"))


def test_holdings_made_from_plain_data_do_not_share_it() -> None:
    plain = {"ana": {"coin": 5}}
    held = Holdings(lambda *_: True, plain)
    held.post(Posting("coin", 1, "ana", "bob"))
    assert plain == {"ana": {"coin": 5}}
