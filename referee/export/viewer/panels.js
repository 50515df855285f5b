// What stands beside and below the board: the seats, the events, the last move, the legend. Text of bots is set by `textContent`.
const EVENTS = 60; // that are listed, so that a long match does not slow the page down

/** A time span in seconds, in words. */
function lapse(seconds) {
  if (seconds < 0.009995) return `${(seconds * 1000).toFixed(2)}ms`;
  if (seconds < 0.9995) return `${(seconds * 1000).toFixed(0)}ms`;
  return `${seconds.toFixed(seconds < 9.995 ? 2 : seconds < 99.95 ? 1 : 0)}s`;
}

/** A part (0 to 1) as a bar; one that is nearly full is marked if `high`. */
function fill(bar, part, high) {
  bar.style.width = `${clamp(part, 0, 1) * 100}%`;
  bar.classList.toggle("high", high && part > 0.8);
}

/** A seat's name, with its colour. */
function named(doc, seat, name) {
  const made = el("bdi");
  made.textContent = name;
  made.style.setProperty("--seat", doc.colours[seat][0]);
  return made;
}

class Table {
  /** follow: what a click on a seat calls. */
  constructor(film, follow) {
    const { columns, colours, limits } = film.doc, note = columns.length - 1, table = $("seats"), budget = limits.total === null ? "used" : "left";
    const head = (name, more = { "data-col": name }) => el("th", { scope: "col", ...more }, name);
    const last = head("last", { title: "the time of the last answer, and which part of its limit it is" });
    const shown = columns.map((name) => head(name));
    shown[note].replaceChildren(el("span", { class: "unseen" }, columns[note]));
    table.tHead.append(el("tr", {}, head("rank", { class: "rank" }), ...shown.slice(0, note), last, head(budget, {}), shown[note]));
    this.film = film;
    this.rows = colours.map(([colour, , ink], seat) => {
      const button = el("button", { type: "button", "aria-label": `Follow seat ${seat + 1}` });
      button.style.background = colour;
      button.style.color = ink;
      button.addEventListener("click", () => follow(seat));
      const texts = columns.map((_, column) => column === 0 ? button : el(column === 1 ? "bdi" : "span"));
      const cells = columns.map((name, column) => el("td", { "data-col": name, "data-head": column % note > 1 ? name : "" }, texts[column]));
      const rank = el("td", { class: "rank" }), took = this.time("last"), left = this.time(budget);
      const row = el("tr", { "data-seat": seat }, rank, ...cells.slice(0, note), took.cell, left.cell, cells[note]);
      row.style.setProperty("--seat", colour);
      left.bar.parentNode.hidden = limits.total === null;
      table.tBodies[0].append(row);
      return { row, button, texts, rank, took, left };
    });
  }

  time(head) {
    const text = el("span"), bar = el("i");
    return { text, bar, cell: el("td", { class: "time", "data-head": head }, text, el("b", {}, bar)) };
  }

  draw(at, followed) {
    const { film } = this, { total } = film.doc.limits;
    this.rows.forEach(({ row, button, texts, rank, took, left }, seat) => {
      texts.forEach((node, column) => put(node, film.text(seat, column)));
      const place = film.text(seat, texts.length), move = film.moves[seat][film.lastMove(seat, at)], used = move?.used ?? 0;
      put(rank, place && `#${place}`);
      put(took.text, move ? lapse(move.took) : "-");
      fill(took.bar, move ? move.took / move.limit : 0, true);
      took.cell.title = move ? `${lapse(move.took)} of ${lapse(move.limit)}` : "";
      put(left.text, lapse(total === null ? used : Math.max(0, total - used)));
      fill(left.bar, total === null ? 0 : 1 - used / total, false);
      if (seat === followed) row.setAttribute("aria-current", "true"); else row.removeAttribute("aria-current");
      button.setAttribute("aria-pressed", seat === followed);
      row.classList.toggle("out", texts.at(-1).textContent.startsWith("disqualified"));
    });
  }
}

/** A link to a step. */
const stepLink = (step, ...children) => el("a", { href: `#step=${step}` }, ...children);

/** A text in which steps are links, names are isolated, and the rows of a table, which have columns, stay in one line. */
function linkedLines(text, names) {
  return text.split(/(?<=\n)/).map((line) => el("span", /^\S.*\S {2,}\S/.test(line) ? { class: "row" } : {}, ...linked(line, names)));
}

/** A text in which steps are links and names are isolated. */
function linked(text, names) {
  return text.split(/(?<!-)\b(step \d+)/).flatMap((part, place) => place % 2 ? stepLink(part.slice(5), part) : isolated(part, names));
}

/** The parts of a text: names, and what stands between them. A name can hold another one, so the longest is looked for first. */
function isolated(text, names) {
  const [name, ...others] = names.filter(Boolean).sort((one, other) => other.length - one.length);
  if (!name) return [text];
  return text.split(name).flatMap((part, place) => [...place ? [el("bdi", {}, name)] : [], ...isolated(part, others)]);
}

