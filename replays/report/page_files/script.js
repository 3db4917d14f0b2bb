"use strict";
// Opens the player that a link leads to, and everything for printing.
(() => {
  const reveal = () => {
    const wanted = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    const closed = wanted && wanted.querySelector("details");
    if (closed) closed.open = true;
  };
  addEventListener("hashchange", reveal);
  addEventListener("beforeprint", () => {
    document.querySelectorAll("details").forEach((one) => { one.open = true; });
  });
  reveal();
})();
// Tells what everybody was worth at a moment of the game. Without it the page says all the same.
(() => {
  const figure = document.getElementById("wealth-chart");
  if (!figure) return;
  const told = JSON.parse(document.getElementById("moments").textContent);
  const scrubber = figure.querySelector(".scrubber");
  const range = scrubber.querySelector("input");
  const moment = scrubber.querySelector("b");
  const sums = [...scrubber.querySelectorAll(".sum")];
  const cursor = figure.querySelector(".cursor");
  const canvas = figure.querySelector(".canvas");
  const number = new Intl.NumberFormat(document.documentElement.lang);
  const last = told.moments.length - 1;
  const show = (place) => {
    const said = told.totals.map((values) => number.format(values[place]).replace("-", "\u2212"));
    const named = said.map((sum, seat) => `${told.names[seat]} ${sum}`);
    range.value = place;
    const round = told.rounds[place];
    const words = round ? told.round.replace("{round}", round) : told.action;
    moment.textContent = words.replace("{number}", told.moments[place]);
    sums.forEach((sum, seat) => { sum.textContent = said[seat]; });
    range.setAttribute("aria-valuetext", [moment.textContent, ...named].join(", "));
    cursor.hidden = place === last;
    cursor.style.left = `${(100 * place) / last}%`;
  };
  const point = (event) => {
    const box = canvas.getBoundingClientRect();
    const share = Math.min(1, Math.max(0, (event.clientX - box.left) / box.width));
    show(Math.round(share * last));
  };
  if (!told.seats.length) return;
  range.addEventListener("input", () => show(Number(range.value)));
  canvas.addEventListener("pointermove", point);
  canvas.addEventListener("pointerdown", point);
  canvas.addEventListener("pointerleave", () => show(last));
  scrubber.hidden = false;
  show(last);
})();
