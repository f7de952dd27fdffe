// The question: its words, its controls, and what of the picture is lit for it.

import { Choosing, both } from "./choosing.js";
import { confirms } from "./comfort.js";
import { Count, actions, groups, list, numberLine, optionButton } from "./controls.js";
import { byId, el, refill } from "./dom.js";
import { Ghost } from "./ghost.js";
import { placed } from "./popup.js";
import { marked, say } from "./words.js";

const LONG = 280;

/** The first sentences of a rule, as many as one reads at a glance. */
function shortened(sentences) {
  let told = "";
  for (const sentence of sentences) {
    if (told && told.length + sentence.length > LONG) return `${told} …`;
    told = told ? `${told} ${sentence}` : sentence;
  }
  return told;
}

export class Asking {
  /** `sent(index)`: an option was chosen. `rules(id)`: opens the rulebook at a rule. */
  constructor(picture, { sent, rules }) {
    Object.assign(this, { picture, sent, rules, all: false });
  }

  /** Another position: earlier picks are forgotten. */
  ask(position) {
    this.position = position;
    this.choosing = new Choosing(position);
    this.count = position.purse ? new Count(position, (index) => this.choose(index), () => this.draw()) : null;
    this.ghost = new Ghost(this.picture, position.ghosts, (index) => this.choose(index));
    this.done = false;
    this.sure = undefined;
    this.draw();
  }

  /** Chooses an option; `surely`, or after a question. */
  choose(index, surely = !confirms()) {
    if (this.done) return;
    this.sure = surely ? undefined : index;
    if (!surely) {
      this.draw();
      return;
    }
    this.done = true;
    this.sent(index);
    this.draw();
  }

  /** A choice that was made before is still under way. */
  wait() {
    this.done = true;
    this.draw();
  }

  /** The server did not take the choice: it can be made again. */
  refused() {
    this.done = false;
    this.draw();
  }

  // ------------------------------------------------------------ clicks

  clicked(address) {
    if (this.done) return;
    const counted = this.countedAt(address);
    if (counted !== undefined) this.count.add(counted, 1);
    else {
      this.choosing.pickAt(address);
      this.follow();
    }
  }

  /** One thing was drawn onto another: both are picked, if they go together. */
  dragged(from, to) {
    const { targets } = this.choosing;
    const own = targets.get(from), other = targets.get(to);
    if (this.done || !own || !other || both(own, other).size === 0) return;
    this.choosing.pickAt(from);
    this.choosing.pickAt(to);
    this.follow();
  }

  countedAt(address) {
    const place = this.position.purse?.place;
    return place && address.startsWith(`${place}:`) ? address.slice(place.length + 1) : undefined;
  }

  picked(key, options) {
    this.choosing.pick(key, options);
    this.follow();
  }

  follow() {
    const { step } = this.choosing;
    if (step.kind === "choose") this.choose(step.option.index);
    else this.draw();
  }

  /** Escape: takes the last pick back. Returns whether there was one. */
  back() {
    if (this.done || (this.choosing.picks.length === 0 && this.sure === undefined)) return false;
    this.sure = undefined;
    this.choosing.back();
    this.draw();
    return true;
  }

  startOver() {
    this.choosing.clear();
    this.draw();
  }

  // ------------------------------------------------------------ drawing

  draw() {
    const asked = this.choosing.asked && !this.done;
    this.ghost.hide();
    const step = asked ? this.choosing.step : { kind: "none" };
    refill(byId("question"), this.question());
    const { dock, popup } = asked ? (this.sure === undefined ? this.controls(step) : this.confirming()) : { dock: [], popup: null };
    refill(byId("controls"), ...dock);
    this.light(asked);
    const place = step.kind === "ghost" ? this.ghost.at : this.choosing.picks.at(-1)?.place;
    placed(this.picture, popup, place, () => this.back());
    if (asked) this.lead();
  }

  /** Focus that lost its element goes on where the next click is; for those who use the keyboard. */
  lead() {
    if (document.activeElement !== document.body || !document.body.classList.contains("keys")) return;
    const first = byId("controls").querySelector("button, input");
    if (this.picture.lit.size > 0) this.picture.focus();
    else (first ?? byId("dock")).focus();
  }

