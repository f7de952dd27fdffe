// Answers to "why" and "why not": each condition with its values, and the sentences of the rules.

import { byId, el } from "./dom.js";
import { say } from "./words.js";

/** Shows the answer in a dialog; `rules(id)`: opens the rulebook. */
export function showAnswer(explanations, rules) {
  const title = say(explanations.some((one) => one.allowed) ? "can_be_chosen" : "cannot_be_chosen");
  const parts = explanations.length > 0 ? explanations.map((one) => told(one, rules)) : [el("p", {}, say("nothing_here"))];
  open(explanations.length > 0 ? title : say("ask_why_not"), parts);
}

/** Shows anything in the dialog. */
export function open(title, parts) {
  const dialog = byId("answer");
  const close = { type: "button", className: "main", onclick: () => dialog.close() };
  dialog.replaceChildren(
    el("h2", { id: "answer-title" }, title),
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
