// The controls beside the picture: lists, groups, a number line, counted pieces. They know options, not games.

import { el, face } from "./dom.js";
import { say } from "./words.js";

const LINE = 24;

/** A button for one option. */
export function optionButton(option, position, choose, text = option.text) {
  const detail = option.detail ? el("small", {}, option.detail) : null;
  const button = { type: "button", className: "option", data: { key: `option ${option.index}`, option: option.index } };
  return el("button", { ...button, onclick: () => choose(option.index) }, ...faces([option], position), text, detail);
}

export function list(options, position, choose) {
  return el("div", { className: "options" }, options.map((option) => optionButton(option, position, choose)));
}

/** Buttons for the values of one name, each with the options that have it. */
export function groups(name, found, position, pick, choose) {
  const buttons = [...found].map(([key, indices]) => {
    const members = position.options.filter((option) => indices.has(option.index));
    if (members.length === 1 && !members[0].lay) return optionButton(members[0], position, choose);
    const label = name === "" ? actionLabel(position, key) : members[0].labels[name];
    const picture = position.faces[key] && name !== "" ? face(position.faces[key]) : null;
    const button = { type: "button", className: "option", data: { key: `${name}=${key}` } };
    button.onclick = () => pick(`${name}=${key}`, indices);
    return el("button", button, picture, label, members.length > 1 ? el("small", {}, `${members.length}`) : null);
  });
  return el("div", { className: "options" }, buttons);
}

/** The actions of a menu, which narrow the choice like a click on the picture. */
export function actions(choosing, pick, choose) {
  const { position } = choosing;
  const groups = choosing.groups("", choosing.every);
  const buttons = [...groups].map(([action, indices]) => {
    const [first] = indices;
    const key = `action ${action}`;
    const pressed = choosing.picks.some((one) => one.key === key);
    const single = indices.size === 1;
    const number = single ? null : el("small", {}, `${indices.size}`);
    const label = single ? position.options[first].text : actionLabel(position, action);
    const button = { type: "button", className: "option", data: { key }, aria: single ? {} : { pressed } };
    button.onclick = () => (single ? choose(first) : pick(key, indices));
    return el("button", button, label, number);
  });
  return el("div", { className: "options actions" }, buttons);
}

function actionLabel(position, action) {
  return position.actions.find((one) => one.id === action)?.label ?? action;
}

function faces(options, position) {
  const keys = new Set(options.flatMap((option) => Object.values(option.values)));
  return [...keys].filter((key) => position.faces[key]).slice(0, 2).map((key) => face(position.faces[key]));
}

/** A number line: a button for each number, or a slider and a field where there are many; and what else can be chosen. */
export function numberLine(name, options, position, choose) {
  const isNumber = (option) => Number.isFinite(Number.parseInt(option.values[name], 10));
  const rest = options.filter((option) => !isNumber(option));
  const line = numbers(name, options.filter(isNumber).sort((a, b) => a.values[name] - b.values[name]), choose);
  return rest.length > 0 ? el("div", {}, line, list(rest, position, choose)) : line;
}

function numbers(name, sorted, choose) {
  if (sorted.length <= LINE) {
    const buttons = sorted.map((option) => {
      const button = { type: "button", data: { key: `number ${option.values[name]}`, option: option.index } };
      return el("button", { ...button, onclick: () => choose(option.index) }, String(option.values[name] ?? option.text));
    });
    return el("div", { className: "line", role: "group" }, buttons);
  }
  const values = sorted.map((option) => Number(option.values[name]));
  const range = el("input", { type: "range", min: 0, max: sorted.length - 1, value: 0, data: { key: "range" } });
  const limits = { min: values[0], max: values.at(-1), value: values[0] };
  const field = el("input", { type: "number", inputMode: "numeric", ...limits, data: { key: "number" } });
  const confirm = el("button", { type: "button", className: "main", data: { key: "confirm" } }, say("confirm"));
  const typed = () => values.indexOf(field.valueAsNumber);
  range.oninput = () => {
    field.value = values[range.value];
    range.setAttribute("aria-valuetext", field.value);
    confirm.disabled = false;
  };
  field.oninput = () => {
    confirm.disabled = typed() < 0;
    if (typed() >= 0) range.value = typed();
  };
  field.onkeydown = (event) => event.key === "Enter" && typed() >= 0 && choose(sorted[typed()].index);
  confirm.onclick = () => choose(sorted[typed()].index);
  for (const input of [range, field]) input.setAttribute("aria-label", name);
  return el("div", { className: "line" }, range, field, confirm);
}

/** Pieces that are counted up to a whole: a payment, or a bundle. */
export class Count {
  constructor(position, choose, changed) {
    Object.assign(this, { position, choose, changed, counts: new Map() });
  }

  count(name) {
    return this.counts.get(name) ?? 0;
  }

  /** The options that have at least what is counted. */
  get open() {
    return this.position.options.filter((option) => [...this.counts].every(([k, n]) => (option.counts?.[k] ?? 0) >= n));
  }

  get exact() {
    const total = [...this.counts.values()].reduce((sum, n) => sum + n, 0);
    return this.open.find((option) => sum(option.counts) === total);
  }

  canAdd(name) {
    return this.open.some((option) => (option.counts?.[name] ?? 0) > this.count(name));
  }

  add(name, number) {
    if (number > 0 && !this.canAdd(name)) return;
    this.counts.set(name, Math.max(0, this.count(name) + number));
    this.changed();
  }

  show() {
    const { position } = this;
    const rows = position.purse.kinds.map((kind) => this.row(kind));
    const exact = this.exact;
    const confirm = { type: "button", className: "main", disabled: !exact, data: { key: "confirm" } };
    confirm.onclick = () => this.choose(exact.index);
    const told = exact ? exact.text : "";
    const quick = position.options.slice(0, 3).map((option) => optionButton(option, { ...position, faces: {} }, this.choose));
    return el(
      "div", { className: "count" },
      el("div", { className: "options" }, quick),
      el("p", { className: "help" }, say("count_pieces")),
      ...rows,
      el("div", { className: "buttons" }, el("button", confirm, told || say("confirm"))),
    );
  }

  row({ name, label }) {
    const picture = this.position.faces[name];
    const less = { type: "button", disabled: this.count(name) === 0, data: { key: `less ${name}` } };
    const more = { type: "button", disabled: !this.canAdd(name), data: { key: `more ${name}` } };
    less.onclick = () => this.add(name, -1);
    more.onclick = () => this.add(name, 1);
    less.aria = { label: say("one_less", { what: label }) };
    more.aria = { label: say("one_more", { what: label }) };
    return el(
      "div", { className: "kind" },
      el("button", less, "−"),
      el("output", {}, String(this.count(name))),
      el("button", more, "+"),
      el("span", {}, picture ? face(picture) : null, label),
    );
  }
}

function sum(counts) {
  return Object.values(counts ?? {}).reduce((total, n) => total + n, 0);
}
