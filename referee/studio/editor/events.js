// What people do with the mouse, a finger or the keyboard, and where the page begins.

const on = (id, kind, act) => $(id).addEventListener(kind, act);

function listen(editor) {
  const { drawing } = editor, bug = editor.debugger, cell = (node) => node.closest?.("#grid button")?.dataset;

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

  // The brush
  const button = (act) => ({ target }) => { if (target.closest("button")) act(target.closest("button").dataset, target); };
  on("palette", "click", button(({ element }) => editor.take({ letter: element })));
  on("groups", "click", button(({ group }) => editor.take({ group })));
  on("heads", "click", button(({ head }) => editor.take({ head })));
  on("sets", "click", button(({ word }, target) => editor.include(target.closest("li").dataset.set, word)));
  on("not", "change", () => editor.take({ not: $("not").checked }));
  on("mirror", "click", () => editor.edit(turned(editor.doc, editor.chart, true)));
  on("rotate", "click", () => editor.edit(turned(editor.doc, editor.chart, false)));

  // Charts
  on("charts", "click", ({ target }) => { const item = target.closest("li"); if (item) editor.choose(item.dataset.chart - 1); });
  on("charts", "keydown", (event) => {
    const item = event.target.closest("li"), by = { ArrowUp: -1, ArrowDown: 1 }[event.key], at = item?.dataset.chart - 1;
    if (!item || !by) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.altKey) return editor.move(at, at + by);
    const next = $("charts").children[clamp(at + by, 0, editor.doc.charts.length - 1)];
    editor.choose(next.dataset.chart - 1);
    next.firstChild.focus();
  });
  let dragged = null;
  on("charts", "dragstart", ({ target, dataTransfer }) => {
    dragged = target.closest("li").dataset.chart - 1;
    dataTransfer.effectAllowed = "move";
  });
  on("charts", "dragover", (event) => { if (dragged !== null) event.preventDefault(); });
  on("charts", "drop", ({ target }) => { if (target.closest("li")) editor.move(dragged, target.closest("li").dataset.chart - 1); });
  on("charts", "dragend", () => { dragged = null; });
  on("up", "click", () => editor.move(editor.chart, editor.chart - 1));
  on("down", "click", () => editor.move(editor.chart, editor.chart + 1));
  on("add", "click", () => editor.insert(blank(editor.doc)));
  on("copy", "click", () => editor.insert(editor.doc.charts[editor.chart]));
  on("delete", "click", () => editor.remove());

  // Words
  on("name", "input", () => editor.edit({ ...editor.doc, name: $("name").value }, "name"));
  on("description", "input", () => editor.edit({ ...editor.doc, description: $("description").value }, "description"));
  on("about", "input", () => editor.tell({ description: $("about").value }, `about ${editor.chart}`));
  on("kind", "change", () => editor.tell({ kind: $("kind").value }));
  on("text", "input", () => editor.type($("text").value));
  on("text", "click", () => editor.follow());
  on("text", "keyup", () => editor.follow());
  on("problem", "click", () => editor.point());
  on("undo", "click", () => editor.undo(-1));
  on("redo", "click", () => editor.undo(1));
  on("save", "click", () => editor.save());
  $("submit")?.addEventListener("click", () => editor.submit());
  on("pin", "click", () => editor.tests.pin(editor.doc));
  on("pin-save", "click", () => editor.pin());
  on("tests", "click", ({ target }) => target.dataset.unpin && editor.unpin(Number(target.dataset.unpin)));
  on("debug", "click", () => rivals().catch((failed) => editor.fail(failed)));
  on("debug-start", "click", () => editor.debug());
  on("keys", "click", () => $("help").showModal());
  /** What a key does in the grid; undefined for others. */
  function inGrid({ key }) {
    const by = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1], Home: [-99, 0], End: [99, 0] }[key];
    if (by) return () => editor.at(editor.x + by[0], editor.y + by[1]);
    if (key === "Delete" || key === "Backspace") return () => editor.put(editor.x, editor.y, editor.doc.nothing);
    const letter = key.length === 1 && drawing.letters.find((letter) => letter === key.toUpperCase());
    if (letter) return () => editor.take({ letter });
    if (key === "!") return () => editor.take({ not: !(partsOf(editor.doc, editor.text(editor.x, editor.y)) ?? editor.brush).not });
    const group = editor.doc.groups[key >= "0" && key <= "9" ? Number(key) : -1] ?? editor.doc.groups.find(({ sign }) => sign === key);
    if (group) return () => editor.take({ group: group.sign });
    if (key.toLowerCase() !== "h") return undefined;
    const turns = TURNS.indexOf(facing(editor.doc, editor.text(editor.x, editor.y))); // -1 if the head is elsewhere
    return () => editor.take({ head: headOf(editor.doc, TURNS[(turns + 1) % 4]) });
  }

  /** What a key does elsewhere. */
  function anywhere({ key, target }) {
    if (target.matches("[type=range]")) return undefined;
    const step = { ArrowLeft: -1, ArrowRight: 1 }[key];
    if (step) return () => bug.turn(step);
    if (key === " " && !target.closest("button, a, [type=checkbox]")) return () => bug.play(!bug.timer);
    if (key >= "1" && key <= "9") return () => editor.choose(Number(key) - 1);
    if (key === "g") return () => editor.at(editor.x, editor.y);
    if (key === "?") return () => $("help").showModal();
    return undefined;
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
    if (match) await editor.debugger.open(match, step, seat).catch((failed) => editor.fail(failed));
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
