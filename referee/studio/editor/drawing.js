// The program on the page: charts, grid, palette, words, text. A change describes all of it anew, and `patch` keeps what is alike.

const UNSEEN = { "aria-hidden": "true" }; // for people who hear the page
const WORDS = { fires: "fires", fits: "would fit", no: "no match", unreached: "not reached" };

/** Give a node these children. Nodes that are there already stay and become like them, so they keep the focus and their pictures. */
function patch(node, children) {
  children.forEach((child, at) => node.childNodes[at] ? become(node.childNodes[at], child) : node.append(child));
  while (node.childNodes.length > children.length) node.lastChild.remove();
}

/** Make a node like another one. */
function become(node, other) {
  if (node.nodeName !== other.nodeName) return node.replaceWith(other);
  if (node.nodeType === Node.TEXT_NODE) return put(node, other.data);
  const keeps = (name) => other.hasAttribute(name) || node.nodeName === "CANVAS"; // its size is set when it is drawn
  for (const name of node.getAttributeNames()) if (!keeps(name)) node.removeAttribute(name);
  for (const { name, value } of other.attributes) if (node.getAttribute(name) !== value) node.setAttribute(name, value);
  return patch(node, [...other.childNodes]);
}

/** The lines of the headings of charts in a text, from 0: lines before as many rows of cells as a chart has. */
function headings(text, side) {
  const rows = text.split("\n").map((line) => /^\s*\S\S(\s+\S\S)+\s*$/.test(line) && line.trim().split(/\s+/).length === side);
  return rows.flatMap((_, at) => rows[at + 1] && !rows[at] ? [at] : []);
}

/** A button with a name that can be seen too. */
function button(attributes, ...content) {
  return el("button", { type: "button", title: attributes["aria-label"], ...attributes }, content);
}

/** A button with a picture, words, and the key that does the same. */
function choice(attributes, picture, words, key) {
  return button(attributes, picture, el("span", {}, words.replaceAll("-", " ")), el("kbd", UNSEEN, key));
}

function drawCharts({ doc, chart: current, part, debugger: { reasons } }) {
  put($("charts-label"), `${part}s`);
  put($("count"), `${doc.charts.length} of ${doc.limits.charts}`);
  $("add").disabled = $("copy").disabled = doc.charts.length >= doc.limits.charts;
  $("delete").disabled = doc.charts.length < 2;
  patch($("charts"), doc.charts.map(({ description, kind, rows }, at) => {
    const verdict = reasons.charts[at]?.verdict ?? "";
    return el("li", { "data-chart": at + 1, draggable: "true", "aria-current": at === current ? "true" : null },
      button({}, el("b", {}, at + 1), picture(rows),
        el("span", { class: description ? "about" : "about none" }, description || `${part} without words`),
        el("span", { class: "kind", hidden: doc.kinds.length < 2 ? "" : null }, kind),
        el("span", { class: "verdict", "data-verdict": verdict }, WORDS[verdict])));
  }));
}

function drawGrid({ doc, chart, x: atX, y: atY, debugger: bug }) {
  const fits = new Map(bug.laid(chart).map(({ x, y, fits }) => [`${x},${y}`, Number(fits)]));
  const cell = (text, x, y) => {
    const attributes = {
      type: "button", "data-x": x, "data-y": y, "data-fits": fits.get(`${x},${y}`) ?? "",
      tabindex: x === atX && y === atY ? 0 : -1,
      "aria-label": `${text}, ${inWords(doc, text)}, column ${x + 1}, row ${y + 1}`,
    };
    const letters = el("span", { class: partsOf(doc, text) ? null : "quiet" }, text);
    return el("td", {}, el("button", attributes, picture([text]), letters));
  };
  const rows = cellsOf(doc.charts[chart]).map((row, y) => el("tr", {}, row.map((text, x) => cell(text, x, y))));
  patch($("grid"), [el("tbody", {}, rows)]);
}

/** A cell for people who hear the page. */
function inWords(doc, text) {
  const parts = partsOf(doc, text);
  if (!parts) return facing(doc, text) ? `own head, ${arrows(facing(doc, text))}` : "asks nothing";
  const element = doc.elements.find(({ letter }) => letter === parts.letter)?.word ?? parts.letter;
  const group = doc.groups.find(({ sign }) => sign === parts.group)?.word ?? parts.group;
  return `${parts.not ? "except " : ""}${element}, ${group}`;
}

