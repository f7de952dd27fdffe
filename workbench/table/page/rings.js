// Rings round parts of the picture, in two tones, so that they are seen on any colour.

const SVG = "http://www.w3.org/2000/svg";
const ROOM = 2.5;

/** A ring of a sort (`lit`, `other`, `picked`, `about`, `changed`, `focus`) round a part; null for one without size. */
export function ring(element, sort) {
  const shape = outline(element);
  if (!shape) return null;
  const group = document.createElementNS(SVG, "g");
  group.classList.add("ring", `ring-${sort}`);
  const inner = shape.cloneNode();
  shape.classList.add("ring-halo");
  inner.classList.add("ring-line");
  group.append(shape, inner);
  return group;
}

/** The outline of a part: that of its own shape where it is a field, or else a box. */
function outline(element) {
  const own = element.querySelector(":scope > polygon");
  if (own) {
    const shape = document.createElementNS(SVG, "polygon");
    shape.setAttribute("points", own.getAttribute("points"));
    return shape;
  }
  const box = boxOf(element);
  if (!box) return null;
  const shape = document.createElementNS(SVG, "rect");
  const round = box.width < 60 ? ROOM : 0;
  const sides = { x: box.x - round, y: box.y - round, width: box.width + 2 * round, height: box.height + 2 * round };
  for (const [name, value] of Object.entries(sides)) shape.setAttribute(name, value);
  shape.setAttribute("rx", Math.min(6, box.width / 4));
  return shape;
}

/** The box of a part in the units of the picture; null where it has none. */
export function boxOf(element) {
  const box = element.getBBox();
  return box.width > 0 && box.height > 0 ? box : null;
}