/** An event in words, with its names as elements. */
const sentence = (doc, event) => doc.told[doc.events[event][2]].map((part) => typeof part === "string" ? part : named(doc, ...part));

/** The last events: from step to step, only those that come and go change. Of those that say the same, the last one is shown. */
class Events {
  constructor(film) {
    this.film = film;
    this.list = $("events");
    this.start = this.end = 0; // the events that are listed
    this.lit = [];
  }

  draw(at, kind, marked) {
    const { film, list } = this, end = lastUpTo(film.told, at) + 1, start = Math.max(0, end - EVENTS);
    this.patch(start, end);
    for (const item of this.lit) item.classList.remove("now", "marked");
    this.lit = [];
    for (let item = list.lastChild; item?.dataset.step === String(at); item = item.previousSibling) {
      item.classList.add("now");
      item.classList.toggle("marked", marked?.step === at && item.dataset.kind === marked.kind);
      this.lit.push(item);
    }
    $("none").hidden = end > 0;
  }

  patch(start, end) {
    const { list } = this;
    if (start >= this.end || end <= this.start) {
      list.replaceChildren();
      this.start = this.end = start;
    }
    for (; this.start < start; this.start++) list.firstChild.remove();
    for (; this.end > end; this.end--) list.lastChild.remove();
    while (this.start > start) list.prepend(this.item(--this.start));
    for (; this.end < end; this.end++) {
      if (list.lastChild) list.lastChild.hidden = this.repeated(this.end);
      list.append(this.item(this.end));
    }
    if (list.lastChild) list.lastChild.hidden = false;
  }

  /** Whether an event says the same as the one before it. */
  repeated(event) { return this.film.runs[event] !== event && event < this.film.runs.length; }

  item(event) {
    const { doc, runs } = this.film, [step, kind] = doc.events[event], times = event - runs[event] + 1;
    const [first, round] = [doc.events[runs[event]][0], step].map((of) => doc.rounds[of - 1] || "–");
    const made = el("li", { "data-step": step, "data-kind": doc.kinds[kind] }, stepLink(step, ...sentence(doc, event)));
    made.dataset.round = first === round ? round : `${first}–${round}`;
    if (times > 1) made.firstChild.dataset.times = ` ×${times}`;
    made.hidden = this.repeated(event + 1);
    return made;
  }
}

/** The links that lead to a move of a seat: of one that `data-step` lists, or of the seat that is shown. What decided has those, too. */
const bound = [...document.querySelectorAll("#links [data-step]")].map((link) => {
  const seats = JSON.parse(`[${link.dataset.step}]`), copy = link.cloneNode(true);
  if (seats.length) $("decider").append(copy);
  return { link, copy, seats };
});

/** The last move of the followed seat, else of seat 0; with `ahead`, its next move if that comes in the next step. */
function drawMove(film, at, followed, ahead) {
  const { doc } = film, seat = followed ?? 0, index = film.lastMove(seat, at), coming = film.moves[seat][index + 1];
  const next = ahead && coming?.step === at + 1, move = next ? coming : film.moves[seat][index], fault = Array.isArray(move?.said);
  for (const { link, copy, seats } of bound) {
    const own = !seats.length || seats.includes(seat), of = own ? seat : seats[0];
    const shown = own ? move : film.moves[of][film.lastMove(of, at)];
    link.hash = copy.hash = `step=${shown?.step ?? 1}&seat=${of}`;
    copy.hidden = !own;
  }
  put($("which"), next ? "Next" : "Last");
  $("mover").replaceChildren(named(doc, seat, film.text(seat, 1)));
  put($("moved"), move ? `${doc.askNames[doc.asks[move.step - 1]]}, step ${move.step}` : "none yet");
  put($("lasted"), move ? `${lapse(move.took)} of ${lapse(move.limit)}` : "");
  fill($("took").firstChild, move ? move.took / move.limit : 0, true);
  put($("request"), move ? film.request(move) : "");
  put($("answer"), move ? fault ? move.said.join(": ") : move.said : "");
  $("answer").classList.toggle("fault", fault);
  if (doc.decided) {
    put($("reasons"), move ? doc.whys[doc.decided[move.step - 1][move.place]] : "");
    $("reasons-part").hidden = !$("reasons").textContent; // the program of this seat is not known
  }
  if (doc.logs) put($("log"), move ? doc.logs[move.step - 1][move.place] : "");
}

class Legend {
  constructor(doc) {
    this.doc = doc;
    this.canvases = doc.legend.map(([mark, , meaning]) => {
      const canvas = el("canvas", { "aria-hidden": "true" }), code = el("code"), words = el("span");
      code.textContent = doc.marks[mark][0];
      words.textContent = meaning;
      $("legend").append(el("li", {}, canvas, code, words));
      return canvas;
    });
  }

  fit(pixel) {
    const painter = new Painter(this.doc, Math.round(26 * pixel));
    this.doc.legend.forEach(([mark, sides], place) => {
      const canvas = this.canvases[place];
      canvas.width = canvas.height = painter.size;
      canvas.getContext("2d").drawImage(painter.look(mark, sides), 0, 0);
    });
  }
}
