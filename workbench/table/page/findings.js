// What is found in the rules, and how their examples come out: beside an editor in the page, or beside one elsewhere.

import { el } from "./dom.js";
import { say } from "./words.js";

export const press = (key, words, onclick) => el("button", { type: "button", data: { key }, onclick }, words);

const quiet = (...args) => Object.assign(press(...args), { className: "quiet" });

/** `found`: by file; `go`: shows a line of one, `explain`: a code, `mend`: carries out a fix. */
export function showFindings(found, { go, explain, mend }) {
  const marks = { 1: "✗", 2: "!", 3: "·", 4: "·" };
  const rows = Object.entries(found).flatMap(([name, own]) =>
    own.map(({ range, code, message, severity, fixes }) => {
      const { line } = range.start;
      const where = quiet(`go ${name} ${line} ${code}`, `${name}:${line + 1}`, () => go(name, line));
      const why = /^R\d/.test(code) ? quiet(`why ${name} ${line} ${code}`, code, () => explain(code)) : null;
      const mends = fixes.map((fix) => press(`fix ${name} ${line} ${fix.title}`, fix.title, () => mend(fix)));
      return el("li", { className: `kind-${severity}` }, el("span", { className: "sign" }, marks[severity]), " ", where, " ", why, el("p", {}, message), mends.length ? el("p", { className: "buttons" }, mends) : null);
    }),
  );
  return rows.length ? el("ul", {}, rows) : el("p", { className: "help" }, say("rules_nothing_found"));
}

const FEW = 10; // so many that pass, or wait, need not be folded away
const MARKS = { failed: "✗", blocked: "–", running: "…", waiting: "…", passed: "✓" };

/** Those that fail first; `go`: shows where one is written. */
export function showExamples(examples, go) {
  const rank = Object.keys(MARKS);
  const rows = [...examples].sort((a, b) => rank.indexOf(a.state) - rank.indexOf(b.state)).map(({ id, state, why, file, line }) => {
    const sign = el("span", { className: "sign", role: "img", aria: { label: state } }, MARKS[state]);
    return el("li", { className: state }, sign, " ", quiet(`example ${id}`, id, () => go(file, line)), why ? ` ${why}` : null);
  });
  const of = (state) => rows.filter(({ className }) => className === state);
  const folded = (own, sign) => (own.length ? el("details", { open: own.length < FEW }, el("summary", {}, `${own.length} ${sign}`), el("ul", {}, own)) : null);
  const others = rows.filter(({ className }) => !["waiting", "passed"].includes(className));
  return rows.length ? el("div", {}, el("ul", {}, others), folded(of("waiting"), "…"), folded(of("passed"), "✓")) : el("p", { className: "help" }, say("rules_no_examples"));
}

/** "Examples (2 ✗, 40 ✓)" */
export function toldExamples(examples) {
  const of = (wanted) => examples.filter(({ state }) => state === wanted).length;
  const failed = of("failed");
  return examples.length ? `${say("rules_examples")} (${failed ? `${failed} ✗, ` : ""}${of("passed")} ✓)` : say("rules_examples");
}
