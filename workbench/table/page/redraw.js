// A picture becomes another one: whatever stays as it was is left in place, and is neither made, laid out nor painted again.

/** What the nodes of the picture that stands were made of. */
const made = new WeakMap();

const source = (node) => made.get(node)?.source;

/** Shows an SVG text in an element, in place of the last one. Returns the picture. */
export function redraw(host, text) {
  const wanted = parsed(text);
  if (made.has(host.firstChild)) become(host.firstChild, wanted);
  else host.replaceChildren(node(wanted));
  return host.firstChild;
}

/** What an SVG text says: its `source`, the `name` and `head` of the element, and its `children`. */
function parsed(text) {
  const open = [{ children: [] }];
  for (const { 0: source, 1: closes, 2: name, 3: empty, index } of text.matchAll(/<(\/?)([^\s/>]*)[^>]*?(\/?)>|[^<]+/g)) {
    const above = open[open.length - 1];
    if (closes) {
      above.source = text.slice(above.index, index + source.length);
      open.pop();
      continue;
    }
    const one = { source, name, head: source, index, children: [] };
    above.children.push(one);
    if (name && !empty) open.push(one);
  }
  return open[0].children[0];
}

/** A node made of what was parsed. */
function node(one) {
  const isWhole = one.name === "svg";
  const template = document.createElement("template");
  template.innerHTML = isWhole ? one.source : `<svg>${one.source}</svg>`;
  const drawn = isWhole ? template.content.firstChild : template.content.firstChild.firstChild;
  remember(drawn, one);
  return drawn;
}

function remember(drawn, one) {
  made.set(drawn, one);
  drawn.childNodes.forEach((child, number) => remember(child, one.children[number]));
}

function become(element, wanted) {
  if (made.get(element).head !== wanted.head) dress(element, node({ ...wanted, source: wanted.head, children: [] }));
  made.set(element, wanted);
  const [ahead, needed] = [counted([...element.childNodes].map(source)), counted(wanted.children.map((child) => child.source))];
  let here = element.firstChild;
  const passed = () => {
    const one = here;
    here = here.nextSibling;
    ahead.set(source(one), ahead.get(source(one)) - 1);
    return one;
  };
  for (const child of wanted.children) {
    const isIt = () => source(here) === child.source;
    const isNeeded = () => needed.get(source(here)) > 0;
    const isOther = () => ahead.get(child.source) > 0 || !child.name || made.get(here).name !== child.name;
    while (here && !isNeeded() && isOther()) passed().remove();
    if (!here || (isNeeded() && !isIt())) element.insertBefore(node(child), here);
    else {
      const one = passed();
      if (source(one) === child.source) remember(one, child); // so that nothing holds on to the last text
      else become(one, child);
    }
    needed.set(child.source, needed.get(child.source) - 1);
  }
  while (here) passed().remove();
}

/** Gives an element the attributes of another. */
function dress(element, other) {
  for (const { name } of [...element.attributes]) if (!other.hasAttribute(name)) element.removeAttribute(name);
  for (const { name, value } of other.attributes) if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}

function counted(texts) {
  const found = new Map();
  for (const text of texts) found.set(text, (found.get(text) ?? 0) + 1);
  return found;
}
