// Small helpers to make elements. Text is always set as text; only pictures that the server drew are parsed.

/** An element with properties, listeners (`onclick`), `data`, `aria` and children (elements, texts, nothing). */
export function el(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null) continue;
    if (name === "aria") for (const [key, text] of Object.entries(value)) element.setAttribute(`aria-${key}`, text);
    else if (name === "data") Object.assign(element.dataset, value);
    else if (name === "role" || name === "for") element.setAttribute(name, value);
    else element[name] = value;
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== ""));
  return element;
}

/** The element of an SVG text. */
export function drawing(svg) {
  const template = document.createElement("template");
  template.innerHTML = svg;
  return template.content.firstElementChild;
}

/** A picture of one piece, for the eye only: words stand beside it. */
export function face(svg) {
  const picture = drawing(svg);
  picture.setAttribute("aria-hidden", "true");
  picture.classList.add("face");
  return picture;
}

export const byId = (id) => document.getElementById(id);

// A button that is replaced between press and release is never clicked: what is pressed stays until it is let go.
const HOLD = 1000;
const waiting = new Map();
let held = null;
let letting = 0;
const letGo = () => {
  held = null;
  clearTimeout(letting);
  letting = setTimeout(() => [...waiting].forEach(([element, children]) => refill(element, ...children)));
};
document.addEventListener("pointerdown", ({ target }) => ((held = target), clearTimeout(letting), (letting = setTimeout(letGo, HOLD))), true);
for (const kind of ["pointerup", "pointercancel"]) document.addEventListener(kind, letGo, true);

/**
 * Puts other children into an element, once nothing in it is pressed, and leaves focus where it was if what had it is
 * still there by its `data-key`.
 */
export function refill(element, ...children) {
  if (held && element.contains(held)) {
    waiting.set(element, children);
    return;
  }
  waiting.delete(element);
  const before = element.contains(document.activeElement) ? document.activeElement : null;
  const { selectionStart: start, selectionEnd: end } = before ?? {};
  element.replaceChildren(...children.flat().filter((child) => child));
  const after = before?.dataset.key === undefined ? null : element.querySelector(`[data-key="${CSS.escape(before.dataset.key)}"]`);
  after?.focus();
  if (Number.isInteger(start)) after?.setSelectionRange?.(start, end);
}
