"""The settings of a table. An edition lists the defaults of its own (edition.toml)."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from ledger.rulebooks.monopoly.table.pieces import Amount, Id, Name, Pieces
from ledger.rulebooks.parts.opening import RevealAtEnd


def _meta(en: str, fr: str, ge: int | None = None, le: int | None = None) -> Meta:
    return Meta(description=en, ge=ge, le=le, extra_json_schema={"description_fr": fr})


Fraction = tuple[Annotated[int, Meta(ge=0, le=100)], Annotated[int, Meta(ge=1, le=100)]]


class CommonSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The choices of a table of every edition.

    For a gap in an edition's register, the default is the project's decision.
    """

    quick: Annotated[bool, _meta("Play the quick game.", "Jouer la partie rapide.")] = False
    deals: Annotated[
        int,
        _meta(
            "How many deeds each player is dealt in the quick game.",
            "Combien de titres chaque joueur reçoit dans la partie rapide.",
            0,
            20,
        ),
    ] = 3
    starting_cash: Annotated[
        Amount, _meta("The money that each player starts with.", "L'argent de départ de chaque joueur.")
    ] = 1500
    salary_on_stop: Annotated[
        Amount | None,
        _meta(
            "The salary for stopping on the start; without it, the salary for passing.",
            "Le salaire quand on s'arrête au départ ; à défaut, celui du passage.",
        ),
    ] = None
    salary_for_staying: Annotated[
        Amount,
        _meta(
            "What the bank adds when a turn ends on the start.",
            "Ce que la banque ajoute quand un tour se termine sur le départ.",
        ),
    ] = 0
    stay_by_throw: Annotated[
        bool,
        _meta(
            "Only who has thrown in the turn receives what is added for staying on the start.",
            "Seul qui a lancé à ce tour reçoit le supplément pour rester au départ.",
        ),
    ] = True
    turn_income: Annotated[
        Amount,
        _meta(
            "What the bank pays each player whose turn begins.",
            "Ce que la banque verse à chaque joueur dont le tour commence.",
        ),
    ] = 0
    rounds: Annotated[
        int,
        _meta(
            "After how many rounds the richest wins; 0 for no limit.",
            "Après combien de tours de table le plus riche gagne ; 0 : sans limite.",
            0,
            100_000,
        ),
    ] = 0
    play_minutes: Annotated[
        int,
        _meta(
            "After how many minutes the round under way is the last, and the richest wins; 0 for no limit.",
            "Après combien de minutes le tour de table en cours est le dernier (le plus riche gagne) ; 0 : sans.",
            0,
            525_600,
        ),
    ] = 0
    throw_for_order: Annotated[
        bool, _meta("Throws decide the order of play.", "Les jets décident de l'ordre du jeu.")
    ] = True
    order_by_totals: Annotated[
        bool,
        _meta(
            "The whole order follows the totals; otherwise the highest starts and the others follow on the left.",
            "L'ordre entier suit les totaux ; sinon le plus haut commence et les autres suivent à sa gauche.",
        ),
    ] = False
    elected_banker: Annotated[
        bool, _meta("One of the players is elected banker.", "Un des joueurs est élu banquier.")
    ] = False
    tokens_chosen: Annotated[bool, _meta("Each player chooses a token.", "Chaque joueur choisit un pion.")] = True
    fees_to_pot: Annotated[
        bool,
        _meta(
            "Taxes and fines of the prison go into the pot, too.",
            "Les taxes et les amendes de la prison vont aussi à la cagnotte.",
        ),
    ] = False
    doubles_to_jail: Annotated[
        int,
        _meta(
            "How many doubles in a row send to prison; 0 for none.",
            "Combien de doubles de suite envoient en prison ; 0 : aucun.",
            0,
            10,
        ),
    ] = 3
    jail_fine: Annotated[Amount, _meta("The fine for leaving prison.", "L'amende pour sortir de prison.")] = 50
    jail_turns: Annotated[
        int,
        _meta(
            "How many turns one may throw for a double in prison.",
            "Combien de tours on peut tenter un double en prison.",
            1,
            10,
        ),
    ] = 3
    jail_double_rolls_again: Annotated[
        bool,
        _meta("A double that leaves prison gives another throw.", "Un double qui libère donne un autre jet."),
    ] = False
    jail_fine_after_throw: Annotated[
        bool,
        _meta(
            "The fine may also be paid after a throw without a double, for the next turn.",
            "L'amende se paie aussi après un jet sans double, pour le tour suivant.",
        ),
    ] = False
    jail_fine_delays_play: Annotated[
        bool,
        _meta(
            "Who pays the fine plays only from the next turn on.",
            "Qui paie l'amende ne joue qu'au tour suivant.",
        ),
    ] = False
    rents_in_jail: Annotated[bool, _meta("Prisoners draw rents.", "Les prisonniers touchent leurs loyers.")] = True
    rents_are_claimed: Annotated[
        bool,
        _meta(
            "Owners claim their rents before the next player throws; otherwise rents are taken at once.",
            "Les propriétaires réclament leurs loyers avant le jet suivant ; sinon ils sont prélevés aussitôt.",
        ),
    ] = True
    claims_paid_at_once: Annotated[
        bool,
        _meta(
            "A claimed rent is paid at once where the money suffices; otherwise its debtor pays it.",
            "Un loyer réclamé est payé aussitôt si l'argent suffit ; sinon son débiteur le règle.",
        ),
    ] = False
    full_group_factor: Annotated[
        int,
        _meta(
            "What the rent of a street without houses is multiplied by in a whole group.",
            "Par quoi se multiplie le loyer d'une rue sans maison dans un groupe complet.",
            1,
            10,
        ),
    ] = 2
    full_group_unmortgaged: Annotated[
        bool,
        _meta(
            "A mortgage in the group stops that.",
            "Une hypothèque dans le groupe l'empêche.",
        ),
    ] = True
    utility_throws_anew: Annotated[
        bool,
        _meta(
            "The rent of a utility is thrown for anew; otherwise it takes the dice of the move.",
            "Le loyer d'une compagnie se tire à nouveau ; sinon il prend les dés du déplacement.",
        ),
    ] = True
    auctions: Annotated[
        bool,
        _meta(
            "A title that is declined is auctioned; otherwise it stays with the bank.",
            "Un titre refusé est mis aux enchères ; sinon il reste à la banque.",
        ),
    ] = True
    auction_seconds: Annotated[
        int,
        _meta(
            "After how many seconds an auction may be closed although not all others have passed; 0 for no clock.",
            "Après combien de secondes une vente peut se clore sans que tous aient passé ; 0 : sans horloge.",
            0,
            31_536_000,
        ),
    ] = 0
    lots_open_at_once: Annotated[
        bool,
        _meta(
            "Without an elected banker, a bankrupt's titles are auctioned at once, one after the other.",
            "Sans banquier élu, les titres d'un failli sont mis aux enchères aussitôt, l'un après l'autre.",
        ),
    ] = True
    houses_stock: Annotated[int, _meta("The number of houses.", "Le nombre de maisons.", 0, 1000)] = 32
    hotels_stock: Annotated[int, _meta("The number of hotels.", "Le nombre d'hôtels.", 0, 1000)] = 12
    towers_stock: Annotated[
        int,
        _meta(
            "The number of skyscrapers, the level above the hotel, on a board that has them.",
            "Le nombre de gratte-ciel, le niveau au-dessus de l'hôtel, sur un plateau qui en a.",
            0,
            1000,
        ),
    ] = 12
    houses_per_hotel: Annotated[
        int, _meta("How many houses make a hotel.", "Combien de maisons font un hôtel.", 1, 4)
    ] = 4
    build_off_turn: Annotated[
        bool,
        _meta(
            "One may build at any time; otherwise on one's own turn.",
            "On peut construire à tout moment ; sinon à son tour.",
        ),
    ] = True
    building_resale: Annotated[
        Fraction,
        _meta(
            "The part of its price that a building is sold back at.",
            "La part du prix à laquelle un bâtiment se revend.",
        ),
    ] = (1, 2)
    mortgage_needs_debt: Annotated[
        bool,
        _meta(
            "One may mortgage only to pay a debt that is due.",
            "On ne peut hypothéquer que pour payer une dette due.",
        ),
    ] = True
    mortgage_interest: Annotated[
        Fraction, _meta("The interest for lifting a mortgage.", "L'intérêt pour lever une hypothèque.")
    ] = (1, 10)
    interest_rounding: Annotated[
        Literal["up", "down"], _meta("How interest is rounded.", "Comment s'arrondit l'intérêt.")
    ] = "up"
    buyer_redeems_at_price: Annotated[
        bool,
        _meta(
            "Who buys a mortgaged title must lift the mortgage at the printed price.",
            "Qui achète un titre hypothéqué doit lever l'hypothèque au prix imprimé.",
        ),
    ] = False
    buyer_lifts_with_interest: Annotated[
        bool,
        _meta(
            "Who buys a mortgaged title and lifts the mortgage at once pays the interest, too.",
            "Qui achète un titre hypothéqué et lève aussitôt l'hypothèque paie aussi l'intérêt.",
        ),
    ] = False
    debts_first: Annotated[
        bool,
        _meta(
            "A player neither spends nor trades away what is needed to pay a debt.",
            "Un joueur ne dépense ni n'échange ce qu'il lui faut pour payer une dette.",
        ),
    ] = True
    debts_before_fine: Annotated[
        bool,
        _meta(
            "Where debts come first, a prisoner who owes something pays the fine with other money only.",
            "Où les dettes passent d'abord, un prisonnier ne paie pas l'amende avec l'argent qu'il doit.",
        ),
    ] = True
    bankruptcy_interest: Annotated[
        bool,
        _meta(
            "A creditor pays the interest on the mortgages of a bankrupt's titles.",
            "Un créancier paie l'intérêt sur les hypothèques des titres d'un failli.",
        ),
    ] = True
    titles_to: Annotated[
        Literal["unpaid", "owed"],
        _meta(
            "Which of several creditors takes a bankrupt's titles: by what was owed, or by what is left unpaid.",
            "Lequel de plusieurs créanciers prend les titres d'un failli : selon la dette, ou selon l'impayé.",
        ),
    ] = "unpaid"
    bankrupt_mortgages_first: Annotated[
        bool,
        _meta(
            "A bankrupt's titles are all mortgaged before they change hands.",
            "Les titres d'un failli sont tous hypothéqués avant de changer de mains.",
        ),
    ] = True
    creditor_may_lift: Annotated[
        bool,
        _meta(
            "A creditor may lift the mortgages of a bankrupt's titles at once, without more interest.",
            "Un créancier peut lever aussitôt les hypothèques d'un failli, sans autre intérêt.",
        ),
    ] = True
    tie_by_throw: Annotated[
        bool,
        _meta("Equal worth and cash are decided by a throw.", "À valeur et argent égaux, un jet décide."),
    ] = True
    profit_basis: Annotated[
        Literal["worth", "cash"],
        _meta(
            "What a season's profit is counted from: everything a merchant has, or the cash alone.",
            "Ce dont se compte le bénéfice d'une saison : tous les biens, ou l'argent seul.",
        ),
    ] = "worth"
    early_close: Annotated[
        Fraction,
        _meta(
            "The part of the players that must be out before the others may close the season.",
            "La part des joueurs éliminés à partir de laquelle les autres peuvent clore la saison.",
        ),
    ] = (1, 2)
    close_by: Annotated[
        Literal["all", "majority"],
        _meta("Who must agree to close a season early.", "Qui doit consentir à clore une saison."),
    ] = "all"
    division: Annotated[
        Id | None, _meta("The division in which the seasons are played.", "La division où se jouent les saisons.")
    ] = None
    turn_hours: Annotated[
        int,
        _meta(
            "After how many hours the table is reminded that the banker may play for who does not; 0 for never.",
            "Après combien d'heures la table est prévenue que le banquier peut jouer pour l'absent ; 0 : jamais.",
            0,
            8760,
        ),
    ] = 0
    names: Annotated[
        dict[Id, Name],
        _meta(
            "Other names of squares and groups, by id.",
            "D'autres noms de cases et de groupes, par identifiant.",
        ),
    ] = {}
    board: Annotated[
        Pieces | None,
        _meta(
            "The table's own board; without one, the edition's.",
            "Le plateau de la table ; à défaut, celui de l'édition.",
        ),
    ] = None
    reveal_at_end: RevealAtEnd = True


