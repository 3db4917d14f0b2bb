"""The register, the prices and the board of Negopoly, compared with their document.

The tables below are copied from the document by hand. The files must agree with them, so they are never loaded
from the files.
"""

import re
import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

FOLDER = Path(__file__).parents[3] / "ledger" / "rulebooks" / "negopoly"

NAMES_WITH_DIGITS = re.compile(r"RPG-7|C4|K9|AR15|Glock 26|Satan2|sans-plomb 75")
ARTICLE = re.compile(r"\b[IVX]+\.[A-F]\b")
THOUSANDS = re.compile(r"(?<=\d)[\u00a0\u202f](?=\d{3})")
NUMBER = re.compile(r"\d+(?:[.,]\d+)?")
# Articles of the document, with the chapters that say something before their first article.
ARTICLES = (
    "P I I.A.1 I.A.2 I.B I.C II II.A II.B II.C II.D II.E III III.A III.B III.C IV IV.A IV.B IV.C "
    "V.A V.B V.C V.D V.E VI.A VI.B VI.C VI.D VI.E VI.F VII VII.A VII.B VII.C VIII VIII.A VIII.B VIII.C VIII.D "
    "IX.A IX.B IX.C IX.D X X.A X.B X.C"
)

TITLES = """
Négotown               |  60 |  50 |  2 |  10 |  30 |   90 |  160 |  250 |  30 | marron
Black Arretxea         |  60 |  50 |  4 |  20 |  60 |  180 |  320 |  450 |  30 | marron
17 rue des patates     | 100 |  50 |  6 |  30 |  90 |  270 |  400 |  550 |  50 | cyan
69 rue des patates     | 100 |  50 |  6 |  30 |  90 |  270 |  400 |  550 |  50 | cyan
420 rue des patates    | 120 |  50 |  8 |  40 | 100 |  300 |  450 |  600 |  60 | cyan
Nuketown               | 140 | 100 | 10 |  50 | 150 |  450 |  625 |  750 |  70 | rose
Hijacked               | 140 | 100 | 10 |  50 | 150 |  450 |  625 |  750 |  70 | rose
Bassland               | 160 | 100 | 12 |  60 | 180 |  500 |  700 |  900 |  80 | rose
Numera Fight Club      | 180 | 100 | 14 |  70 | 200 |  550 |  750 |  950 |  90 | vert
Snoopy's ID            | 180 | 100 | 14 |  70 | 200 |  550 |  750 |  950 |  90 | vert
Jahland Dispensory     | 200 | 100 | 16 |  80 | 220 |  600 |  800 | 1000 | 100 | vert
Pink Hoodie Studio     | 220 | 150 | 18 |  90 | 250 |  700 |  875 | 1050 | 110 | rouge
MP7 Studio             | 220 | 150 | 18 |  90 | 250 |  700 |  875 | 1050 | 110 | rouge
PCT Studio             | 240 | 150 | 20 | 100 | 300 |  750 |  925 | 1100 | 120 | rouge
l'Elysée               | 260 | 150 | 22 | 110 | 330 |  800 |  975 | 1150 | 130 | jaune
Bar Freak Show         | 260 | 150 | 22 | 110 | 330 |  800 |  975 | 1150 | 130 | jaune
Garage de Benoir       | 280 | 150 | 24 | 120 | 360 |  850 | 1025 | 1200 | 140 | jaune
Rue vendredi des noirs | 300 | 200 | 26 | 130 | 390 |  900 | 1100 | 1275 | 150 | orange
Domaine de M. P        | 300 | 200 | 26 | 130 | 390 |  900 | 1100 | 1275 | 150 | orange
Villa du RJ            | 320 | 200 | 28 | 150 | 450 | 1000 | 1200 | 1400 | 160 | orange
Négoplaza              | 350 | 200 | 35 | 175 | 500 | 1100 | 1300 | 1500 | 175 | bleu_fonce
LBTRD Tower            | 400 | 200 | 50 | 200 | 600 | 1400 | 1700 | 2000 | 200 | bleu_fonce
"""

