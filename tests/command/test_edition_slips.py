"""`mabligop edition check` on slips of the pen: the line, and what was meant, in both languages."""

import codecs
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from api.command.edition.starting import start
from api.command.main import main

NO_BREAK = "\N{NO-BREAK SPACE}"


def edition(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, ["edition", *map(str, arguments)])


@pytest.fixture
def board(tmp_path: Path) -> Path:
    folder = tmp_path / "my-board"
    start(folder)
    return folder


@pytest.mark.parametrize(
    ("line", "en", "fr"),
    [
        (
            "jail_fine = 1,500",
            "Expected newline or end of document after a statement; a number has no mark between its digits: 1500",
            "une seule valeur par ligne ; un nombre n'a rien entre ses chiffres : 1500",
        ),
        (
            "jail_fine = 1 500",
            "Expected newline or end of document after a statement; a number has no mark between its digits: 1500",
            "une seule valeur par ligne ; un nombre n'a rien entre ses chiffres : 1500",
        ),
        (
            "interest_rounding = “up”",
            'Invalid value; “ is a curly quote: texts stand between straight ones, "…"',
            'valeur incorrecte ; “ est un guillemet courbe : un texte se met entre guillemets droits, "…"',
        ),
        (
            "interest_rounding = « up »",
            'Invalid value; « is a curly quote: texts stand between straight ones, "…"',
            'valeur incorrecte ; « est un guillemet courbe : un texte se met entre guillemets droits, "…"',
        ),
        (
            "interest_rounding = up",
            'Invalid value; a text stands between quotes: "up"',
            'valeur incorrecte ; un texte se met entre guillemets : "up"',
        ),
        ("auctions = Yes", "Invalid value; it is written true", "valeur incorrecte ; cela s'écrit true"),
        (
            "jail_fine = $50",
            "Invalid value; an amount has no sign: 50",
            "valeur incorrecte ; un montant n'a pas de signe : 50",
        ),
        (
            "mortgage_interest = 10%",
            "Expected newline or end of document after a statement; a part is two whole numbers: [10, 100]",
            "une seule valeur par ligne ; une part est deux nombres entiers : [10, 100]",
        ),
    ],
)
def test_a_line_that_is_not_toml_has_a_hint(board: Path, line: str, en: str, fr: str) -> None:
    head = board / "edition.toml"
    head.write_text(f'title = "Ours"\n[options]\n{line}\n', encoding="utf-8")
    assert edition("check", board).stdout == f"{head}:3: it is not TOML: {en}\n"
    french = edition("check", board, "--language", "fr").stdout.replace(NO_BREAK, " ")
    assert french == f"{head}:3: ce n'est pas du TOML : {fr}\n"


@pytest.mark.parametrize(
    ("value", "en", "fr"),
    [
        ("1.500", "a whole number is needed, not 1.500: write 1500", "un nombre entier, pas 1.500 : écrivez 1500"),
        ("60.5", "a whole number is needed, not 60.5", "il faut un nombre entier, pas 60.5"),
    ],
)
def test_a_point_between_thousands_is_seen_as_written(board: Path, value: str, en: str, fr: str) -> None:
    head = board / "edition.toml"
    head.write_text(f'title = "Ours"\n[options]\njail_fine = {value}\n', encoding="utf-8")
    assert edition("check", board).stdout == f"{head}:3: options/jail_fine: {en}\n"
    assert fr in edition("check", board, "--language", "fr").stdout.replace(NO_BREAK, " ")


def test_a_byte_order_mark_is_read_and_another_coding_is_named(board: Path) -> None:
    for file in (board / "edition.toml", board / "pieces.toml"):
        file.write_bytes(codecs.BOM_UTF8 + file.read_bytes())
    assert edition("check", board).exit_code == 0
    sent = board.parent / "board.json"
    sent.write_bytes(codecs.BOM_UTF8 + edition("json", board).stdout.encode())
    assert edition("check", sent).exit_code == 0
    head = board / "edition.toml"
    head.write_bytes('title = "Ours"\n'.encode("utf-16"))
    assert edition("check", board).stdout == f"{head}: it is not UTF-8, but UTF-16: save it as UTF-8\n"
    french = edition("check", board, "--language", "fr").stdout.replace(NO_BREAK, " ")
    assert french == f"{head}: ce n'est pas de l'UTF-8, mais UTF-16 : enregistrez-le en UTF-8\n"


@pytest.mark.parametrize("content", ["", "# nothing yet\n", None])
def test_missing_pieces_are_missed_in_their_own_file(board: Path, content: str | None) -> None:
    pieces = board / "pieces.toml"
    if content is None:
        pieces.unlink()
    else:
        pieces.write_text(content, encoding="utf-8")
    assert edition("check", board).stdout.splitlines() == [
        f"{pieces}: named: `named` is missing",
        f"{pieces}: squares: `squares` is missing",
    ]


def test_ids_left_out_are_in_what_is_sent(board: Path) -> None:
    pieces = board / "pieces.toml"
    text = pieces.read_text(encoding="utf-8")
    assert 'id = "tansy_row"\n' in text
    pieces.write_text(text.replace('id = "tansy_row"\n', "", 1), encoding="utf-8")
    assert edition("check", board).exit_code == 0
    assert '{"id":"tansy_row","name":"Tansy Row"' in edition("json", board).stdout


TABLE = "Nom;Groupe;Prix;Loyers\nRue A;Rouge;60;2 10 30 90 160 250\nRue B;Rouge;60;4 20 60 180 320 450\n"


@pytest.mark.parametrize("coding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_a_table_becomes_a_folder_that_is_fit_to_play(tmp_path: Path, coding: str) -> None:
    table = tmp_path / "rues-de-chez-nous.csv"
    table.write_bytes(f"{TABLE}Café;Rouge;80;5\n".encode(coding))
    done = edition("import", table)
    assert done.exit_code == 0, done.output
    folder = tmp_path / "rues-de-chez-nous"
    assert done.stdout.splitlines() == [
        f"{folder}: 5 squares, 1 group: fit to play",
        "guesses in the files: 15 (search for: # guessed)",
    ]
    assert "warning: " in done.stderr
    pieces = (folder / "pieces.toml").read_text(encoding="utf-8")
    assert 'name = "Café"\n' in pieces
    assert "# guessed: the table has too few\nrents = [5, 25, 70, 190, 240, 290]\n" in pieces
    assert 'title = "Rues de chez nous"\n' in (folder / "edition.toml").read_text(encoding="utf-8")
    again = edition("import", table)
    assert again.exit_code == 2
    assert "is there already: name another folder" in again.stderr
    assert edition("import", table, tmp_path / "other").exit_code == 0
    table.write_text("a;b\n1;2\n", encoding="utf-8")
    refused = edition("import", table, tmp_path / "third")
    assert (refused.exit_code, (tmp_path / "third").exists()) == (2, False)
    assert "no column is called name (or nom); there are: a, b" in refused.stderr