function drawBrush({ doc, brush }) {
  const elements = [...doc.elements, ...doc.letters.map((letter) => ({ letter, word: `set ${letter}` }))];
  patch($("palette"), elements.map(({ letter, word }) => {
    const pressed = !brush.head && letter === brush.letter;
    return choice({ "data-element": letter, "aria-pressed": pressed }, picture([letter]), word, letter);
  }));
  patch($("groups"), doc.groups.map(({ sign, word, colour }, at) => {
    const dot = el("i");
    dot.style.background = colour;
    return choice({ "data-group": sign, "aria-pressed": sign === brush.group }, dot, word, at);
  }));
  patch($("heads"), doc.heads.map(({ text, move }) => {
    const label = `own head, ${arrows(move)}`;
    return button({ "data-head": text, "aria-label": label, "aria-pressed": text === brush.head }, picture([text]));
  }));
  const member = (set, { word, letter }) => {
    const pressed = doc.sets[set]?.includes(word) ?? false;
    return button({ "data-word": word, "aria-label": `set ${set}: ${word}`, "aria-pressed": pressed }, picture([letter]));
  };
  patch($("sets"), doc.letters.map((set) =>
    el("li", { "data-set": set }, el("b", {}, set), doc.elements.map((element) => member(set, element)))));
  $("sets").parentNode.hidden = !doc.letters.length;
  $("not").checked = brush.not;
}

/** Put words into a field, but leave the spaces around them that somebody types: a program has none there. */
function fill(id, words) {
  if ($(id).value.trim() !== words) $(id).value = words;
}

/** Put another text into its field. The cursor goes to the end of what has changed, not of the text. */
function fillText(text) {
  const field = $("text"), old = field.value;
  field.value = text; // has \n only
  const { value } = field, most = Math.min(value.length, old.length);
  if (value === old || document.activeElement !== field) return;
  let same = 0;
  while (same < most && value.at(-1 - same) === old.at(-1 - same)) same += 1;
  field.setSelectionRange(value.length - same, value.length - same);
}

/** Show the state of an editor, without its debugger. */
function drawProgram(editor) {
  const { doc, chart: at, part, saved, broken, history: { at: version, list, now: { text, problem } } } = editor;
  const chart = doc.charts[at], isSaved = text !== null && text === saved;
  const other = $("charts").querySelector("[aria-current]")?.dataset.chart !== String(at + 1);
  drawCharts(editor);
  drawGrid(editor);
  drawBrush(editor);
  fill("name", doc.name);
  fill("description", doc.description);
  put($("which"), `${part} ${at + 1}`);
  fill("about", chart.description);
  patch($("kind"), options(doc.kinds.map(({ kind, heading }) => [kind, heading])));
  $("kind").value = chart.kind;
  $("kind").hidden = doc.kinds.length < 2;
  put($("reads"), chart.reads);
  if (text !== null) fillText(text);
  if (other) scrollToChart(at, chart.rows.length);
  root.toggleAttribute("data-broken", broken && Boolean(problem));
  drawProblem(problem);
  put($("notes"), text === saved ? "" : editor.notes.join("; "));
  root.dataset.saved = Number(isSaved);
  put($("state"), isSaved ? "saved" : "not saved");
  $("undo").disabled = version === 0;
  $("redo").disabled = version === list.length - 1;
  paint(doc);
}

/** Go to a chart in the list, and in the text unless somebody types there. */
function scrollToChart(chart, side) {
  const item = $("charts").children[chart], text = $("text");
  $("charts").scrollLeft = item.offsetLeft - ($("charts").clientWidth - item.clientWidth) / 2;
  if (document.activeElement === text) return;
  const line = headings(text.value, side)[chart] ?? 0;
  text.scrollTop = line * text.scrollHeight / text.value.split("\n").length - 4;
}

function drawProblem(problem) {
  const { message, line, column } = problem ?? {}, place = line && `Line ${line}, column ${column}: `;
  const attributes = { "data-line": line, "data-column": column, hidden: problem ? null : "" };
  become($("problem"), el("button", { id: "problem", type: "button", ...attributes }, [place, message].join("")));
}