class Settings(CommonSettings, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The choices of a table with an own board: the common choices, and house rules.

    The house rules of the printed editions have the defaults.
    """

    taxes_to_pot: Annotated[bool, _meta("Taxes go into the pot.", "Les taxes vont à la cagnotte.")] = False
    fines_to_pot: Annotated[
        bool, _meta("The fines of the prison go into the pot.", "Les amendes de la prison vont à la cagnotte.")
    ] = False
    cards_to_pot: Annotated[
        bool,
        _meta(
            "What a card has a player pay to the bank goes into the pot.",
            "Ce qu'une carte fait payer à la banque va à la cagnotte.",
        ),
    ] = False
    salary_each_pass: Annotated[
        bool,
        _meta(
            "A move that passes the start several times, on a short board, brings the salary each time.",
            "Sur un petit plateau, qui passe plusieurs fois le départ en un coup touche chaque fois le salaire.",
        ),
    ] = True
    build_without_group: Annotated[
        bool,
        _meta(
            "The owner of a street builds there without the rest of its group.",
            "Qui possède une rue y construit sans le reste du groupe.",
        ),
    ] = False
    three_in_a_row: Annotated[
        bool,
        _meta(
            "Three neighbouring streets in one hand count as a whole group: for building, and for their rents.",
            "Trois rues voisines dans une main comptent comme un groupe entier, pour bâtir et pour les loyers.",
        ),
    ] = False
    build_unevenly: Annotated[
        bool,
        _meta(
            "Buildings need not lie evenly on a group.",
            "Les bâtiments d'un groupe peuvent être répartis inégalement.",
        ),
    ] = False
    build_where_standing: Annotated[
        bool,
        _meta(
            "One builds only on the street where one's token stands.",
            "On ne construit que dans la rue où se trouve son pion.",
        ),
    ] = False
    station_travel: Annotated[
        bool,
        _meta(
            "Who stops on their own station, or has paid its rent, may travel on to another station.",
            "Qui s'arrête sur sa gare, ou en a payé le loyer, peut poursuivre jusqu'à une autre gare.",
        ),
    ] = False
    pot_least: Annotated[
        Amount,
        _meta(
            "What the pot pays at least: the bank adds what is missing.",
            "Ce que la cagnotte verse au moins : la banque ajoute ce qui manque.",
        ),
    ] = 0
    buy_after_lap: Annotated[
        bool,
        _meta(
            "Nobody buys a title before passing the start for the first time.",
            "Personne n'achète de titre avant d'avoir passé le départ une première fois.",
        ),
    ] = False
    double_one: Annotated[
        Amount,
        _meta(
            "What the bank pays for a throw of ones alone.",
            "Ce que la banque verse pour un lancer qui n'a que des un.",
        ),
    ] = 0
    card_declined_for: Annotated[
        Amount | None,
        _meta(
            "What it costs to decline a card before drawing it; without a sum, cards are always drawn.",
            "Ce que coûte le refus d'une carte avant de la tirer ; sans somme, les cartes se tirent toujours.",
        ),
    ] = None
    titles_dealt: Annotated[
        int,
        _meta(
            "How many titles each player is dealt for nothing before the start, outside of the quick game.",
            "Combien de titres chaque joueur reçoit sans payer avant le début, hors de la partie rapide.",
            0,
            20,
        ),
    ] = 0
    titles_to_bank: Annotated[
        bool,
        _meta(
            "A bankrupt's titles go to the bank, which auctions them, whoever is owed.",
            "Les titres d'un failli vont à la banque, qui les met aux enchères, quel que soit le créancier.",
        ),
    ] = False
    promises: Annotated[
        bool,
        _meta(
            "Trades may hold promises: payments in a later round, free stays, and words.",
            "Les échanges peuvent contenir des promesses : paiements ultérieurs, séjours gratuits, paroles.",
        ),
    ] = False
    goal: Annotated[
        Amount,
        _meta(
            "The sum that wins the game for who reaches it first; 0 for none.",
            "La somme qui fait gagner la partie à qui l'atteint d'abord ; 0 : aucune.",
        ),
    ] = 0
    goal_of: Annotated[
        Literal["worth", "cash"],
        _meta(
            "What has to reach the sum that wins: everything a player has, or the cash alone.",
            "Ce qui doit atteindre la somme qui fait gagner : tous les biens, ou l'argent seul.",
        ),
    ] = "worth"


def common(settings: Settings) -> CommonSettings:
    """Return the choices that the printed editions have, too."""
    return CommonSettings(**{name: getattr(settings, name) for name in CommonSettings.__struct_fields__})


def fraction(amount: int, part: tuple[int, int], rounding: str = "down") -> int:
    """Return the part of an amount, in whole units, rounded up or down."""
    above, below = part
    return -(-amount * above // below) if rounding == "up" else amount * above // below