# id: list price in ₦, copies in stock (None = unlimited)
SOLD = {
    "dose": (50, None),
    "licence": (70, None),
    "kamtar_card": (70, None),
    "ordonnance": (140, None),
    "prison_racket": (100, None),
    "k9_bribe": (170, None),
    "trottinette": (150, 2),
    "exosquelette": (150, 2),
    "automobile": (250, 2),
    "helicoptere": (400, 2),
    "tank": (450, 2),
    "avion_de_chasse": (600, 2),
    "teleporteur": (800, 2),
    "rpg7": (150, None),
    "c4": (40, None),
    "glock26": (200, 2),
    "ar15": (400, 2),
    "mortier": (400, 2),
    "bombe_iem": (400, 2),
    "artillerie": (600, 2),
    "rods_from_gods": (1500, 2),
    "satan2": (5000, 2),
    "la_peste": (7000, 2),
    "hack": (150, None),
    "kidnapping": (70, None),
    "security_team": (200, None),
    "express_delivery": (50, None),
    "meeting_minute": (20, None),
    "contract_round": (30, None),
}

PRICED_BY_THE_TITLE = {
    "attack": "3 x mortgage value of the target",
    "defence": "mortgage value of the title",
    "squat": "half the mortgage value of the target, rounded up",
    "house": "house_cost of the title",
    "unmortgage": "mortgage value of the title (default)",
    "forced_buyback": "2 x purchase price of the title",
}

# rule: the numbers that the document gives for it
STATED = {
    "II.A.1": "1500",
    "II.A.3": "1",
    "II.A.5": "3",
    "II.A.6": "150",
    "II.B.13": "5",
    "III.B.3": "1",
    "III.B.4": "2 3 4",
    "III.B.5": "5 6",
    "IV.B.2": "20 5",
    "V.A.1": "22 5",
    "V.C.3": "5",
    "V.E.4": "150",
    "V.E.5": "40",
    "V.E.7": "50",
    "VI.A.1": "250",
    "VI.A.2": "10",
    "VI.A.4": "70",
    "VI.B.1": "70",
    "VI.C.3": "140",
    "VI.D.3": "100",
    "VI.D.4": "150",
    "VI.E.2": "170",
    "VII.A.2": "50",
    "VII.A.3": "70",
    "VII.B.3": "1 2 3 4 100",
    "VII.B.4": "1 2 3 150",
    "VII.B.5": "1 2 3 250",
    "VIII.A.3": "25",
    "VIII.B.1": "1 2 3 5 6",
    "VIII.B.2": "1 2 3 5 6",
    "VIII.B.4": "1 2 3",
    "VIII.B.5": "2 3",
    "VIII.B.8": "1 6",
    "VIII.D.5": "50",
    "IX.B.11": "150",
    "IX.B.13": "70",
    "IX.B.14": "200",
    "IX.C.1": "0 1 2 3 4 5 6",
    "IX.C.4": "25",
    "IX.C.5": "150",
    "IX.C.8": "1 4 5 6",
    "IX.C.10": "40 80 120",
    "IX.C.18": "300",
    "IX.C.19": "4 6 1 3",
    "IX.C.20": "300",
    "X.A.3": "30",
    "X.C.2": "500",
}


def read(name: str) -> dict[str, Any]:
    return tomllib.loads((FOLDER / name).read_text(encoding="utf-8"))


ENGLISH: list[dict[str, Any]] = read("rules.toml")["rule"]
FRENCH: list[dict[str, Any]] = [{"id": entry["id"], "decision": "", **entry["fr"]} for entry in ENGLISH]
PRICES = read("table/prices.toml")
WEAPONS: list[dict[str, Any]] = read("arsenal/actions.toml")["weapon"]
ITEMS: list[dict[str, Any]] = [*PRICES["item"], *WEAPONS, *PRICES["service"]]
SQUARES: list[dict[str, Any]] = read("board/board.toml")["square"]
PAIRS = [pytest.param(en, fr, id=en["id"]) for en, fr in zip(ENGLISH, FRENCH, strict=True)]


def numbers(text: str) -> Counter[str]:
    """Count the numbers of a sentence, written alike in both languages: 1 407 is 1407 and 1,25 is 1.25."""
    without_names = NAMES_WITH_DIGITS.sub(" ", text)
    joined = THOUSANDS.sub("", without_names)
    return Counter(found.replace(",", ".") for found in NUMBER.findall(joined))


def rule(number: str) -> dict[str, Any]:
    return next(entry for entry in ENGLISH if entry["id"] == number)


def raised(price: int) -> int:
    """The price of a last copy: 25 % more, rounded up once."""
    return -(-price * 125 // 100)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Rods 1\u00a0407 ; RPG-7 113", ["1407", "113"]),
        ("base x 1,25 x 0,75", ["1.25", "0.75"]),
        ("40, 80, 120...", ["40", "80", "120"]),
        ("prix 300, coût 200 du C4", ["300", "200"]),
        ("noirs300 200", ["300", "200"]),
    ],
)
def test_numbers_are_read_alike_in_both_languages(text: str, expected: list[str]) -> None:
    assert numbers(text) == Counter(expected)


