"use strict";
// Tells what everybody was worth at a moment of the game. Without it the page says all the same.
(() => {
  const figure = document.getElementById("wealth-chart");
  if (!figure) return;
  const told = JSON.parse(document.getElementById("moments").textContent);
  const scrubber = figure.querySelector(".scrubber");
  const range = scrubber.querySelector("input");
  const moment = scrubber.querySelector("b");
  const outputs = [...scrubber.querySelectorAll("output")];
  const cursor = figure.querySelector(".cursor");
  const canvas = figure.querySelector(".canvas");
  const number = new Intl.NumberFormat(document.documentElement.lang);
  const last = told.moments.length - 1;
  const show = (place) => {
    range.value = place;
    moment.textContent = told.action.replace("0", told.moments[place]);
    range.setAttribute("aria-valuetext", moment.textContent);
    outputs.forEach((output, seat) => { output.textContent = number.format(told.totals[seat][place]); });
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
