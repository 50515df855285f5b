// The program on the page: charts, grid, palette, words, text. `Drawing.draw` shows a state, and changes only what differs.

const key = (text) => el("kbd", { "aria-hidden": "true" }, text);

/** As many children as items: they are made once, and each is told its item. */
function list(parent, items, make, tell) {
  while (parent.children.length > items.length) parent.lastElementChild.remove();
  items.forEach((item, at) => {
    if (!parent.children[at]) parent.append(make(at));
    tell(parent.children[at], item, at);
  });
}

const hide = (node, hidden) => { if (node.hidden !== hidden) node.hidden = hidden; };

const said = (node, name, value) => { if (node.getAttribute(name) !== String(value)) node.setAttribute(name, value); };

const fill = (input, value) => { if (input.value !== value) input.value = value; };

/** The lines of the headings of charts in a text, from 0: lines before as many rows of cells as a chart has. */
function headings(text, side) {
  const rows = text.split("\n").map((line) => /^\s*\S\S(\s+\S\S)+\s*$/.test(line) && line.trim().split(/\s+/).length === side);
  return rows.flatMap((_, at) => rows[at + 1] && !rows[at] ? [at] : []);
}

const WORDS = { fires: "fires here", fits: "would fit", no: "no match", unreached: "not reached" };

class Drawing {
  /** doc: any document of the language. */
  constructor(doc) {
    this.doc = doc;
    this.album = new Album(doc);
    const rows = cellsOf(doc.charts[0]);
    $("grid").append(el("tbody", {}, ...rows.map((row, y) => el("tr", {}, ...row.map((_, x) => el("td", {}, this.button(x, y)))))));
    this.cells = rows.map((row, y) => row.map((_, x) => $("grid").rows[y].cells[x].firstChild));
    const named = (kind, value, picture, word, sign) => {
      const button = el("button", { type: "button", [`data-${kind}`]: value, "aria-pressed": "false" }, picture, el("span", {}, word), key(sign));
      return button;
    };
    const elements = [...doc.elements, ...doc.letters.map((letter) => ({ letter, word: `set ${letter}` }))];
    this.letters = elements.map(({ letter }) => letter);
    $("palette").append(...elements.map(({ letter, word }) => named("element", letter, this.picture(letter, 26), word.replaceAll("-", " "), letter)));
    hide($("sets").parentNode, !doc.letters.length);
    $("sets").append(...doc.letters.map((letter) => el("li", { "data-set": letter }, el("b", {}, letter), ...doc.elements.map(({ letter: element, word }) => el("button",
      { type: "button", "data-word": word, "aria-pressed": "false", "aria-label": `set ${letter}: ${word}`, title: word }, this.picture(element, 22))))));
    $("groups").append(...doc.groups.map(({ sign, word, colour }, at) => {
      const dot = el("i");
      if (colour) dot.style.background = colour;
      return named("group", sign, dot, word, String(at));
    }));
    $("heads").append(...doc.heads.map(({ text }) => el("button", { type: "button", "data-head": text, "aria-pressed": "false", "aria-label": `own head, ${text}`, title: `own head, ${text}` }, this.picture(text, 26))));
    hide($("kind"), doc.kinds.length < 2);
    $("kind").append(...doc.kinds.map(({ kind, heading }) => el("option", { value: kind }, heading)));
  }

  button(x, y) {
    return el("button", { type: "button", "data-x": x, "data-y": y, tabindex: "-1" }, el("canvas", { "aria-hidden": "true" }), el("span"));
  }

  picture(text, pixels) {
    const canvas = el("canvas", { "aria-hidden": "true" });
    this.album.put(canvas, text, pixels);
    return canvas;
  }

  draw(state) {
    const { doc, chart: at } = state, chart = doc.charts[at];
    fill($("name"), doc.name);
    fill($("description"), doc.description);
    this.charts(state);
    put($("which"), `${state.part} ${at + 1}`);
    fill($("about"), chart.description);
    fill($("kind"), chart.kind);
    this.grid(state, chart);
    this.brush(state);
    put($("reads"), chart.reads);
    if (state.text !== null && document.activeElement !== $("text")) fill($("text"), state.text.replaceAll("\r\n", "\n"));
    this.scroll(at);
    this.problem(state.problem);
    put($("notes"), state.notes.join("; "));
    const saved = state.text === null ? false : state.text === state.saved;
    said(root, "data-saved", saved ? 1 : 0);
    put($("state"), saved ? "saved" : "not saved");
    $("undo").disabled = !state.canUndo;
    $("redo").disabled = !state.canRedo;
  }