def test_the_rules_follow_the_articles_of_the_document_without_a_gap() -> None:
    articles: dict[str, list[int]] = {}
    for entry in ENGLISH:
        article, _, place = entry["id"].rpartition(".")
        articles.setdefault(article, []).append(int(place))
    assert " ".join(articles) == ARTICLES
    for article, places in articles.items():
        assert places == list(range(1, len(places) + 1)), article


def test_every_rule_has_the_fields_of_the_register() -> None:
    for entry in ENGLISH:
        fields = [field for field in entry if field not in {"rests_on", "retired"}]
        assert fields == ["id", "title", "requires", "category", "actions", "decision", "fr"], entry["id"]
        assert entry.get("rests_on") != [], f"{entry['id']} rests on nothing: leave it out"
        assert entry["title"], entry["id"]
        assert entry["requires"].endswith((".", "...")), entry["id"]
        assert re.fullmatch(r"[a-z]+", entry["category"]), entry["id"]
        assert all(re.fullmatch(r"[a-z0-9_]+", kind) for kind in entry["actions"]), entry["id"]
        assert list(entry["fr"]) == ["title", "requires", *(["decision"] if entry["decision"] else [])], entry[
            "id"
        ]


@pytest.mark.parametrize(("en", "fr"), PAIRS)
def test_a_rule_says_the_same_in_both_languages(en: dict[str, Any], fr: dict[str, Any]) -> None:
    for field in ("title", "requires", "decision"):
        assert numbers(fr[field]) == numbers(en[field]), field
        assert set(ARTICLE.findall(fr[field])) == set(ARTICLE.findall(en[field])), field
        assert set(NAMES_WITH_DIGITS.findall(fr[field])) == set(NAMES_WITH_DIGITS.findall(en[field])), field
        assert bool(fr[field]) == bool(en[field]), field
    assert fr["requires"] != en["requires"]


def test_french_punctuation_never_starts_a_line() -> None:
    for entry in FRENCH:
        for field in ("title", "requires", "decision"):
            assert re.search(r" [:;?!%»₦]|« ", entry[field]) is None, entry["id"]


@pytest.mark.parametrize(("number", "stated"), STATED.items())
def test_a_rule_gives_the_numbers_of_the_document(number: str, stated: str) -> None:
    found = numbers(rule(number)["requires"])
    assert set(stated.split()) <= set(found)


def test_the_game_enders_are_named_with_their_prices() -> None:
    assert numbers(rule("IX.D.2")["title"]) == Counter(["5000"])
    assert numbers(rule("IX.D.3")["title"]) == Counter(["7000"])
    assert rule("IX.D.3")["title"].startswith("La Peste (")


def test_gaps_and_contradictions_name_articles_of_the_register() -> None:
    register = read("rules.toml")
    articles = {entry["id"].rpartition(".")[0] for entry in ENGLISH}
    gaps = register["gap"]
    assert len(gaps) == 35
    assert len({gap["id"] for gap in gaps}) == 35
    for gap in gaps:
        assert gap["article"] in articles, gap["id"]
        assert gap["missing"]
        assert gap["default"]
    contradictions = register["contradiction"]
    assert len(contradictions) == 18
    for contradiction in contradictions:
        assert contradiction["text"]
        assert set(re.split(r" / |, ", contradiction["articles"])) <= articles


def test_the_register_names_the_game_and_its_currency() -> None:
    assert read("rules.toml")["meta"] == {
        "title": "Negopoly",
        "document": "Règlement Negopoly, Crédit Mabligop",
        "currency": "₦",
    }


@pytest.mark.rule("V.A.1")
def test_the_22_titles_are_those_of_the_document() -> None:
    expected = []
    for line in TITLES.strip().splitlines():
        name, price, house_cost, *rents, mortgage, quarter = (cell.strip() for cell in line.split("|"))
        expected.append(
            {
                "name": name,
                "quarter": quarter,
                "price": int(price),
                "house_cost": int(house_cost),
                "rents": [int(rent) for rent in rents],
                "mortgage": int(mortgage),
            }
        )
    assert len(expected) == 22
    found = [{key: value for key, value in row.items() if key != "id"} for row in PRICES["property"]]
    assert found == expected
    assert len({row["id"] for row in PRICES["property"]}) == 22


