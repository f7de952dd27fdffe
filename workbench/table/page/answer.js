// Answers to "why" and "why not": each condition with its values, and the sentences of the rules.

import { byId, drawing, el } from "./dom.js";
import { marked, say } from "./words.js";

/** Shows the answer in a dialog: what a thing is, and why it can or cannot be chosen; `rules(id)`: opens the rulebook; `possible`: what can be chosen; `ask(address)`: asks what lies there. */
export function showAnswer({ about, explanations }, rules, possible, ask) {
  const title = say(explanations.some((one) => one.allowed) ? "can_be_chosen" : "cannot_be_chosen");
  const isRefused = possible.length > 0 && explanations.length > 0 && !explanations.some((one) => one.allowed);
  const now = isRefused ? [el("h3", {}, say("possible_now")), el("ul", {}, possible.map((text) => el("li", {}, text)))] : [];
  const asked = [...explanations.map((one) => reasons(one, rules)), ...now];
  if (!about) return open(title, asked);
  const choice = asked.length > 0 ? [el("h3", {}, title), ...asked] : [];
  return open(about.name, [el("p", {}, about.lines.join(" ")), faces(about, ask), ...choice, ...topic(about, rules)]);
}

/** The cards that lie there, whole; each says more of itself. */
function faces({ faces }, ask) {
  const shown = faces.map(({ address, svg }) => {
    const picture = drawing(svg);
    const button = { type: "button", aria: { label: picture.querySelector("title").textContent }, onclick: () => ask(address) };
    return faces.length > 1 ? el("button", button, picture) : picture;
  });
  return el("div", { className: "faces" }, shown);
}

/** Where something counts, and the example that shows it. */
function topic(about, rules) {
  const places = about.rules.map((rule) => {
    const show = { type: "button", className: "quiet", onclick: () => rules(rule.id) };
    return el("section", {}, el("h3", {}, rule.title), el("blockquote", {}, told(rule.sentences)), el("button", show, say("rulebook")));
  });
  const { example } = about;
  if (example) places.push(el("details", {}, el("summary", {}, say("example_of", { name: example.id })), el("pre", {}, example.text)));
  return places.length > 0 ? [el("h3", {}, say("counts_in")), ...places] : [];
}

/** Sentences, those deeper that stand so in the rules. */
export function told(lines) {
  return lines.map((line) => {
    const deep = /^(› )*/.exec(line)[0].length / 2;
    const sentence = el("p", {}, marked(line.slice(2 * deep)));
    if (deep > 0) sentence.style.setProperty("--deep", deep);
    return sentence;
  });
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

function reasons(one, rules) {
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
    one.sentences.length > 0 ? el("blockquote", {}, told(one.sentences)) : null,
    el("p", {}, el("button", show, say("rulebook"))),
  );
}
