// The editor: what people can do, and when the server is asked.
//
// 1. An edit makes a new version of the program, which is drawn at once. Then the server is asked for what follows from it: the text of a
//    drawn chart or the charts of a typed text, its words, the reasons, the verdicts of the tests. Only the last version is asked about.
// 2. A text with a mistake has no charts. The page keeps those of the last text that had none, and takes no edit of them until the text
//    is whole again or undone: otherwise the edit would write over what was typed.
// 3. The keys that steer the debugger work wherever no letters are typed: outside of the grid, of fields and of lists.
const FIELDS = "input:not([type=checkbox], [type=range]), textarea, select, dialog";
const FILE = `programs/${pathOf(facts.name)}`;

class Editor {
  chart = 0;
  debugger = new Debugger(() => this.changed());
  answers = new Latest(() => this.sync());

  /** The program as the server has it: its text (null for a new file), its document (null with a problem), the tag of its file. */
  constructor({ value: { document: doc, text, language, notes = [], problem = null }, tag }) {
    const empty = language && { ...language, name: facts.stem, description: "", words: {}, sets: {}, charts: [blank(language)] };
    this.history = new History({ doc: text === null ? empty : doc, text, problem });
    this.first = doc ?? empty; // what is shown while no version has charts
    Object.assign(this, { saved: text, tag, notes });
    this.side = this.doc.charts[0].rows.length;
    this.x = this.y = (this.side - 1) / 2;
    this.brush = { letter: this.doc.elements[0].letter, group: this.doc.groups[0].sign, not: false, head: null };
  }

  get doc() { return this.history.doc ?? this.first; }

  /** Whether the text has no charts, or it is not known yet (theory, point 2). */
  get broken() { return this.history.now.doc === null; }

  get part() { return this.doc.part[0].toUpperCase() + this.doc.part.slice(1); }

  draw() {
    drawProgram(this);
    this.debugger.draw(this.doc, this.part, this.chart);
  }

