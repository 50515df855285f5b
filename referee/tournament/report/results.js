// Filters of the list of results. The address has what is chosen, so links can lead to some of the matches.
// A browser takes seconds to lay out thousands of rows, so only the first of those that fit are in the table.
"use strict";
const FIRST = 200;
const MORE = 1000;
const filters = document.getElementById("filters");
const choices = [...filters.querySelectorAll("select")];
const clear = document.getElementById("clear");
const more = document.getElementById("more");
const table = document.getElementById("results");
const body = table.tBodies[0];
const rows = [...body.rows];
// An entrant and its rival are both among the entrants of a match. A map is one word, whatever its name.
const words = new Map(rows.map((row) => [row, {
  tour: [row.dataset.tour],
  entrant: row.dataset.entrant.split(" "),
  rival: row.dataset.entrant.split(" "),
  map: [row.dataset.map],
  end: row.dataset.end.split(" "),
}]));
let most = FIRST;

function show() {
  const wanted = choices.filter((one) => one.value !== "");
  const fitting = rows.filter((row) => wanted.every((one) => words.get(row)[one.name].includes(one.value)));
  body.replaceChildren(...fitting.slice(0, most));
  const left = Math.max(0, fitting.length - most);
  document.getElementById("count").textContent = `${fitting.length} of ${rows.length}`;
  clear.disabled = wanted.length === 0;
  more.hidden = left === 0;
  more.textContent = `Show ${Math.min(left, MORE)} more of ${left}`;
}

function keep() {
  const chosen = choices.filter((one) => one.value !== "").map((one) => [one.name, one.value]);
  history.replaceState(null, "", `#${new URLSearchParams(chosen)}`);
  most = FIRST;
  show();
}

function read() {
  const given = new URLSearchParams(location.hash.slice(1));
  for (const one of choices) one.value = given.get(one.name) ?? "";
  most = FIRST;
  show();
}

for (const one of choices) one.addEventListener("change", keep);
clear.addEventListener("click", () => {
  for (const one of choices) one.value = "";
  keep();
  choices[0]?.focus(); // a disabled button has no focus
});
more.addEventListener("click", () => {
  const next = body.rows.length;
  most += MORE;
  show();
  (body.rows[next].querySelector("a") ?? more).focus(); // the button may be gone
});
addEventListener("hashchange", read);
read();
filters.hidden = false;
table.dataset.ready = "1";
