// Answers to "why" and "why not": each condition with its values, and the sentences of the rules.

import { byId, el } from "./dom.js";
import { say } from "./words.js";

/** Shows the answer in a dialog: what a thing is, and why it can or cannot be chosen; `rules(id)`: opens the rulebook; `possible`: what can be chosen. */
export function showAnswer({ about, explanations }, rules, possible) {
  const title = say(explanations.some((one) => one.allowed) ? "can_be_chosen" : "cannot_be_chosen");
  const isRefused = possible.length > 0 && explanations.length > 0 && !explanations.some((one) => one.allowed);
  const now = isRefused ? [el("h3", {}, say("possible_now")), el("ul", {}, possible.map((text) => el("li", {}, text)))] : [];
  const asked = [...explanations.map((one) => told(one, rules)), ...now];
  if (!about) return open(title, asked);
  const choice = asked.length > 0 ? [el("h3", {}, title), ...asked] : [];
  return open(about.name, [el("p", {}, about.lines.join(" ")), ...choice, ...topic(about, rules)]);
}

/** Where something counts, and the example that shows it. */
function topic(about, rules) {
  const places = about.rules.map((rule) => {
    const show = { type: "button", className: "quiet", onclick: () => rules(rule.id) };
    return el("section", {}, el("h3", {}, rule.title), el("blockquote", {}, rule.sentences.map((one) => el("p", {}, one))), el("button", show, say("rulebook")));
  });
  const { example } = about;
  if (example) places.push(el("details", {}, el("summary", {}, say("example_of", { name: example.id })), el("pre", {}, example.text)));
  return places.length > 0 ? [el("h3", {}, say("counts_in")), ...places] : [];
}

/** Shows anything in the dialog. */
export function open(title, parts) {
  const dialog = byId("answer");
  const close = { type: "button", className: "main", onclick: () => dialog.close() };
  dialog.replaceChildren(
    el("h2", { id: "answer-title", tabIndex: -1, autofocus: true }, title),
    ...parts,
    el("div", { className: "buttons" }, el("button", close, say("close"))),
  );
  if (!dialog.open) dialog.showModal();
}

function told(one, rules) {
  const conditions = one.conditions.map((condition) =>
    el(
      "li", { className: condition.holds ? "holds" : "fails" },
      el("span", { className: "sign", role: "img", aria: { label: say(condition.holds ? "holds" : "fails") } }, condition.holds ? "✓" : "✗"),
      " ", condition.sentence ?? el("code", {}, condition.text),
      condition.values ? el("small", {}, ` ${condition.values}`) : null,
      condition.sentence ? el("details", {}, el("summary", {}, say("in_the_rules")), el("code", {}, condition.text)) : null,
    ),
  );
  const show = { type: "button", className: "quiet", onclick: () => rules(one.rule) };
  const none = one.allowed ? say("nothing_needed") : one.text || say("cannot_be_chosen");
  return el(
    "section", {},
    el("h3", {}, one.what),
    conditions.length > 0 ? el("ul", { className: "conditions" }, conditions) : el("p", {}, none),
    one.sentences.length > 0 ? el("blockquote", {}, one.sentences.join(" ")) : null,
    el("p", {}, el("button", show, say("rulebook"))),
  );
}