def test_the_items_have_the_prices_and_stocks_of_the_document() -> None:
    items = {item["id"]: item for item in ITEMS}
    assert len(items) == len(ITEMS)
    assert set(items) >= set(SOLD) | set(PRICED_BY_THE_TITLE)
    for identifier, (price, stock) in SOLD.items():
        assert items[identifier]["price"] == price, identifier
        assert items[identifier]["stock"] == (-1 if stock is None else stock), identifier
    for identifier, price_rule in PRICED_BY_THE_TITLE.items():
        assert items[identifier]["price"] == 0, identifier
        assert items[identifier]["price_rule"] == price_rule


def test_every_item_has_the_fields_of_the_price_table() -> None:
    kinds = {square["kind"] for square in SQUARES} | {"anywhere"}
    for item in ITEMS:
        more = {"tier", "sale", "used"} if item in WEAPONS else set()
        assert [field for field in item if field not in more] == [
            "id", "name", "category", "price", "price_rule", "stock", "sold_at", "access", "effect",
        ]  # fmt: skip
        assert item["sold_at"] in kinds, item["id"]
        assert item["name"]
        assert item["access"]
        assert item["effect"]
        assert item["price"] > 0 or item["price_rule"], item["id"]


def test_the_last_copies_named_by_the_rules_follow_from_the_prices() -> None:
    price = {item["id"]: item["price"] for item in ITEMS}
    for number, identifiers in {
        "VIII.A.3": ("trottinette", "automobile", "helicoptere", "tank", "avion_de_chasse", "teleporteur"),
        "IX.C.4": ("glock26", "ar15", "artillerie", "rods_from_gods"),
        "IX.D.1": ("satan2", "la_peste"),
    }.items():
        decision = numbers(rule(number)["decision"])
        for identifier in identifiers:
            assert str(raised(price[identifier])) in decision, identifier


def test_the_board_has_40_squares_with_its_institutions_at_the_corners() -> None:
    assert [square["index"] for square in SQUARES] == list(range(40))
    corners = {index: SQUARES[index]["kind"] for index in (0, 10, 20, 30)}
    assert corners == {0: "spawn", 10: "prison", 20: "hopital", 30: "comico"}
    kinds = Counter(square["kind"] for square in SQUARES)
    assert kinds == {
        "property": 22, "chance": 6, "checkpoint": 4, "bar": 2,
        "spawn": 1, "prison": 1, "hopital": 1, "comico": 1, "nc_custom": 1, "kamtar": 1,
    }  # fmt: skip


def test_every_title_lies_once_on_the_board_in_price_order() -> None:
    on_the_board = [(square["property"], square["name"]) for square in SQUARES if square["kind"] == "property"]
    assert on_the_board == [(row["id"], row["name"]) for row in PRICES["property"]]
    assert all("property" not in square for square in SQUARES if square["kind"] != "property")


def test_settings_start_from_the_numbers_of_the_document() -> None:
    defaults = {name: setting["default"] for name, setting in PRICES["settings"].items()}
    assert defaults == {
        "movement_dice": 2, "die_sides": 6, "turn_seconds": 5 * 60, "starting_balance": 1500,
        "voluntary_overdraft": False, "max_rounds": 0,
        "starter_perks_use_stock": False, "restock_used": False,
        "last_copy_surcharge_percent": 25, "yellow_discount_percent": 25, "game_ender_stock": 2,
        "cyan_free_dose_to": "lander",
        "iem_ends": "start_of_user_next_turn", "la_peste_survivors": "named_by_user",
        "prison_missed_turns": 0, "prison_bail": 0, "hospital_missed_turns": 0, "hospital_bill": 0,
        "voluntary_mortgage_pays": True, "unmortgage_interest_percent": 0,
        "defence_scope": "mercenary_attack",
        "bank_resale_percent": 50, "comico_resale_percent": 50,
        "loan_cap_total": 500, "loan_interest_percent": 0,
    }  # fmt: skip


@pytest.mark.parametrize("name", PRICES["settings"])
def test_a_setting_is_described_in_both_languages_and_respects_its_own_bounds(name: str) -> None:
    setting = PRICES["settings"][name]
    assert set(setting) <= {"default", "minimum", "maximum", "choices", "en", "fr"}
    assert setting["en"].endswith(".")
    assert setting["fr"].endswith(".")
    assert numbers(setting["fr"]) == numbers(setting["en"])
    default = setting["default"]
    if isinstance(default, bool):
        assert not {"minimum", "maximum", "choices"} & set(setting)
    elif isinstance(default, int):
        assert setting["minimum"] <= default <= setting.get("maximum", default)
    else:
        assert default in setting["choices"]
