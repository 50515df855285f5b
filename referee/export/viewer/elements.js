// Elements of pages, by id and new ones. Text of strangers is set by `textContent`.

const $ = (id) => document.getElementById(id);

/** An element. Attributes and children that are null or undefined are left out, and children that are false. */
function el(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) if ((value ?? null) !== null) made.setAttribute(name, value);
  made.append(...children.flat().filter((child) => ![null, undefined, false].includes(child)));
  return made;
}

function put(node, text) {
  if (node.textContent !== text) node.textContent = text;
}
