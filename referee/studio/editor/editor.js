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
    this.last = doc ?? empty; // the last document
    this.history = new History(text === null ? { doc: this.last, text } : { doc, text });
    Object.assign(this, { saved: text, tag, notes, problem });
    this.side = this.last.charts[0].rows.length;
    this.x = this.y = (this.side - 1) / 2;
    this.brush = { letter: this.last.elements[0].letter, group: this.last.groups[0].sign, not: false, head: null };
  }

  get doc() { return this.history.now.doc ?? this.last; }

  /** Whether the text has no charts, or it is not known yet (theory, point 2). */
  get broken() { return this.history.now.doc === null; }

  get part() { return this.doc.part[0].toUpperCase() + this.doc.part.slice(1); }

  draw() {
    drawProgram(this);
    this.debugger.draw(this.doc, this.part);
  }

  /** Something has changed: draw it, and ask what follows. */
  changed() {
    this.chart = Math.min(this.chart, this.doc.charts.length - 1);
    this.draw();
    this.attempt(() => this.answers.want());
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => this.address(), 300);
  }

  /** The address leads to what is shown. */
  address() {
    const { match, step, seat } = this.debugger, words = { ...match && { match, step, seat }, chart: this.chart + 1 };
    history.replaceState(null, "", `${location.pathname}#${new URLSearchParams(words)}`);
  }

  /** Ask the server what follows from the last version (theory, point 1). */
  async sync() {
    const version = this.history.now, { doc, text, before } = version, { game } = facts;
    await this.attempt(async () => {
      const { value } = text === null ? await ask("programs/format", { game, document: doc, ...before && { text: before } })
        : doc === null ? await ask("programs/parse", { game, text }) : { value: { document: doc } };
      Object.assign(version, { text, ...value, doc: value.document });
      if (version !== this.history.now) return;
      this.last = version.doc;
      this.problem = null;
      this.draw();
      await this.debugger.explain(game, version.text);
      this.draw();
      await runTests(version.text);
    }, () => version === this.history.now);
  }

  fail({ message, line, column }) {
    this.problem = { message, line, column };
    this.draw();
  }

  /** Do something that the server may refuse, and show why, while `matters`. */
  async attempt(act, matters = () => true) {
    try {
      await act();
    } catch (failed) {
      if (matters()) this.fail(failed);
    }
  }

  /** Make a version with another document; edits of the same kind in a row are undone together. */
  edit(doc, kind = null) {
    if (doc === this.doc || this.broken) return;
    const { text, before } = this.history.now;
    this.history.add({ doc, text: null, before: text ?? before }, kind);
    this.last = doc;
    this.changed();
  }

  /** Change keys of the chosen chart. */
  tell(words, kind) { this.edit(withChart(this.doc, this.chart, { ...this.doc.charts[this.chart], ...words }), kind); }

  type(text) {
    const crlf = this.history.now.text?.includes("\r\n") || this.saved?.includes("\r\n");
    this.history.add({ doc: null, text: crlf ? text.replaceAll("\n", "\r\n") : text }, "text");
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
    const { line, column } = this.problem ?? {}, text = $("text");
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
    if (!this.history.go(by)) return;
    this.last = this.doc;
    this.problem = null;
    $("text").value = this.history.now.text;
    this.changed();
  }

  async save() {
    await this.answers.want();
    const { text } = this.history.now;
    if (this.broken || text === null) return;
    await this.attempt(async () => {
      this.tag = (await ask(FILE, { text }, { method: "PUT", tag: this.tag })).tag;
      this.saved = text;
      this.problem = null;
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

  /** Keep the turn that is shown as a test. */
  pin() {
    $("pinning").close();
    return this.attempt(async () => {
      await keepTest(this.history.now.text, this.debugger);
      this.changed();
    });
  }

  /** Remove a test. */
  unpin(number) {
    return this.attempt(async () => {
      await ask("programs/unpin", { name: facts.name, number });
      this.changed();
    });
  }

  /** Play a new game with the program as it is now, and show it. */
  debug() {
    $("playing-new").close();
    return this.attempt(async () => {
      put($("idle"), "Playing …");
      const match = await play(this.history.now.text);
      facts.matches.unshift(match);
      this.debugger.offer(facts.matches);
      await this.debugger.open(match.id);
    });
  }

  // Charts

  choose(chart) {
    this.chart = this.debugger.choice = clamp(chart, 0, this.doc.charts.length - 1);
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
    if (this.doc.charts.length >= this.doc.limits.charts) return;
    const doc = { ...this.doc, charts: this.doc.charts.toSpliced(this.chart + 1, 0, chart) };
    this.chart += 1;
    this.edit(doc);
  }

  remove() {
    if (this.doc.charts.length > 1) this.edit({ ...this.doc, charts: this.doc.charts.toSpliced(this.chart, 1) });
  }

  // Cells

  text(x, y) { return cellsOf(this.doc.charts[this.chart])[y][x]; }

  put(x, y, text, kind = null) { this.edit(painted(this.doc, this.chart, x, y, text), kind); }

  /** Paint a cell with the brush. */
  paint(x, y, kind) { this.put(x, y, this.brush.head ?? textOf(this.brush), kind); }

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
    if (inGrid && ("letter" in brush || "head" in brush)) this.paint(this.x, this.y);
    else if (inGrid && parts) this.put(this.x, this.y, textOf({ ...parts, ...brush }));
    this.draw();
  }
}
