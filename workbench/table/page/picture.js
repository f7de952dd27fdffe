// The picture of the position: what is lit, what is clicked, and moving through it with the arrow keys.

import { byId } from "./dom.js";
import { calm } from "./comfort.js";
import { bare } from "./moving.js";
import { redraw } from "./redraw.js";
import { ring } from "./rings.js";

/** What has an address, or lies on what has it. */
const ADDRESSED = "[data-at], [data-on]";

const FAR = 8; // pixels from which on a click is a drag
const [EDGE, STEP] = [24, 6]; // pixels from the edge at which what is drawn scrolls the page, and how far at a time
const REST = 200; // milliseconds after which a finger takes a thing up
const ASKS = 600; // and after which it asks what the thing is, if it has not drawn it anywhere

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export class Picture {
  /** `chosen(address)`: something lit was clicked; `dragged(from, to)`: it was drawn onto something else that can be
   * chosen; `asked(addresses)`: what is not lit was clicked, from the inside out. */
  constructor(host, { chosen, dragged, asked }) {
    Object.assign(this, { host, chosen, dragged, asked, everything: false, lit: new Set(), others: new Set() });
    host.addEventListener("click", (event) => this.clicked(event));
    host.addEventListener("pointerdown", (event) => this.grasped(event));
    host.addEventListener("touchmove", (event) => this.isHeld && event.cancelable && event.preventDefault(), { passive: false });
    host.addEventListener("contextmenu", (event) => this.questioned(event));
    host.addEventListener("keydown", (event) => this.pressed(event));
    host.addEventListener("focusin", (event) => this.focused(event.target));
    host.addEventListener("focusout", () => this.layer("focus").replaceChildren());
  }

  show(svg, label) {
    const had = this.host.contains(document.activeElement) ? document.activeElement.dataset.at : undefined;
    if (this.svg) this.clear();
    this.svg = redraw(this.host, svg);
    this.svg.setAttribute("role", "group");
    this.svg.setAttribute("aria-label", label);
    for (const text of this.svg.querySelectorAll("text")) text.setAttribute("aria-hidden", "true"); // see `described`
    this.again = had;
    this.changed = true;
  }

  /** Takes away what was marked or moved in the last picture. */
  clear() {
    for (const layer of this.svg.querySelectorAll(":scope > .layer")) layer.remove();
    for (const one of this.svg.getAnimations({ subtree: true })) one.cancel();
  }

  /** All elements of an address. */
  all(address) {
    return this.svg ? [...this.svg.querySelectorAll(`[data-at="${CSS.escape(address)}"]`)] : [];
  }

  /** The place of an address on the page, of the first element that has one. */
  rect(address) {
    return this.all(address)[0]?.getBoundingClientRect();
  }

  /** A group above the picture, for rings of a sort, ghosts and the like. */
  layer(name) {
    let layer = this.svg.querySelector(`:scope > g.layer-${name}`);
    if (!layer) {
      layer = document.createElementNS(this.svg.namespaceURI, "g");
      layer.classList.add(`layer-${name}`, "layer");
      layer.setAttribute("aria-hidden", "true");
      this.svg.append(layer);
    }
    return layer;
  }

  /** Rings round addresses, in place of the earlier ones of this sort. */
  mark(sort, addresses) {
    const rings = [...addresses].flatMap((at) => this.all(at)).map((element) => ring(element, sort));
    this.layer(sort).replaceChildren(...rings.filter((one) => one));
  }

  /** Makes addresses choosable: `lit` ones, and `others` that would begin another choice; `names` says what for. */
  light(lit, others, picked, names) {
    Object.assign(this, { lit: new Set(lit), others: new Set(others), names });
    for (const element of this.svg.querySelectorAll("[data-at]")) this.prepare(element);
    this.mark("other", others);
    this.mark("picked", picked);
    this.mark("lit", lit);
    this.rove();
  }

  prepare(element) {
    const { at } = element.dataset;
    const usable = this.lit.has(at) || this.others.has(at) || this.everything;
    element.classList.toggle("lit", this.lit.has(at));
    const title = element.querySelector(":scope > title")?.textContent || at;
    const label = () => [title, this.names?.(at)].filter((text) => text).join(". ");
    set(element, "tabindex", usable ? "-1" : undefined);
    set(element, "role", usable ? (this.holdsOthers(element) ? "group" : "button") : undefined);
    set(element, "aria-label", usable ? label() : undefined);
  }

  holdsOthers(element) {
    const inner = [...element.querySelectorAll("[data-at]")];
    return inner.some((one) => this.everything || this.lit.has(one.dataset.at) || this.others.has(one.dataset.at));
  }

  /** Scrolls to what is lit, if none of it can be seen. */
  reveal() {
    const lit = [...this.svg.querySelectorAll(".lit")];
    const isSeen = (element) => {
      const box = element.getBoundingClientRect();
      return box.top >= 0 && box.bottom <= bottom();
    };
    if (lit.length > 0 && !lit.some(isSeen)) lit[0].scrollIntoView({ block: "center", behavior: calm() ? "auto" : "smooth" });
  }

  // ------------------------------------------------------------ keyboard

  get stops() {
    return [...this.svg.querySelectorAll("[data-at][tabindex]")];
  }

  /** One of the stops is reached by Tab: the one that had focus, or the first that is lit. */
  rove() {
    const stops = this.stops;
    const kept = this.again === undefined ? undefined : stops.find((stop) => stop.dataset.at === this.again);
    const first = kept ?? stops.find((stop) => this.lit.has(stop.dataset.at)) ?? stops[0];
    first?.setAttribute("tabindex", "0");
    if (this.again !== undefined && !this.host.contains(document.activeElement)) first?.focus();
    this.again = undefined;
  }

  focused(element) {
    if (!element.dataset?.at) return;
    this.layer("focus").replaceChildren(ring(element, "focus") ?? "");
  }

  pressed(event) {
    const here = event.target.closest("[data-at][tabindex]");
    if (!here) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.act(here);
    } else if (event.key in ARROWS) {
      event.preventDefault();
      this.go(here, nearest(here, this.stops, ARROWS[event.key]));
    }
  }

  go(from, to) {
    if (!to) return;
    from.setAttribute("tabindex", "-1");
    to.setAttribute("tabindex", "0");
    to.focus();
  }

  /** Gives focus to the element that Tab would reach. */
  focus() {
    this.stops.find((stop) => stop.getAttribute("tabindex") === "0")?.focus();
  }

  // ------------------------------------------------------------ pointer

  /** What can be chosen is drawn with the mouse, or with a finger that rests on it first, since one that moves at once
   * scrolls: it follows, and where it is dropped is chosen with it. */
  grasped(event) {
    const element = event.target.closest("[data-at]");
    const at = element?.dataset.at;
    const isMeant = (address) => this.lit.has(address) || this.others.has(address);
    if (!isMeant(at) || event.button !== 0 || !event.isPrimary) return;
    const isMouse = event.pointerType === "mouse";
    if (isMouse) event.preventDefault(); // nor is text marked
    const over = new AbortController();
    const { signal } = over;
    let drawn, isFar;
    let last = event;
    const lift = () => {
      this.isHeld = true;
      this.layer("drawn").append((drawn = bare(element.cloneNode(true))));
    };
    const timer = isMouse ? undefined : setTimeout(lift, REST);
    const follow = () => {
      const [dx, dy] = [last.clientX + scrollX - event.pageX, last.clientY + scrollY - event.pageY];
      isFar ||= Math.hypot(dx, dy) > FAR;
      const scale = this.svg.getBoundingClientRect().width / this.svg.viewBox.baseVal.width;
      drawn?.setAttribute("transform", `translate(${dx / scale} ${dy / scale})`);
    };
    const scrolling = setInterval(() => {
      const isAbove = last.clientY < byId("top").getBoundingClientRect().bottom + EDGE;
      if (!drawn || !isFar || (!isAbove && last.clientY < bottom() - EDGE)) return;
      scrollBy(0, isAbove ? -STEP : STEP);
      follow();
    }, 1000 / 60);
    const moved = (now) => {
      last = now;
      follow();
      if (isFar && !drawn && isMouse) lift();
      if ((isFar && !drawn) || now.buttons === 0) ended();
    };
    const ended = () => {
      over.abort();
      clearTimeout(timer);
      clearInterval(scrolling);
      this.isHeld = false;
      drawn?.remove();
    };
    const dropped = (now) => {
      ended();
      const asks = !isMouse && !isFar && now.timeStamp - event.timeStamp > ASKS;
      if (!asks && (!drawn || !isFar)) return;
      this.isDrawn = true; // so that the click that follows is none
      setTimeout(() => (this.isDrawn = false));
      if (asks) return this.asked(this.around(element));
      const around = this.around(document.elementFromPoint(now.clientX, now.clientY)?.closest(ADDRESSED));
      const meant = around.find((one) => one !== at && isMeant(one));
      if (meant !== undefined && isMeant(at)) this.dragged(at, meant);
    };
    addEventListener("pointermove", moved, { signal });
    addEventListener("pointerup", dropped, { signal });
    addEventListener("pointercancel", ended, { signal });
  }

  /** The other button of the mouse asks what a thing is, whether it can be chosen or not. */
  questioned(event) {
    const around = this.around(event.target.closest(ADDRESSED));
    if (around.length > 0 || this.isHeld) event.preventDefault();
    if (around.length > 0 && !this.isHeld) this.asked(around);
  }

  clicked(event) {
    if (this.isDrawn) return;
    if (event.detail > 1 && this.changed) return; // the second half of a double click is not meant for a new picture
    this.changed = false;
    const element = event.target.closest(ADDRESSED);
    if (element) this.act(element);
  }

  /** The addresses of an element, from the inside out. */
  around(element) {
    const around = [];
    for (let one = element; one; one = one.parentElement?.closest(ADDRESSED)) around.push(one.dataset.at ?? one.dataset.on);
    return around;
  }

  act(element) {
    const around = this.around(element);
    const meant = around.find((at) => this.lit.has(at)) ?? around.find((at) => this.others.has(at));
    if (meant !== undefined && !this.everything) this.chosen(meant);
    else this.asked(around);
  }
}

/** Where what can be seen of the picture ends: at the window's edge, or at the question on it. */
function bottom() {
  const dock = byId("dock");
  return getComputedStyle(dock).position === "fixed" ? dock.getBoundingClientRect().top : innerHeight;
}

/** Gives an element an attribute, or none, if it has not got it already. */
function set(element, name, value) {
  if (value === undefined) element.removeAttribute(name);
  else if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}

/** The stop that lies nearest in a direction; straight ahead counts more than aside. */
function nearest(here, stops, [dx, dy]) {
  const [x, y] = middle(here);
  let best, least = Infinity;
  for (const stop of stops) {
    const [a, b] = middle(stop);
    const ahead = (a - x) * dx + (b - y) * dy;
    const aside = Math.abs((a - x) * dy) + Math.abs((b - y) * dx);
    const far = ahead + 2.5 * aside;
    if (stop !== here && ahead > 1 && far < least) [best, least] = [stop, far];
  }
  return best;
}

function middle(element) {
  const box = element.getBoundingClientRect();
  return [box.x + box.width / 2, box.y + box.height / 2];
}
