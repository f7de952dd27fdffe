// Small tools of a player: undo, a hint, "why not", looking back, and answers to what the others ask.

import { open } from "./answer.js";
import { isAsked } from "./choosing.js";
import { byId, el, refill } from "./dom.js";
import { say } from "./words.js";

const button = (key, text, onclick, more = {}) => el("button", { type: "button", data: { key }, onclick, ...more }, text);

/** The row of tools. `table`: what the page knows; `send`: sends a message. */
export function showTools(table, send) {
  const { position, people, exploring } = table;
  const plays = position.seat !== null;
  const asked = isAsked(position) && !table.chance;
  const learns = position.lessons !== null;
  const isAlone = (people?.seats ?? []).every(({ seat, bot }) => bot || seat === position.seat);
  const isFirst = asked && !learns && !position.log.some(({ kind, player }) => kind === "choice" && player === position.seat);
  const tools = [
    isFirst && position.since === null ? button("learn", say("learn_by_playing"), () => table.learn(true)) : null,
    learns && asked && isAlone && !table.teaching.card && !table.isSkipping ? button("ahead", say("to_the_new"), () => send({ kind: "ahead", known: [...table.teaching.met] })) : null,
    plays && !position.over ? button("undo", say(learns ? "try_again" : "undo"), () => send({ kind: "undo" })) : null,
    asked && !table.teaching.card && !table.isSkipping ? button("hint", say("hint"), () => send({ kind: "hint" }) && table.wait("thinking")) : null,
    button("why not", say("ask_why_not"), () => table.explore(!exploring), { aria: { pressed: exploring } }),
    button("back", say("look_back"), () => table.goBack(1)),
  ];
  refill(byId("tools"), exploring ? el("p", { className: "help" }, say("why_not_help")) : null, el("div", { className: "buttons" }, tools.filter((one) => one)));
}

/** A bar above the table: what one must know or answer. */
export function notice(...contents) {
  const bar = byId("notice");
  bar.hidden = contents.length === 0;
  bar.replaceChildren(...contents);
}

const SHORTEST = 2500;
const EACH = 40;

let fading;

/** A word in passing. */
export function toast(text) {
  const box = byId("toast");
  clearTimeout(fading);
  box.textContent = text;
  box.hidden = !text;
  fading = setTimeout(() => (box.hidden = true), SHORTEST + EACH * text.length);
}

/** Somebody wants to take a choice back. */
export function showUndo(message, table, send) {
  const by = message["undo by"];
  if (by === null) return notice();
  if (by === table.position.seat || table.position.seat === null) return notice(say("undo_waiting"));
  const answer = (agree) => {
    send({ kind: "answer undo", agree });
    notice();
  };
  const name = table.position.players[by].label;
  return notice(
    el("span", {}, say("undo_asked", { name })),
    el("span", { className: "buttons" }, button("agree", say("agree"), () => answer(true), { className: "main" }), button("decline", say("decline"), () => answer(false))),
  );
}

/** Earlier positions of this match. */
export function showPast(past, table) {
  if (!past) return notice();
  const last = table.position.at ?? past.at;
  return notice(
    el("span", {}, say("past_at", { at: past.at })),
    el(
      "span", { className: "buttons" },
      button("earlier", `◀ ${say("earlier")}`, () => table.lookAt(past.at - 1), { disabled: past.at <= 0 }),
      button("later", `${say("later")} ▶`, () => table.lookAt(past.at + 1), { disabled: past.at >= last }),
      (table.people?.you.role === "open" || table.position.over) && past.at > 0 ? button("keep", say("keep_example"), () => table.send({ kind: "keep", at: past.at })) : null,
      table.people?.table.branches || table.people?.you.role === "open" ? button("branch", say("play_on"), () => table.branch(past.at)) : null,
      button("now", say("back_to_game"), () => table.backToGame(), { className: "main" }),
    ),
  );
}

/** What a search thinks of the choices. */
export function showHint(message, position) {
  const text = (index) => position.options[index]?.text ?? "";
  if (message.best === null || message.best === undefined) return open(say("hint"), [el("p", {}, say("hint_none"))]);
  const rows = [...(message.options ?? [])].sort((a, b) => b.visits - a.visits).slice(0, 5).map((one) =>
    el("li", {}, el("b", {}, text(one.index)), " ", el("small", {}, say("hint_value", { value: Math.round(100 * one.value), visits: one.visits }))),
  );
  return open(say("hint"), [el("p", {}, say("hint_best", { what: text(message.best) })), el("ol", {}, rows)]);
}

/** The referee enters what came up. `table`: what the page knows. */
export function showChance(message, table) {
  const choose = (outcome) => table.send({ kind: "chance", turn: table.position.turn, outcome });
  const watches = ["watch", "join"].includes(table.people?.you.role);
  const options = message.possible.map((outcome, number) => button(`chance ${outcome}`, message.labels[number], () => choose(outcome), { disabled: watches }));
  const forget = message.for === null || watches ? null : button("forget", say("cancel"), () => choose(null), { className: "quiet" });
  refill(byId("question"), message.sentences.length > 0 ? el("p", { className: "sentence" }, message.sentences.join(" ")) : null);
  refill(byId("controls"), el("div", { className: "options" }, options), forget);
}
