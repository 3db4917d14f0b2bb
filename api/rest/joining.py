"""The page of a join link, /join#KF7-2QM: it changes the code for a token, and keeps the token on the device.

The code stands in the fragment, which browsers send to nobody. Nothing is loaded from other hosts, and the page
works over plain HTTP.
"""

from __future__ import annotations

import html
from collections.abc import Mapping

from flask import Blueprint, Response

from api.rest.context import Language, language, service

pages = Blueprint("joining", __name__)

_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; frame-ancestors 'none';"
    " base-uri 'none'; form-action 'none'"
)
_WORDS: Mapping[Language, Mapping[str, str]] = {
    "en": {
        "title": "Join a game",
        "code": "Code",
        "join": "Join",
        "joined": "You are in:",
        "lost": "No answer came. Try again.",
        "token": "The token of this device, for other programs",
        "script": "This page needs JavaScript.",
    },
    "fr": {
        "title": "Rejoindre une partie",
        "code": "Code",
        "join": "Rejoindre",
        "joined": "Vous y êtes :",
        "lost": "Aucune réponse. Réessayez.",
        "token": "Le jeton de cet appareil, pour d'autres programmes",
        "script": "Cette page a besoin de JavaScript.",
    },
}
_PAGE = """<!doctype html>
<html lang="{lang}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
<link rel="stylesheet" href="/join/page.css">
<script src="/join/page.js" defer></script>
</head>
<body>
<main data-api="{api}" data-joined="{joined}" data-lost="{lost}">
<h1>{title}</h1>
<form>
<label for="code">{code}</label>
<input id="code" required maxlength="40" autocapitalize="characters" autocomplete="off" spellcheck="false">
<button>{join}</button>
</form>
<p id="said" role="status"></p>
<details hidden><summary>{token}</summary><p id="token"></p></details>
<noscript><p>{script}</p></noscript>
</main>
</body>
</html>
"""
_SCRIPT = """"use strict";
const main = document.querySelector("main");
const code = document.getElementById("code");
const said = document.getElementById("said");
// Repeating a request whose answer was lost gives the same token, as long as it has the same key.
let asked = null;

function keyOf(code) {
  if (asked === null || asked.code !== code) {
    const bytes = Array.from(crypto.getRandomValues(new Uint8Array(16)));
    asked = { code, key: bytes.map((byte) => byte.toString(16).padStart(2, "0")).join("") };
  }
  return asked.key;
}

async function join() {
  const sent = code.value.trim();
  let answer;
  let content;
  try {
    answer = await fetch(`${main.dataset.api}/join`, {
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        "Accept-Language": document.documentElement.lang,
        "Idempotency-Key": keyOf(sent),
      },
      body: JSON.stringify({ code: sent }),
    });
    content = await answer.json();
  } catch {
    said.textContent = main.dataset.lost;
    return;
  }
  if (!answer.ok) {
    said.textContent = content.detail;
    return;
  }
  try {
    localStorage.setItem(`mabligop:${content.game}`, JSON.stringify(content));
  } catch {
    // Without a storage the token is only shown.
  }
  said.textContent = [main.dataset.joined, content.name ?? content.role, "·", content.title].join(" ");
  document.getElementById("token").textContent = content.token;
  document.querySelector("details").hidden = false;
  document.querySelector("form").hidden = true;
}

document.querySelector("form").addEventListener("submit", (event) => {
  event.preventDefault();
  join();
});
code.value = decodeURIComponent(location.hash.slice(1));
history.replaceState(null, "", location.pathname);
"""
_STYLE = """body { font: 20px/1.5 system-ui; margin: 0; padding: 24px; }
main { max-width: 24rem; margin: auto; }
input, button { font: inherit; box-sizing: border-box; width: 100%; min-height: 48px; margin: 4px 0 16px; }
input { text-transform: uppercase; letter-spacing: 0.1em; padding: 0 12px; }
#token { overflow-wrap: anywhere; }
"""


@pages.get("/join")
def page() -> Response:
    """The page that asks for a code."""
    spoken = language()
    words = {name: html.escape(text) for name, text in _WORDS[spoken].items()}
    response = Response(
        _PAGE.format(lang=spoken, api=service().config.base_path, **words), content_type="text/html; charset=utf-8"
    )
    response.headers["Content-Security-Policy"] = _POLICY
    response.headers["Content-Language"] = spoken
    response.headers["Vary"] = "Accept-Language"
    response.headers["Cache-Control"] = "no-cache"
    return response


@pages.get("/join/page.js")
def script() -> Response:
    """The script of the page."""
    return Response(_SCRIPT, content_type="text/javascript; charset=utf-8")


@pages.get("/join/page.css")
def style() -> Response:
    """The style of the page."""
    return Response(_STYLE, content_type="text/css; charset=utf-8")
