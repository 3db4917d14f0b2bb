"""The kinds of problems in answers: their statuses, titles and meanings, in English and French."""

from __future__ import annotations

from dataclasses import dataclass

from ledger.kernel.language.phrase import Phrase


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of problem: a status, with a title and a meaning in each language."""

    status: int
    title: Phrase
    meaning: Phrase


def _kind(status: int, en: str, fr: str, means: str, signifie: str) -> Kind:
    return Kind(status, Phrase(en, fr), Phrase(means, signifie))


KINDS: dict[str, Kind] = {
    "malformed-json": _kind(
        400,
        "The body is not JSON",
        "Le corps n'est pas du JSON",
        "The body of the request must be one JSON value in UTF-8 (RFC 8259).",
        "Le corps de la requête doit être une valeur JSON en UTF-8 (RFC 8259).",
    ),
    "bad-request": _kind(
        400,
        "The request cannot be read",
        "La requête est illisible",
        "A header or another part of the request does not have the form that HTTP or this service gives it.",
        "Un en-tête ou une autre partie de la requête n'a pas la forme que HTTP ou ce service lui donne.",
    ),
    "token-missing": _kind(
        401,
        "A token is needed",
        "Il faut un jeton",
        "Send your token: Authorization: Bearer <token>.",
        "Envoyez le jeton qui vous a été remis : Authorization: Bearer <jeton>.",
    ),
    "token-unknown": _kind(
        401,
        "The token is not in force",
        "Le jeton n'est pas en vigueur",
        "The token was never issued, or it has been revoked or replaced.",
        "Le jeton n'a jamais été émis, ou il a été révoqué ou remplacé depuis.",
    ),
    "code-refused": _kind(
        410,
        "The code opens nothing",
        "Le code n'ouvre rien",
        "The code of an invitation is valid once, for an hour. A code that was never given, was used, or has"
        " expired gets the same answer. Ask the banker for another one.",
        "Le code d'une invitation vaut une seule fois, pendant une heure. La réponse est la même pour un code"
        " qui n'a jamais été donné, qui a servi ou qui a expiré. Demandez-en un autre au banquier.",
    ),
    "foreign-token": _kind(
        403,
        "The token belongs to another game",
        "Le jeton appartient à une autre partie",
        "A token opens one game only.",
        "Un jeton n'ouvre qu'une seule partie.",
    ),
    "not-yours": _kind(
        403,
        "Your seat may not do this",
        "Votre siège ne peut pas faire cela",
        "The token is in force, but its role or seat may not ask for this.",
        "Le jeton est en vigueur, mais son rôle ou son siège ne permet pas cette demande.",
    ),
    "not-found": _kind(
        404,
        "There is nothing here",
        "Il n'y a rien ici",
        "There is nothing at this address, or nothing that you may see.",
        "Rien ne se trouve à cette adresse, ou rien que vous puissiez voir.",
    ),
    "unknown-game": _kind(
        404,
        "There is no such game",
        "Cette partie n'existe pas",
        "No game has this id.",
        "Aucune partie ne porte cet identifiant.",
    ),
    "unknown-rulebook": _kind(
        404,
        "There is no such rulebook",
        "Ce jeu de règles n'existe pas",
        "The service does not know a game of this name; /rulebooks lists those it knows.",
        "Le service ne connaît pas de jeu de ce nom ; /rulebooks donne ceux qu'il connaît.",
    ),
    "method-not-allowed": _kind(
        405,
        "The method is not allowed here",
        "Cette méthode n'est pas permise ici",
        "The resource exists but has no such method. The Allow header lists its methods.",
        "La ressource existe mais ne répond pas à cette méthode ; l'en-tête Allow donne celles qu'elle accepte.",
    ),
    "too-slow": _kind(
        408,
        "The body came too slowly",
        "Le corps est arrivé trop lentement",
        "The body of the request did not come in time. Nothing was done. Send the request again.",
        "Le corps de la requête n'est pas arrivé à temps. Rien n'a été fait. Renvoyez la requête.",
    ),
    "game-over": _kind(
        409,
        "The game is over",
        "La partie est terminée",
        "The game has ended, and by the rule named in `rule` it stays as it is. It can still be read, and the "
        "banker may rule on it and correct it.",
        "La partie est terminée, et la règle nommée dans `rule` la laisse telle quelle. Elle se lit encore, et le "
        "banquier peut en décider et la corriger.",
    ),
    "game-not-over": _kind(
        409,
        "The game is not over",
        "La partie n'est pas terminée",
        "A table plays again after the end of its game. End the game first.",
        "Une table rejoue après la fin de sa partie. Terminez d'abord la partie.",
    ),
    "game-continued": _kind(
        409,
        "The table plays again already",
        "La table rejoue déjà",
        "A table plays again once. The `state` of the ended game names the game that it plays now, and everybody"
        " takes the own place there by `POST …/again`.",
        "Une table rejoue une seule fois. L'état (`state`) de la partie terminée nomme la partie qu'elle joue"
        " maintenant, et chacun y prend sa place par `POST …/again`.",
    ),
    "no-place": _kind(
        409,
        "No further one is kept",
        "Rien de plus n'est gardé",
        "The game, your token, or all spectators together have reached the bound of things stored (`limit`)."
        " Places do not come back with time.",
        "La partie, votre jeton ou tous les spectateurs ensemble ont atteint la borne de ce qui est gardé"
        " (`limit`). Les places ne reviennent pas avec le temps.",
    ),
    "place-taken": _kind(
        409,
        "The place is given",
        "La place est donnée",
        "A place in the next game of a table is given once, and not when somebody has joined for it by a code. Ask"
        " the banker for an invitation.",
        "Une place dans la partie suivante d'une table est donnée une seule fois, et jamais quand quelqu'un l'a"
        " déjà prise par un code. Demandez une invitation au banquier.",
    ),
    "rule-broken": _kind(
        409,
        "A rule forbids it",
        "Une règle l'interdit",
        "The action breaks the rule named in `rule`. Nothing was written. `rules` are that rule, "
        "those of the action "
        "cited beside it, and the rules they rest on.",
        "L'action enfreint la règle nommée dans `rule`. Rien n'a été écrit. `rules` sont cette règle, celles de "
        "l'action citées à côté d'elle et celles sur lesquelles elles reposent.",
    ),
    "would-spread": _kind(
        409,
        "Later actions would change",
        "Des actions ultérieures changeraient",
        "With the cascade `refuse` a correction is accepted only if no later action changes. `preview` shows its"
        " consequences. Choose `restate` to decide the later actions again, or `keep` to keep them as they are.",
        "Avec la cascade `refuse`, une correction n'est acceptée que si rien d'ultérieur ne change. `preview` dit"
        " ce qu'elle donnerait : choisissez de rejouer les actions ultérieures (restate) ou de les garder (keep).",
    ),
    "cannot-keep": _kind(
        409,
        "A later action cannot be kept",
        "Une action ultérieure ne peut pas être gardée",
        "With the cascade `keep` later actions stay as they were recorded. `action` names the first one that"
        " cannot stay.",
        "Avec la cascade `keep`, les actions ultérieures restent telles qu'enregistrées ; `action` nomme la"
        " première qui ne le pourrait pas.",
    ),
    "own-token": _kind(
        409,
        "You cannot revoke the token you are using",
        "Vous ne pouvez pas révoquer le jeton que vous utilisez",
        "Otherwise nobody could act as the banker. Replace the token instead.",
        "La partie n'aurait plus de banquier. Remplacez plutôt le jeton.",
    ),
    "stale-version": _kind(
        412,
        "The game has moved on",
        "La partie a avancé",
        "If-Match names a version of the game that is not the newest. Read the game again, then decide.",
        "If-Match désigne une version de la partie qui n'est plus la dernière. Relisez la partie et redécidez.",
    ),
    "too-large": _kind(
        413,
        "The body is too large",
        "Le corps est trop grand",
        "The body of the request is larger than the service accepts.",
        "Le corps de la requête dépasse ce que le service accepte.",
    ),
    "unsupported-media-type": _kind(
        415,
        "The body must be JSON",
        "Le corps doit être du JSON",
        "Send the body as application/json.",
        "Envoyez le corps en application/json.",
    ),
    "wrong-host": _kind(
        421,
        "The service has another name",
        "Le service porte un autre nom",
        "The service answers only under its configured names, and the Host header has none of them.",
        "Le service ne répond que sous les noms configurés, et l'en-tête Host n'en donne aucun.",
    ),
    "invalid-request": _kind(
        422,
        "The request does not have the right shape",
        "La requête n'a pas la bonne forme",
        "`errors` names each wrong field or parameter and its value.",
        "`errors` nomme chaque champ ou paramètre fautif, et sa valeur.",
    ),
    "invalid-parameters": _kind(
        422,
        "The action's parameters are not right",
        "Les paramètres de l'action ne conviennent pas",
        "The catalogue of actions has the JSON Schema of each kind's parameters.",
        "Le catalogue des actions contient le schéma JSON des paramètres de chaque sorte.",
    ),
    "unknown-kind": _kind(
        422,
        "The rulebook has no such action",
        "Ce jeu de règles n'a pas cette action",
        "The catalogue of actions lists every kind.",
        "Le catalogue des actions donne les sortes qui existent.",
    ),
    "chance-ahead": _kind(
        422,
        "The service will throw or draw",
        "Le service va lancer ou tirer",
        "The service throws the dice and draws the cards of this game when the action is performed. A dry run does"
        " neither, so it cannot tell what would follow.",
        "Le service lance les dés et tire les cartes de cette partie quand l'action est faite. Un essai ne fait ni"
        " l'un ni l'autre, et ne peut donc pas dire ce qui suivrait.",
    ),
    "dice-not-shared": _kind(
        409,
        "The seats throw nothing together",
        "Les sièges ne lancent rien ensemble",
        "Only a game with shared dice takes chains and values from its seats.",
        "Seule une partie aux dés partagés reçoit des chaînes et des valeurs de ses sièges.",
    ),
    "throw-not-wanted": _kind(
        409,
        "No value of this throw is wanted",
        "Aucune valeur de ce lancer n'est demandée",
        "The throw was made already, or nothing needs it yet. Reveal a value only when it is asked for.",
        "Le lancer a déjà été fait, ou rien n'en a encore besoin. Ne révélez une valeur que quand on la demande.",
    ),
    "values-missing": _kind(
        409,
        "Seats have not revealed their values",
        "Des sièges n'ont pas révélé leurs valeurs",
        "In this game the table throws when a seat does not reveal its value in time. Throw the dice or draw the"
        " cards, and let the banker send the action with them.",
        "Dans cette partie, la table lance quand un siège ne révèle pas sa valeur à temps. Lancez les dés ou tirez"
        " les cartes, et que le banquier envoie l'action avec elles.",
    ),
    "draw-needed": _kind(
        422,
        "Dice or cards are needed",
        "Il faut des dés ou des cartes",
        "Send the dice or cards of the table in the parameters.",
        "Indiquez dans les paramètres les valeurs obtenues à la table.",
    ),
    "key-reused": _kind(
        422,
        "The idempotency key was used for another request",
        "La clé d'idempotence a servi à une autre requête",
        "A key stands for one request. Repeat exactly that request, or choose a new key.",
        "Une clé vaut pour une seule requête : répétez exactement celle-ci, ou choisissez une autre clé.",
    ),
    "key-expired": _kind(
        409,
        "The idempotency key is too old",
        "La clé d'idempotence est trop ancienne",
        "The request was performed under this key more than a day ago. Its tokens are not shown again.",
        "La requête a été faite sous cette clé il y a plus d'un jour. Ses jetons ne sont plus montrés.",
    ),
    "bad-cursor": _kind(
        422,
        "The cursor is not one of this list",
        "Le curseur n'est pas de cette liste",
        "Take a cursor from the Link header or from an answer, and use it with the same list and order.",
        "Prenez les curseurs dans l'en-tête Link ou dans la réponse, pour la même liste et le même ordre.",
    ),
    "too-many-requests": _kind(
        429,
        "Too many requests",
        "Trop de requêtes",
        "Wait for the number of seconds in Retry-After.",
        "Attendez le nombre de secondes qu'indique Retry-After.",
    ),
    "internal-error": _kind(
        500,
        "The service failed",
        "Le service a échoué",
        "The service is at fault, not your request. The log names the incident. No action was half written.",
        "Vous n'y êtes pour rien ; l'échec est consigné sous l'incident indiqué. Rien n'a été écrit à moitié.",
    ),
    "journal-not-as-signed": _kind(
        409,
        "The journal is not the one that was signed",
        "Le journal n'est pas celui qui a été signé",
        "The stored journal was rewritten, or its end was cut off, after the service signed a checkpoint over"
        " it. It can be read, and nothing is written to it before it is restored. `mabligop verify` says what is"
        " wrong.",
        "Le journal enregistré a été réécrit, ou sa fin coupée, après que le service en a signé un point de"
        " contrôle. On peut le lire, et rien n'y est écrit avant qu'il soit restauré. `mabligop verify` dit ce"
        " qui ne va pas.",
    ),
    "journal-damaged": _kind(
        500,
        "The journal of the game is damaged",
        "Le journal de la partie est endommagé",
        "The stored journal is not the one that was written: somebody changed the database, or it lost data."
        " Nothing is answered that could be wrong, and the game accepts no action. Whoever runs the service finds"
        " out more with `mabligop verify`, and restores a backup.",
        "Le journal enregistré n'est pas celui qui a été écrit : la base de données a été modifiée, ou a perdu des"
        " données. Rien n'est répondu qui pourrait être faux, et la partie n'accepte aucune action. Qui tient le"
        " service en apprend plus avec `mabligop verify`, et restaure une sauvegarde.",
    ),
    "unavailable": _kind(
        503,
        "The service cannot answer now",
        "Le service ne peut pas répondre maintenant",
        "The database does not answer, or the service is too busy. After Retry-After seconds, repeat the request"
        " with the same idempotency key.",
        "La base de données ne répond pas, ou le service est trop occupé. Répétez la requête, avec la même clé"
        " d'idempotence, après Retry-After secondes.",
    ),
}

BY_STATUS = {
    400: "bad-request",
    404: "not-found",
    405: "method-not-allowed",
    413: "too-large",
    415: "unsupported-media-type",
    422: "invalid-request",
    429: "too-many-requests",
}
"""The kind of problem for errors raised by Flask, by status."""
