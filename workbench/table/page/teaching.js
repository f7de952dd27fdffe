// A first game: each rule is introduced when it first applies, one thing at a time, with an example of it.

import { open, told } from "./answer.js";
import { byId, drawing, el, refill } from "./dom.js";
import { keep, kept, say } from "./words.js";

const LONG = 280; // characters that one reads at a glance

const size = (lines) => lines.join(" ").length;

export class Teaching {
  /** `send(message)`: asks the server; `read()`: a card has been read. */
  constructor({ send, read }) {
    Object.assign(this, { send, read, cards: [], examples: new Map() });
  }

  /** Whoever has this link begins, or goes on where they were. */
  begin(token) {
    this.key = token.slice(0, 8);
    this.met = new Set(JSON.parse(kept(`met ${this.key}`) ?? "[]"));
    this.cards = [];
  }

  /** Whether its owner learns the game: yes, no, or as the table has it. */
  get wanted() {
    return { yes: true, no: false }[kept(`learn ${this.key}`)] ?? null;
  }

  want(isWanted) {
    keep(`learn ${this.key}`, isWanted ? "yes" : "no");
    if (isWanted) this.meet([...this.met], false);
  }

  meet(ids, isMet = true) {
    for (const id of ids) isMet ? this.met.add(id) : this.met.delete(id);
    keep(`met ${this.key}`, JSON.stringify([...this.met]));
  }

  /** Makes cards of what is new in a position; short ones of one chapter are one. */
  learn({ lessons }) {
    this.examples.clear();
    this.cards = [];
    for (const { id, title, lines, more } of (lessons ?? []).filter((one) => !this.met.has(one.id))) {
      const last = this.cards.at(-1);
      if (last?.title === title && size([...last.lines, ...lines]) <= LONG) {
        last.ids.push(id);
        last.lines.push(...lines);
        last.more.push(...more);
      } else {
        const fitting = lines.findLastIndex((_, number) => number === 0 || size(lines.slice(0, number + 1)) <= LONG) + 1;
        this.cards.push({ ids: [id], title, lines: lines.slice(0, fitting), more: [...lines.slice(fitting), ...more] });
      }
    }
    this.total = this.cards.length;
  }

  get card() {
    return this.cards[0];
  }

  /** Shows the first card in the dock. */
  show() {
    const { title, lines, more, ids } = this.card;
    const number = this.total - this.cards.length + 1;
    byId("ask").replaceChildren(title || say("rulebook"), this.total > 1 ? el("small", {}, ` ${number}/${this.total}`) : "");
    refill(byId("news"));
    const rest = more.length > 0 ? el("details", {}, el("summary", {}, say("more_of_it")), told(more)) : null;
    refill(byId("question"), el("div", { className: "lesson" }, told(lines), this.example(ids), rest));
    const goOn = { type: "button", className: "main", data: { key: "go on" }, onclick: () => this.goOn() };
    refill(byId("controls"), el("button", goOn, say("go_on")));
    for (const id of ["side", "dock"]) byId(id).scrollTop = 0;
    byId("live").textContent = [title, ...lines].join(" ");
    if (document.activeElement === document.body && document.body.classList.contains("keys")) byId("controls").firstChild.focus();
  }

  goOn() {
    this.meet(this.cards.shift().ids);
    this.read();
  }

  /** The first example of these rules, or what will have it. */
  example(ids) {
    for (const id of ids) {
      const known = this.examples.get(id);
      if (known === undefined) {
        this.examples.set(id, null);
        this.send({ kind: "lesson", rule: id });
      }
      if (!known) return null;
      if (known.pictures.length > 0) return pictured(known);
    }
    return null;
  }

  /** An example comes from the server. */
  answered({ rule, pictures, steps }) {
    this.examples.set(rule, { pictures, steps });
    if (this.card?.ids.includes(rule)) this.show();
  }

  /** What the rulebook tells of and did not come up, at the end. */
  unmet({ syllabus }) {
    const left = syllabus.filter(({ id }) => !this.met.has(id) && !this.cards.some(({ ids }) => ids.includes(id)));
    if (left.length === 0) return [];
    const titles = [...new Set(left.map(({ title }) => title))];
    const entry = (title) => {
      const own = left.filter((one) => one.title === title);
      return el("li", {}, el("details", {}, el("summary", {}, title), told(own.flatMap(({ lines, more }) => [...lines, ...more]))));
    };
    return [el("h3", {}, say("not_met")), el("ul", { className: "unmet" }, titles.map(entry))];
  }
}

/** An example, small; a click shows it larger, with what happens in it. */
function pictured({ pictures, steps }) {
  const picture = ({ svg, alt }) => {
    const drawn = drawing(svg);
    drawn.setAttribute("aria-label", alt);
    return drawn;
  };
  const larger = () => open(say("an_example"), [picture(pictures[0]), el("ol", {}, steps.map((step) => el("li", {}, step))), picture(pictures[1])]);
  const [before, after] = pictures.map(picture);
  return el(
    "div", { className: "example" },
    el("p", {}, el("b", {}, say("an_example")), " ", size(steps) <= LONG / 2 ? steps.join(" ") : ""),
    el("button", { type: "button", data: { key: "example" }, aria: { label: say("an_example") }, onclick: larger }, before, "→", after),
  );
}
