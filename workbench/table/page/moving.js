// Moves of pieces, from the events: where they were in the old picture, to where they are in the new one.

import { calm } from "./comfort.js";
import { drawing } from "./dom.js";
import { boxOf } from "./rings.js";

const DURATION = 520;
const APART = 70;
const MOST = 14;

/** Shows in the picture that stands how pieces lay that are gone in the one that comes, `svg`. */
export function rest(picture, pieces, svg) {
  const coming = pieces.length > 0 && drawing(svg);
  for (const { at, kind } of pieces) lay(picture, coming, at, kind);
}

/** Shows a piece where it came to lie, as it is drawn in the picture that comes or in the one that stands. */
function lay(picture, coming, at, kind) {
  const box = boxOf(element(picture, at, null) ?? picture.svg);
  const drawn = [coming, picture.svg].map((svg) => svg.querySelector(`[data-at$="${CSS.escape(`:${kind}`)}"]`)).find((one) => one);
  if (!drawn || !box) return;
  const copy = bare(drawn.cloneNode(true));
  const group = document.createElementNS(picture.svg.namespaceURI, "g");
  group.append(copy);
  picture.layer("resting").append(group);
  const own = group.getBBox();
  const isWide = box.width > 3 * own.width; // what it lies in is drawn only with something in it
  const x = isWide ? box.x + box.width - own.width - 12 : box.x + (box.width - own.width) / 2;
  group.setAttribute("transform", `translate(${x - own.x} ${box.y + box.height - own.y - own.height - (isWide ? 12 : 0)})`);
}

/** A copy of a part of the picture that is not one. */
export function bare(clone) {
  for (const one of [clone, ...clone.querySelectorAll("[data-at]")]) {
    for (const name of ["data-at", "tabindex", "role", "aria-label"]) one.removeAttribute(name);
  }
  return clone;
}

/** Remembers where the pieces that will move are, before the picture is replaced. */
export function before(picture, moves) {
  if (calm() || !picture.svg) return [];
  return moves.slice(-MOST).flatMap((move) => {
    const kinds = Object.keys(move.pieces);
    return (kinds.length > 0 ? kinds : [null]).map((kind) => ({ move, kind, from: place(picture, move.from, kind) }));
  });
}

/** Lets them move in the new picture. */
export function after(picture, starts) {
  starts.forEach(({ move, kind, from }, number) => {
    const target = element(picture, move.to, kind);
    const to = target?.getBoundingClientRect();
    if (!target || !from || !to?.width) return;
    const scale = picture.svg.getBoundingClientRect().width / picture.svg.viewBox.baseVal.width;
    const dx = (from.x + from.width / 2 - to.x - to.width / 2) / scale;
    const dy = (from.y + from.height / 2 - to.y - to.height / 2) / scale;
    if (Math.hypot(dx, dy) < 4) return;
    fly(picture, target, dx, dy, number * APART);
  });
}

function fly(picture, target, dx, dy, delay) {
  const clone = bare(target.cloneNode(true));
  picture.layer("flying").append(clone);
  const timing = { duration: DURATION, delay, easing: "ease-in-out", fill: "backwards" };
  target.animate([{ opacity: 0 }, { opacity: 0 }], { duration: DURATION + delay });
  const path = [{ transform: `translate(${dx}px, ${dy}px)` }, { transform: "none" }];
  const done = () => clone.remove();
  clone.animate(path, timing).finished.then(done, done);
}

/** The most exact element of a place: the kind in it, its uppermost piece, the place, or the area of its owner. */
function element(picture, address, kind) {
  const exact = kind === null ? [] : picture.all(`${address}:${kind}`);
  if (exact.length > 0) return exact[0];
  const pieces = picture.svg.querySelectorAll(`[data-at^="${CSS.escape(`${address}#`)}"]`);
  return pieces[pieces.length - 1] ?? picture.all(address)[0] ?? field(picture, address);
}

function field(picture, address) {
  const owners = /\[(.*)\]/.exec(address)?.[1].split(", ") ?? [];
  for (const owner of owners) {
    const found = picture.svg.querySelector(`[data-at$=":${CSS.escape(owner)}"]`);
    if (found) return found;
  }
  return undefined;
}

function place(picture, address, kind) {
  const rect = element(picture, address, kind)?.getBoundingClientRect();
  return rect?.width ? rect : undefined;
}