  /** Show the text of another chart, unless somebody types. */
  scroll(chart) {
    if (this.scrolled === chart || document.activeElement === $("text")) return;
    const text = $("text"), line = headings(text.value, this.cells.length)[chart] ?? 0;
    text.scrollTop = line * text.scrollHeight / text.value.split("\n").length - 4;
    this.scrolled = chart;
  }

  charts({ doc, chart: at, part, verdicts }) {
    put($("charts-label"), `${part}s`);
    put($("count"), `${doc.charts.length} of ${doc.limits.charts}`);
    $("add").disabled = $("copy").disabled = doc.charts.length >= doc.limits.charts;
    $("delete").disabled = doc.charts.length < 2;
    list($("charts"), doc.charts, (place) => el("li", { "data-chart": place + 1, draggable: "true" }, el("button", { type: "button" },
      el("b", {}, String(place + 1)), el("canvas", { "aria-hidden": "true" }), el("span", { class: "about" }), el("small", { class: "kind" }), el("small", { class: "verdict" }))),
    (item, chart, place) => {
      const [, canvas, about, kind, verdict] = item.firstChild.children;
      this.album.chart(canvas, chart, 52);
      put(about, chart.description || `${part} without words`);
      about.classList.toggle("none", !chart.description);
      put(kind, chart.kind);
      hide(kind, doc.kinds.length < 2);
      put(verdict, WORDS[verdicts[place]] ?? "");
      said(verdict, "data-verdict", verdicts[place] ?? "");
      if (place === at) item.setAttribute("aria-current", "true"); else item.removeAttribute("aria-current");
    });
  }

  grid({ doc, x: atX, y: atY, cells: laid, part }, chart) {
    const size = this.cells[0][0].firstChild.clientWidth || 40, fits = new Map(laid.map(({ x, y, fits }) => [`${x},${y}`, fits]));
    cellsOf(chart).forEach((row, y) => row.forEach((text, x) => {
      const button = this.cells[y][x], [canvas, letters] = button.children, parts = partsOf(doc, text);
      this.album.put(canvas, text, size);
      put(letters, text);
      letters.classList.toggle("quiet", !parts);
      said(button, "tabindex", x === atX && y === atY ? 0 : -1);
      said(button, "data-fits", fits.has(`${x},${y}`) ? Number(fits.get(`${x},${y}`)) : "");
      said(button, "aria-label", `${text}, ${this.inWords(text, parts)}, column ${x + 1}, row ${y + 1}`);
    }));
  }

  inWords(text, parts) {
    if (!parts) return facing(this.doc, text) ? "own head" : "asks nothing";
    const word = (list, name, value) => list.find((one) => one[name] === value)?.word ?? value;
    const [element, group] = [word(this.doc.elements, "letter", parts.letter), word(this.doc.groups, "sign", parts.group)];
    return `${parts.not ? "except " : ""}${element}, ${group}`;
  }

  brush({ brush, doc }) {
    for (const [id, name, value] of [["palette", "element", brush.head ? null : brush.letter], ["groups", "group", brush.group], ["heads", "head", brush.head]]) {
      for (const button of $(id).children) said(button, "aria-pressed", button.dataset[name] === value);
    }
    $("not").checked = brush.not;
    for (const row of $("sets").children) {
      const words = doc.sets[row.dataset.set] ?? [];
      for (const button of row.querySelectorAll("button")) said(button, "aria-pressed", words.includes(button.dataset.word));
    }
  }

  problem(problem) {
    const node = $("problem");
    hide(node, !problem);
    root.toggleAttribute("data-broken", Boolean(problem?.line));
    if (!problem) return;
    const { message, line, column } = problem;
    put(node, line ? `Line ${line}, column ${column}: ${message}` : message);
    for (const [name, value] of [["data-line", line], ["data-column", column]]) {
      if (value) said(node, name, value); else node.removeAttribute(name);
    }
  }
}
