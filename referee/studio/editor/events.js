// What people do with the mouse, a finger or the keyboard, and where the page begins.

const on = (id, kind, act) => $(id)?.addEventListener(kind, act);

function listen(editor) {
  const bug = editor.debugger, cell = (node) => node.closest?.("#grid button")?.dataset;

  // Cells: a stroke paints every cell that it comes over; the right button clears.
  let stroke = 0, painting = false, erase = false;
  const paint = ({ x, y }) => {
    Object.assign(editor, { x: Number(x), y: Number(y) });
    const kind = `stroke ${stroke}`;
    if (erase) editor.put(editor.x, editor.y, editor.doc.nothing, kind); else editor.paint(editor.x, editor.y, kind);
  };
  on("grid", "pointerdown", (event) => {
    const at = cell(event.target);
    if (!at || event.button === 1 || event.pointerType === "touch") return; // a finger may begin to scroll: a click paints
    const text = editor.text(at.x, at.y), same = !editor.brush.head && text === textOf(editor.brush);
    erase = event.button === 2 || same && !facing(editor.doc, text);
    stroke += 1;
    painting = true;
    paint(at);
    editor.at(editor.x, editor.y);
    event.preventDefault();
  });
  on("grid", "pointerover", (event) => { if (painting && cell(event.target) && !editor.brush.head) paint(cell(event.target)); });
  for (const end of ["pointerup", "pointercancel"]) addEventListener(end, () => { painting = false; });
  on("grid", "click", (event) => {
    if (!cell(event.target) || event.detail && event.pointerType !== "touch") return; // of the mouse
    stroke += 1;
    erase = false;
    paint(cell(event.target));
  });
  on("grid", "contextmenu", (event) => event.preventDefault());
  on("grid", "focusin", (event) => {
    const at = cell(event.target);
    if (at && (editor.x !== Number(at.x) || editor.y !== Number(at.y))) editor.at(Number(at.x), Number(at.y));
  });

  // Charts, in their list and among the reasons
  const number = ({ target }) => Number(target.closest("[data-chart]")?.dataset.chart) - 1; // from 0; NaN beside them
  for (const id of ["charts", "reasons"]) on(id, "click", (event) => { if (number(event) >= 0) editor.choose(number(event)); });
  on("charts", "keydown", (event) => {
    const by = { ArrowUp: -1, ArrowDown: 1 }[event.key], at = number(event);
    if (!by || !(at >= 0)) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.altKey) return editor.move(at, at + by);
    editor.choose(at + by);
    $("charts").children[editor.chart].firstChild.focus();
  });
  let dragged = null;
  on("charts", "dragstart", (event) => {
    dragged = number(event);
    event.dataTransfer.effectAllowed = "move";
  });
  on("charts", "dragover", (event) => { if (dragged !== null) event.preventDefault(); });
  on("charts", "drop", (event) => { if (number(event) >= 0) editor.move(dragged, number(event)); });
  on("charts", "dragend", () => { dragged = null; });

  // Buttons, by their ids or by what they stand for
  const clicks = {
    mirror: () => editor.edit(turned(editor.doc, editor.chart, true)),
    rotate: () => editor.edit(turned(editor.doc, editor.chart, false)),
    up: () => editor.move(editor.chart, editor.chart - 1),
    down: () => editor.move(editor.chart, editor.chart + 1),
    add: () => editor.insert(blank(editor.doc)),
    copy: () => editor.insert(editor.doc.charts[editor.chart]),
    delete: () => editor.remove(),
    text: () => editor.follow(),
    problem: () => editor.point(),
    undo: () => editor.undo(-1),
    redo: () => editor.undo(1),
    save: () => editor.save(),
    submit: () => editor.submit(),
    pin: () => offerTest(editor.doc, bug.reasons),
    "pin-save": () => editor.pin(),
    prev: () => bug.turn(-1),
    next: () => bug.turn(1),
    play: () => bug.play(!bug.timer),
    debug: () => editor.attempt(offerGame),
    "debug-start": () => editor.debug(),
    keys: () => $("help").showModal(),
  };
  for (const [id, act] of Object.entries(clicks)) on(id, "click", act);
  const button = (act) => ({ target }) => { if (target.closest("button")) act(target.closest("button").dataset, target); };
  on("palette", "click", button(({ element }) => editor.take({ letter: element })));
  on("groups", "click", button(({ group }) => editor.take({ group })));
  on("heads", "click", button(({ head }) => editor.take({ head })));
  on("sets", "click", button(({ word }, target) => editor.include(target.closest("li").dataset.set, word)));
  on("tests", "click", button(({ unpin }) => editor.unpin(Number(unpin))));

  // Fields
  on("not", "change", () => editor.take({ not: $("not").checked }));
  on("name", "input", () => editor.edit({ ...editor.doc, name: $("name").value }, "name"));
  on("description", "input", () => editor.edit({ ...editor.doc, description: $("description").value }, "description"));
  on("about", "input", () => editor.tell({ description: $("about").value }, `about ${editor.chart}`));
  on("kind", "change", () => editor.tell({ kind: $("kind").value }));
  on("text", "input", () => editor.type($("text").value));
  on("text", "keyup", () => editor.follow());
  on("match", "change", () => editor.attempt(() => bug.open($("match").value)));
  on("seat", "change", () => bug.sit(Number($("seat").value)));
  on("step", "change", () => bug.go(Number($("step").value)));
  on("turn", "input", () => bug.go(bug.turns[$("turn").value]));

  /** What a key does in the grid; undefined for others. */
  function inGrid({ key }) {
    const by = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1], Home: [-99, 0], End: [99, 0] }[key];
    if (by) return () => editor.at(editor.x + by[0], editor.y + by[1]);
    if (key === "Delete" || key === "Backspace") return () => editor.put(editor.x, editor.y, editor.doc.nothing);
    const { doc } = editor, text = editor.text(editor.x, editor.y);
    const letter = [...doc.elements.map((element) => element.letter), ...doc.letters].find((letter) => letter === key.toUpperCase());
    if (letter) return () => editor.take({ letter });
    if (key === "!") return () => editor.take({ not: !(partsOf(doc, text) ?? editor.brush).not });
    const group = doc.groups[/^\d$/.test(key) ? key : -1] ?? doc.groups.find(({ sign }) => sign === key);
    if (group) return () => editor.take({ group: group.sign });
    if (key.toLowerCase() !== "h") return undefined;
    const turns = TURNS.indexOf(facing(doc, text)); // -1 if the head is elsewhere
    return () => editor.take({ head: headOf(doc, TURNS[(turns + 1) % 4]) });
  }

  /** What a key does elsewhere. */
  function anywhere({ key, target }) {
    if (target.matches("[type=range]") || key === " " && target.closest("button, a, [type=checkbox]")) return undefined;
    const others = { g: () => editor.at(editor.x, editor.y), ArrowLeft: clicks.prev, ArrowRight: clicks.next, " ": clicks.play, "?": clicks.keys };
    return /^[1-9]$/.test(key) ? () => editor.choose(Number(key) - 1) : others[key];
  }

  addEventListener("keydown", (event) => {
    const { key, ctrlKey, metaKey, altKey, shiftKey, target } = event, command = ctrlKey || metaKey;
    let act;
    if (command && key.toLowerCase() === "s") act = () => editor.save();
    else if (command && !altKey && "zy".includes(key.toLowerCase())) act = () => editor.undo(key.toLowerCase() === "y" || shiftKey ? 1 : -1);
    else if (!command && !altKey && cell(target)) act = inGrid(event);
    else if (!command && !altKey && !target.closest(FIELDS)) act = anywhere(event);
    if (!act) return;
    event.preventDefault();
    act();
  });
  addEventListener("resize", () => editor.draw());
  addEventListener("beforeunload", (event) => { if (root.dataset.saved === "0") event.preventDefault(); });
}

/** The match, step, seat (from 0) and chart that the address names, after ? or #. */
function addressed() {
  const words = new URLSearchParams(`${location.search.slice(1)}&${location.hash.slice(1)}`);
  const number = (name) => Number.parseInt(words.get(name), 10) || 0;
  return { match: words.get("match") ?? "", step: number("step"), seat: words.has("seat") ? number("seat") : null, chart: number("chart") };
}

async function begin() {
  root.dataset.ready = 0;
  try {
    editor = new Editor(await ask(FILE));
    const { match, step, seat, chart } = addressed();
    listen(editor);
    editor.debugger.offer(facts.matches);
    editor.chart = Math.max(0, chart - 1);
    if (match) await editor.attempt(() => editor.debugger.open(match, step, seat));
    editor.changed();
    await editor.answers.running;
    const fires = editor.debugger.reasons.charts.findIndex(({ verdict }) => verdict === "fires");
    if (!chart && fires >= 0) editor.choose(fires);
    root.dataset.ready = 1;
  } catch (failed) {
    root.dataset.ready = "error";
    $("problem").hidden = false;
    put($("problem"), failed.message);
    if (!(failed instanceof Refused)) throw failed;
  }
}

let editor = null; // the one of this page

begin();
