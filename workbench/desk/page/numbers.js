// Numbers, options and readings as controls, and what turning them does to the game.

import { el } from "./dom.js";
import { press } from "./findings.js";
import { say } from "./words.js";

const plain = (name) => name.replaceAll("_", " ");
const percent = (share) => (100 * share).toFixed(1);

/** `controls`: what can be turned; `values`: what is turned already; `turn`: turns something. */
export function drawControls(controls, values, turn) {
  const of = (kinds, word) => {
    const rows = controls.filter(({ kind }) => kinds.includes(kind)).map((one) => row(one, values[one.name], turn));
    return rows.length ? el("section", {}, el("h2", {}, say(word)), el("ul", { className: "controls" }, rows)) : null;
  };
  return [of(["number"], "rules_numbers"), of(["option"], "desk_options"), of(["reading"], "desk_readings")];
}

function row(one, value, turn) {
  const id = `turn-${one.name}`;
  const now = value ?? one.value;
  const label = el("label", { for: id }, plain(one.name), el("small", {}, ` ${say("desk_printed", { value: plain(one.value) })}`));
  const item = el("li", { className: now === one.value ? "" : "on" });
  const go = (wanted) => {
    item.classList.toggle("on", wanted !== one.value);
    turn(one.name, wanted);
  };
  if (one.kind !== "number") {
    const choices = one.values.map((each) => el("option", { value: each, selected: each === now }, plain(each)));
    const select = el("select", { id, data: { key: id }, onchange: () => go(select.value) }, choices);
    item.append(label, select, one.because ? el("p", { className: "help" }, one.because) : "");
    return item;
  }
  const input = el("input", { id, type: "number", value: now, min: one.low, data: { key: id } });
  const slide = el("input", { type: "range", min: one.low, max: one.high, value: now, data: { key: `${id} slide` }, aria: { label: plain(one.name) } });
  const set = (wanted) => {
    if (!/^-?\d{1,9}$/.test(wanted)) return;
    input.value = slide.value = wanted;
    go(wanted);
  };
  input.oninput = () => set(input.value);
  slide.oninput = () => set(slide.value);
  const step = (by, sign) => Object.assign(press(`${id} ${sign}`, sign, () => set(String(Number(input.value) + by))), { ariaLabel: `${plain(one.name)} ${sign}1` });
  item.append(label, el("span", { className: "dial" }, step(-1, "−"), input, step(1, "+"), slide));
  return item;
}

/** People's games beside those of bots; nothing where none are known. */
export function drawPeople(people) {
  if (!people) return [];
  const head = el("h2", {}, say("desk_people"));
  if (people.problem) return [head, el("p", { className: "wrong" }, people.problem)];
  const help = say("desk_people_are", { games: people.games, players: people.players, choices: people.chosen });
  return [head, el("p", { className: "help" }, help), ...people.beside.flatMap(drawBeside)];
}

function drawBeside({ bots, means, kinds }) {
  const cell = (text, className = "number") => el("td", { className }, text);
  const found = ({ apart, more }) => (apart === null ? say("desk_more_evenings", { number: more }) : say(apart ? "desk_differs" : "desk_alike"));
  const row = (one) => el("tr", { className: one.apart ? "changed" : one.apart === null ? "unsettled" : "" }, el("th", { scope: "row" }, one.name), cell(one.people.toFixed(1) + (one.half_width === null ? "" : ` ±${one.half_width.toFixed(1)}`)), cell(one.bots.toFixed(1)), cell(found(one), ""));
  const head = el("tr", {}, el("td", {}), ["desk_people_short", ""].map((word) => el("th", { scope: "col", className: "number" }, word ? say(word) : bots)));
  const apart = kinds.filter((one) => one.apart).map((one) => el("li", {}, say("desk_kind", { what: `${plain(one.asked)}: ${plain(one.kind)}`, people: percent(one.people), bots: percent(one.bots), times: one.times })));
  const open = kinds.length - apart.length;
  return [
    means.length ? el("table", {}, head, means.map(row)) : null,
    kinds.length ? el("p", {}, say(apart.length ? "desk_kinds" : "desk_kinds_alike", { bots, number: open })) : el("p", { className: "help" }, say("desk_kinds_few", { bots })),
    apart.length ? el("ul", {}, apart) : null,
  ];
}