  /** Something has changed: draw it, and ask what follows. */
  changed() {
    this.chart = Math.min(this.chart, this.doc.charts.length - 1);
    this.draw();
    this.answers.want();
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => this.address(), 300);
  }

  /** The address leads to what is shown. */
  address() {
    const { match, step, seat } = this.debugger, words = { ...match && { match, step, seat }, chart: this.chart + 1 };
    history.replaceState(null, "", `${location.pathname}#${new URLSearchParams(words)}`);
  }

  /** Ask the server what follows from the last version (theory, point 1). */
  sync() {
    return this.attempt(async (version) => {
      const { doc, text, before } = version, { game } = facts;
      const { value } = text === null ? await ask("programs/format", { game, document: doc, ...before && { text: before } })
        : doc === null ? await ask("programs/parse", { game, text }) : { value: { document: doc } };
      Object.assign(version, { text, ...value, doc: value.document, problem: null });
      if (version !== this.history.now) return;
      this.draw();
      await this.debugger.explain(version.text);
      this.draw();
      await runTests(version.text);
    });
  }

  /** Do something with the version of now that the server may refuse. Why it did is the problem of this version. */
  async attempt(act) {
    const version = this.history.now;
    try {
      await act(version);
    } catch ({ message, line, column }) {
      version.problem = { message, line, column };
      this.draw();
    }
  }

  /** Make a version with another document; edits of the same kind in a row are undone together. */
  edit(doc, kind = null) {
    if (doc === this.doc || this.broken) return this.draw(); // the fields lose what was not taken
    const { text, before } = this.history.now;
    this.history.add({ doc, text: null, before: text ?? before }, kind);
    return this.changed();
  }

  /** Change keys of the chosen chart. */
  tell(words, kind) { this.edit(withChart(this.doc, this.chart, { ...this.doc.charts[this.chart], ...words }), kind); }

  type(text) {
    const { text: before, problem } = this.history.now, crlf = before?.includes("\r\n") || this.saved?.includes("\r\n");
    this.history.add({ doc: null, text: crlf ? text.replaceAll("\n", "\r\n") : text, problem }, "text");
    this.changed();
  }

  /** Choose the chart in which the cursor of the text is. */
  follow() {
    const text = $("text"), line = text.value.slice(0, text.selectionStart).split("\n").length - 1;
    const chart = headings(text.value, this.side).findLastIndex((heading) => heading <= line);
    if (chart >= 0 && chart !== this.chart && chart < this.doc.charts.length) this.choose(chart);
  }

  /** Go to the place in the text where the problem is. */
  point() {
    const { line, column } = this.history.now.problem ?? {}, text = $("text");
    if (!line) return;
    const lines = text.value.split("\n"), at = lines.slice(0, line - 1).join("\n").length + (line > 1) + column - 1;
    text.focus();
    text.setSelectionRange(at, at + 1);
    text.scrollTop = (line - 3) * text.scrollHeight / lines.length;
  }

  /** Put an element into a set, or take it out. */
  include(set, word) {
    const words = new Set(this.doc.sets[set]), { [set]: _, ...others } = this.doc.sets;
    if (!words.delete(word)) words.add(word);
    const sets = words.size ? { ...others, [set]: [...words] } : others;
    this.edit({ ...this.doc, sets: Object.fromEntries(Object.entries(sets).sort()) });
  }

  undo(by) {
    if (this.history.go(by)) this.changed();
  }

  async save() {
    await this.answers.want();
    if (this.broken || this.history.now.text === null) return;
    await this.attempt(async ({ text }) => {
      this.tag = (await ask(FILE, { text }, { method: "PUT", tag: this.tag })).tag;
      this.saved = text;
      this.draw();
    });
  }

  /** Save the program, send it as a version of its bot, and go to the page of the version: in an arena. */
  async submit() {
    await this.save();
    if (root.dataset.saved !== "1") return;
    await this.attempt(async () => {
      const { url } = (await ask(`bots/${facts.name}/versions?file=${facts.file}`, this.saved)).value;
      location.assign(url);
    });
  }

  // Charts

  choose(chart) {
    this.chart = clamp(chart, 0, this.doc.charts.length - 1);
    this.debugger.chosen = true;
    this.changed();
  }

  /** Give a chart another place in the order. */
  move(from, to) {
    if (to < 0 || to >= this.doc.charts.length || from === to) return;
    this.chart = to;
    this.edit(reordered(this.doc, from, to));
    $("charts").children[to].firstChild.focus();
  }

  insert(chart) {
    const charts = this.doc.charts.toSpliced(this.chart + 1, 0, chart);
    this.chart += 1;
    this.edit({ ...this.doc, charts });
  }

  remove() { this.edit({ ...this.doc, charts: this.doc.charts.toSpliced(this.chart, 1) }); }

  // Cells

  text(x, y) { return cellsOf(this.doc.charts[this.chart])[y][x]; }

  put(x, y, text, kind = null) { this.edit(painted(this.doc, this.chart, x, y, text), kind); }

  /** What the brush puts into a cell. */
  get inHand() { return this.brush.head ?? textOf(this.brush); }

  at(x, y) {
    this.x = clamp(x, 0, this.side - 1);
    this.y = clamp(y, 0, this.side - 1);
    this.draw();
    $("grid").rows[this.y].cells[this.x].firstChild.focus();
  }

  /** Take up an element, a group, a head or "except". If a cell of the grid has the focus, it gets it too. */
  take(brush) {
    const inGrid = $("grid").contains(document.activeElement), parts = partsOf(this.doc, this.text(this.x, this.y));
    this.brush = { ...this.brush, head: null, ...brush };
    if (inGrid && ("letter" in brush || "head" in brush)) this.put(this.x, this.y, this.inHand);
    else if (inGrid && parts) this.put(this.x, this.y, textOf({ ...parts, ...brush }));
    this.draw();
  }
}