  light(asked) {
    const { choosing } = this;
    const counted = asked && this.count ? this.countable() : [];
    const lit = asked ? [...choosing.lit, ...counted] : [];
    const picked = choosing.picks.map((pick) => pick.place).filter((place) => place);
    this.picture.light(lit, asked ? choosing.others : [], picked, (at) => this.meaning(at));
    this.picture.mark("about", asked ? this.position.question?.where ?? [] : []);
  }

  countable() {
    const { place, kinds } = this.position.purse;
    return place ? kinds.filter((kind) => this.count.canAdd(kind.name)).map((kind) => `${place}:${kind.name}`) : [];
  }

  /** What an address stands for, where that is one option. */
  meaning(at) {
    const options = this.choosing.targets.get(at);
    const meant = options ? [...both(options, this.choosing.among)] : [];
    return meant.length === 1 ? this.position.options[meant[0]].text : "";
  }

  question() {
    const { question } = this.position;
    if (!question || !this.choosing.asked) return [];
    const what = question.about || question.what;
    const soFar = question["so far"];
    const rule = { type: "button", className: "quiet", data: { key: "rule" }, onclick: () => this.rules(question.rule) };
    return [
      what ? el("p", { className: "about" }, marked(say("choose_what", { what })), soFar ? ` (${soFar})` : "") : null,
      el("p", { className: "sentence" }, marked(shortened(question.sentences) || question.text), " ", el("button", rule, say("rulebook"))),
    ];
  }

  /** What stands in the dock, and what pops up at the element that was clicked. */
  controls(step) {
    const { choosing, position } = this;
    const choose = (index) => this.choose(index);
    const pick = (key, options) => this.picked(key, options);
    const menu = position.actions.length > 1 && !(step.kind === "list" && choosing.picks.length === 0);
    const dock = [menu ? actions(choosing, pick, choose) : null];
    let popup = null;
    const shown = (one) => {
      if (one.kind === "number") return numberLine(one.name, one.options, position, choose);
      if (one.kind === "groups") return groups(one.name, one.groups, position, pick, choose);
      return one.kind === "list" ? list(one.options, position, choose) : null;
    };
    if (step.kind === "count") dock.push(this.count.show());
    else if (step.kind === "ghost") popup = this.ghost.show(step.options);
    else if (step.kind === "click") {
      dock.push(el("p", { className: "help" }, say("click_lit")));
      if (!menu || choosing.picks.length > 0) dock.push(shown(step.rest));
    } else if (choosing.picks.at(-1)?.place && step.kind !== "number") popup = [shown(step)];
    else dock.push(shown(step));
    dock.push(this.progress(), this.everything());
    return { dock, popup };
  }

  /** What was chosen, to be confirmed or taken back. */
  confirming() {
    const leave = { type: "button", data: { key: "leave" }, onclick: () => this.back() };
    const confirm = { type: "button", className: "main", data: { key: "confirm" }, onclick: () => this.choose(this.sure, true) };
    const what = this.position.options.find((option) => option.index === this.sure)?.text;
    return { dock: [el("p", { className: "about" }, what), el("div", { className: "buttons" }, el("button", confirm, say("confirm")), el("button", leave, say("cancel")))], popup: null };
  }

  progress() {
    const { choosing } = this;
    if (choosing.picks.length === 0) return null;
    const over = { type: "button", className: "quiet", data: { key: "over" }, onclick: () => this.startOver() };
    const left = choosing.among.size > 1 ? `${say("choices_left", { number: choosing.among.size })} · ` : "";
    return el("p", { className: "progress" }, left, el("button", over, say("start_over")));
  }

  /** Every option as a button, for those who would rather read than click. */
  everything() {
    const { options } = this.position;
    const summary = el("summary", { data: { key: "all" } }, say("all_choices", { number: options.length }));
    const details = el("details", { className: "all", open: this.all }, summary);
    const fill = () => {
      this.all = details.open;
      if (details.open && details.childElementCount === 1) {
        const bare = { ...this.position, faces: {} };
        details.append(el("div", { className: "options" }, options.map((o) => optionButton(o, bare, (i) => this.choose(i)))));
      }
    };
    details.addEventListener("toggle", fill);
    fill();
    return details;
  }
}
