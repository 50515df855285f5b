// Elements of pages, by id and new ones. Text of strangers is set by `textContent`.

const $ = (id) => document.getElementById(id);

function el(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

function put(node, text) {
  if (node.textContent !== text) node.textContent = text;
}
