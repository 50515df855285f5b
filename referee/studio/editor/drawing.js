// The program on the page: charts, grid, palette, words, text. `Drawing.draw` shows a state, and changes only what differs.

const UNSEEN = { "aria-hidden": "true" }; // for people who hear the page

/** As many children as items: they are made once, and each is updated with its item. */
function list(parent, items, make, update) {
  while (parent.children.length > items.length) parent.lastElementChild.remove();
  items.forEach((item, at) => {
    if (!parent.children[at]) parent.append(make(at));
    update(parent.children[at], item, at);
  });
}

const hide = (node, hidden) => { if (node.hidden !== hidden) node.hidden = hidden; };

const set = (node, name, value) => { if (node.getAttribute(name) !== String(value)) node.setAttribute(name, value); };

const fill = (input, value) => { if (input.value !== value) input.value = value; };

/** The lines of the headings of charts in a text, from 0: lines before as many rows of cells as a chart has. */
function headings(text, side) {
  const rows = text.split("\n").map((line) => /^\s*\S\S(\s+\S\S)+\s*$/.test(line) && line.trim().split(/\s+/).length === side);
  return rows.flatMap((_, at) => rows[at + 1] && !rows[at] ? [at] : []);
}

const WORDS = { fires: "fires", fits: "would fit", no: "no match", unreached: "not reached" };

class Drawing {
  /** doc: any document of the language. */
  constructor(doc) {
    this.doc = doc;
    this.album = new Album(doc);
    const rows = cellsOf(doc.charts[0]);
    const cell = (x, y) => el("td", {}, this.button({ "data-x": x, "data-y": y, tabindex: -1 }, el("canvas", UNSEEN), el("span")));
    $("grid").append(el("tbody", {}, ...rows.map((row, y) => el("tr", {}, ...row.map((_, x) => cell(x, y))))));
    this.cells = rows.map((row, y) => row.map((_, x) => $("grid").rows[y].cells[x].firstChild));
    const elements = [...doc.elements, ...doc.letters.map((letter) => ({ letter, word: `set ${letter}` }))];
    this.letters = elements.map(({ letter }) => letter);
    $("palette").append(...elements.map(({ letter, word }) => this.choice({ "data-element": letter }, this.picture(letter, 26), word, letter)));
    $("groups").append(...doc.groups.map(({ sign, word, colour }, at) => {
      const dot = el("i");
      dot.style.background = colour;
      return this.choice({ "data-group": sign }, dot, word, at);
    }));
    $("heads").append(...doc.heads.map(({ text }) => this.button({ "data-head": text, "aria-label": `own head, ${text}` }, this.picture(text, 26))));
    hide($("sets").parentNode, !doc.letters.length);
    $("sets").append(...doc.letters.map((letter) => el("li", { "data-set": letter }, el("b", {}, letter), ...doc.elements.map((element) =>
      this.button({ "data-word": element.word, "aria-label": `set ${letter}: ${element.word}` }, this.picture(element.letter, 22))))));
    hide($("kind"), doc.kinds.length < 2);
    $("kind").append(...doc.kinds.map(({ kind, heading }) => el("option", { value: kind }, heading)));
  }

  button(attributes, ...content) {
    return el("button", { type: "button", ...attributes["aria-label"] && { title: attributes["aria-label"] }, ...attributes }, ...content);
  }

  /** A button with a picture, words, and the key that does the same. */
  choice(attributes, picture, word, key) {
    return this.button(attributes, picture, el("span", {}, word.replaceAll("-", " ")), el("kbd", UNSEEN, String(key)));
  }

  picture(text, pixels) {
    const canvas = el("canvas", UNSEEN);
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
    root.toggleAttribute("data-broken", state.broken && Boolean(state.problem));
    this.problem(state.problem);
    put($("notes"), state.notes.join("; "));
    const saved = state.text === null ? false : state.text === state.saved;
    set(root, "data-saved", saved ? 1 : 0);
    put($("state"), saved ? "saved" : "not saved");
    $("undo").disabled = !state.canUndo;
    $("redo").disabled = !state.canRedo;
  }