/** What is turned, and what is known of it. `found`: as the server tells it. */
export function drawTurned({ values, changes, cannot, nearest, answer, bots, all, case: smallest }, { keep, forget, bots: play, turn, differences }) {
  const items = Object.entries(values);
  if (!items.length) return [el("p", { className: "help" }, say("desk_turn_help"))];
  const told = items.map(([name, value]) => `${plain(name)} = ${plain(value)}`).join(", ");
  const buttons = el("p", { className: "buttons" }, Object.assign(press("keep", say("desk_keep"), keep), { disabled: Boolean(cannot), className: "main" }), press("forget", say("desk_forget"), forget));
  const head = [el("h2", {}, told), buttons];
  if (cannot) {
    const back = nearest ? press("nearest", say("desk_nearest", { value: nearest[1] }), () => turn(nearest[0], String(nearest[1]))) : null;
    return [...head, el("p", { className: "wrong", role: "alert" }, `${say("desk_cannot")} ${cannot}`), back ? el("p", { className: "buttons" }, back) : null];
  }
  const select = el("select", { data: { key: "bots" }, onchange: () => play(select.value) }, (all ?? []).map((one) => el("option", { value: one, selected: one === bots }, one.startsWith("people:") ? say("desk_as_people") : one)));
  return [...head, changes ? differences(changes) : null, changes ? smallest : null, ...drawAnswer(answer), el("p", {}, el("label", {}, `${say("desk_who")} `, select))];
}

function drawAnswer(answer) {
  if (!answer) return [el("p", { className: "help", role: "status" }, say("desk_playing"))];
  if (answer.problem) return [el("p", { className: "wrong" }, answer.problem)];
  const cell = (text, className = "number") => el("td", { className }, text);
  const head = (words) => el("tr", {}, el("td", {}), words.map((word) => el("th", { scope: "col", className: "number" }, say(word))));
  const rows = answer.rows.map(({ name, unit, printed, now, change, verdict }) => el("tr", { className: verdict }, el("th", { scope: "row" }, name, " ", el("small", {}, unit)), cell(printed), cell(now), cell(change + byPercent(printed, now, unit))));
  const seats = answer.seats.map((seat) => el("tr", {}, el("th", { scope: "row" }, plain(seat.name)), cell(share(seat.printed, seat.printed_half)), cell(share(seat.share, seat.half)), el("td", {}, bar(seat))));
  return [
    el("p", { className: "short" }, answer.short.map(([kind, text]) => el("span", { className: kind }, text))),
    el("p", { className: "help" }, say(answer.done ? "desk_settled" : "desk_so_far", { pairs: answer.pairs })),
    el("table", {}, head(["desk_as_printed", "rules_now", "desk_change"]), rows),
    seats.length ? el("table", {}, head(["desk_as_printed", "rules_now", "desk_wins"]), seats) : null,
    answer.options ? el("p", {}, answer.options) : null,
    ...answer.left_out.map((text) => el("p", { className: "wrong" }, text)),
  ];
}

/** A change in percent of what is printed, for those who want a game that much shorter; of percents there is none. */
function byPercent(printed, now, unit) {
  const [before, after] = [printed, now].map((text) => Number(text.replaceAll(",", "").replace("−", "-")));
  const by = Math.round(100 * (after / before - 1));
  return unit.includes("%") || !Number.isFinite(by) || by === 0 ? "" : ` (${by < 0 ? "−" : "+"}${Math.abs(by)} %)`;
}

const share = (value, half) => `${percent(value)} ±${half === null ? "?" : percent(half)}`;

/** How often a seat wins, with how far that can be off, and the share it would have if all seats were alike. */
function bar({ name, share: value, half, equal }) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const part = (tag, more) => {
    const made = document.createElementNS(svg.namespaceURI, tag);
    for (const [key, each] of Object.entries(more)) made.setAttribute(key, each);
    svg.append(made);
  };
  svg.setAttribute("viewBox", "0 0 100 12");
  svg.setAttribute("class", "share");
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", say("desk_share", { name: plain(name), share: percent(value), equal: percent(equal) }));
  part("rect", { x: 0, y: 3, width: 100 * value, height: 6, class: "bar" });
  const off = 100 * (half ?? 1);
  part("path", { d: `M${Math.max(0, 100 * value - off)} 6H${Math.min(100, 100 * value + off)}`, class: "reach" });
  part("path", { d: `M${100 * equal} 0V12`, class: "fair" });
  return svg;
}