  /** Go to another chart in the list, and in the text unless somebody types there. */
  scroll(chart) {
    if (this.scrolled === chart) return;
    this.scrolled = chart;
    const item = $("charts").children[chart], text = $("text");
    $("charts").scrollLeft = item.offsetLeft - item.clientWidth / 2;
    if (document.activeElement === text) return;
    const line = headings(text.value, this.cells.length)[chart] ?? 0;
    text.scrollTop = line * text.scrollHeight / text.value.split("\n").length - 4;
  }

  charts({ doc, chart: at, part, verdicts }) {
    put($("charts-label"), `${part}s`);
    put($("count"), `${doc.charts.length} of ${doc.limits.charts}`);
    $("add").disabled = $("copy").disabled = doc.charts.length >= doc.limits.charts;
    $("delete").disabled = doc.charts.length < 2;
    const parts = (index) => [el("b", {}, String(index + 1)), el("canvas", UNSEEN), ...["about", "kind", "verdict"].map((name) => el("span", { class: name }))];
    list($("charts"), doc.charts, (index) => el("li", { "data-chart": index + 1, draggable: "true" }, this.button({}, ...parts(index))), (item, chart, index) => {
      const [, canvas, about, kind, verdict] = item.firstChild.children;
      this.album.chart(canvas, chart, 52);
      put(about, chart.description || `${part} without words`);
      about.classList.toggle("none", !chart.description);
      put(kind, chart.kind);
      hide(kind, doc.kinds.length < 2);
      put(verdict, WORDS[verdicts[index]] ?? "");
      set(verdict, "data-verdict", verdicts[index] ?? "");
      if (index === at) item.setAttribute("aria-current", "true"); else item.removeAttribute("aria-current");
    });
  }

  grid({ doc, x: atX, y: atY, cells: laid, part }, chart) {
    const size = this.cells[0][0].firstChild.clientWidth || 40, fits = new Map(laid.map(({ x, y, fits }) => [`${x},${y}`, fits]));
    cellsOf(chart).forEach((row, y) => row.forEach((text, x) => {
      const button = this.cells[y][x], [canvas, letters] = button.children, parts = partsOf(doc, text);
      this.album.put(canvas, text, size);
      put(letters, text);
      letters.classList.toggle("quiet", !parts);
      set(button, "tabindex", x === atX && y === atY ? 0 : -1);
      set(button, "data-fits", fits.has(`${x},${y}`) ? Number(fits.get(`${x},${y}`)) : "");
      set(button, "aria-label", `${text}, ${this.inWords(text, parts)}, column ${x + 1}, row ${y + 1}`);
    }));
  }

  inWords(text, parts) {
    if (!parts) return facing(this.doc, text) ? "own head" : "asks nothing";
    const word = (list, name, value) => list.find((entry) => entry[name] === value)?.word ?? value;
    const [element, group] = [word(this.doc.elements, "letter", parts.letter), word(this.doc.groups, "sign", parts.group)];
    return `${parts.not ? "except " : ""}${element}, ${group}`;
  }

  brush({ brush, doc }) {
    const { letter, group, head } = brush;
    for (const [id, name, value] of [["palette", "element", head ? null : letter], ["groups", "group", group], ["heads", "head", head]]) {
      for (const button of $(id).children) set(button, "aria-pressed", button.dataset[name] === value);
    }
    $("not").checked = brush.not;
    for (const row of $("sets").children) {
      const words = doc.sets[row.dataset.set] ?? [];
      for (const button of row.querySelectorAll("button")) set(button, "aria-pressed", words.includes(button.dataset.word));
    }
  }

  problem(problem) {
    const node = $("problem");
    hide(node, !problem);
    if (!problem) return;
    const { message, line, column } = problem;
    put(node, line ? `Line ${line}, column ${column}: ${message}` : message);
    for (const [name, value] of [["data-line", line], ["data-column", column]]) {
      if (value) set(node, name, value); else node.removeAttribute(name);
    }
  }
}
