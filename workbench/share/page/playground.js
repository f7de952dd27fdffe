// The rules beside their table: an editor with what is found in them, their examples, and numbers of random games. The
// worker looks at the texts after every key, and the table follows whenever they can be played.

import { byId, el, refill } from "./dom.js";
import { press, showExamples, showFindings, toldExamples } from "./findings.js";
import { say } from "./words.js";
import { ask, chosen, edited, editor, kept, notice, playedBy, put } from "./wire.js";

const { EditorState, EditorView, StateEffect, StateField, Decoration, tags } = CodeMirror;
const GAMES = 200;
const LINK = 8000; // letters of the longest link
const TEXTS = "texts"; // under this name they are kept

const rules = { files: {}, first: undefined, states: new Map(), findings: {}, examples: [], shown: undefined, tab: "findings" };
let view;

// ---------------------------------------------------------------- the worker's side

editor.begins = async () => {
  const asked = new URLSearchParams(location.hash.slice(1));
  rules.shown ??= asked.get("file") ?? undefined;
  const link = await linked(asked.get("rules"));
  if (link) await put(TEXTS, link);
  return link ?? (await kept(TEXTS)) ?? {};
};

editor.begun = ({ files, first, keywords, legend }) => {
  Object.assign(rules, { files, first, keywords: new Set(keywords), legend, states: new Map() });
  const named = Object.keys(files);
  const start = named.find((name) => name === rules.shown) ?? named.find((name) => /^\s*game\s/m.test(files[name])) ?? named[0];
  open(start);
  draw();
};

editor.found = (found) => {
  if (found.findings) {
    rules.findings = found.findings;
    mark();
    colour();
  }
  if (found.examples) rules.examples = found.examples;
  if (found.playable) playedBy(changed());
  if (found.followed) {
    const { anew, cannot } = found.followed;
    notice(anew ? say("rules_began_anew", { reason: anew }) : cannot ? say("rules_cannot", { reason: cannot }) : undefined);
  }
  rules.isBusy = found.more;
  draw();
};

/** The texts that are others than those that came with the page, by name; null for one that is gone. */
function changed() {
  const names = [...new Set([...Object.keys(rules.files), ...Object.keys(rules.first)])];
  const others = names.filter((name) => (rules.files[name] ?? null) !== (rules.first[name] ?? null));
  return Object.fromEntries(others.map((name) => [name, rules.files[name] ?? null]));
}

function change(name, text) {
  if (text === undefined) delete rules.files[name];
  else rules.files[name] = text;
  edited(name, text ?? null);
  put(TEXTS, changed());
  // What was found of other rules is not shown as if it were of these.
  Object.assign(rules, { isBusy: true, before: rules.now ?? rules.before, now: undefined });
  rules.examples = rules.examples.map((example) => ({ ...example, state: "waiting", why: "" }));
  draw();
}

// ---------------------------------------------------------------- the editor

const setColours = StateEffect.define();
const coloured = StateField.define({
  create: () => Decoration.none,
  update(value, transaction) {
    for (const effect of transaction.effects) if (effect.is(setColours)) return effect.value;
    return value.map(transaction.changes);
  },
  provide: (field) => EditorView.decorations.from(field),
});

const grammar = {
  token(stream) {
    if (stream.match(/#.*/)) return "comment";
    if (stream.match(/"[^"]*"?/)) return "string";
    if (stream.match(/\d+/)) return "number";
    const word = stream.match(/[\p{L}_][\p{L}\p{N}_]*/u);
    if (word) return rules.keywords.has(word[0]) ? "keyword" : null;
    stream.next();
    return null;
  },
  languageData: { commentTokens: { line: "#" } },
};

const look = CodeMirror.HighlightStyle.define([
  { tag: tags.keyword, class: "cm-word" },
  { tag: tags.comment, class: "cm-note" },
  { tag: tags.string, class: "cm-text" },
  { tag: tags.number, class: "cm-count" },
]);

function extensions(name) {
  const own = name.endsWith(".rules") ? [CodeMirror.StreamLanguage.define(grammar), CodeMirror.syntaxHighlighting(look), coloured] : [];
  return [
    CodeMirror.basicSetup,
    CodeMirror.keymap.of([CodeMirror.indentWithTab]),
    CodeMirror.indentUnit.of("  "),
    CodeMirror.autocompletion({ override: [complete], icons: false }),
    CodeMirror.hoverTooltip(told),
    EditorView.lineWrapping,
    EditorView.contentAttributes.of({ "aria-label": name }),
    EditorView.updateListener.of((update) => update.docChanged && change(rules.shown, update.state.doc.toString())),
    ...own,
  ];
}

function open(name, line) {
  if (rules.files[name] === undefined) return;
  if (view && rules.shown) rules.states.set(rules.shown, view.state);
  rules.shown = name;
  const state = rules.states.get(name) ?? EditorState.create({ doc: rules.files[name], extensions: extensions(name) });
  if (view) view.setState(state);
  else view = new EditorView({ state, parent: byId("text") });
  view.scrollDOM.tabIndex = 0;
  mark();
  colour();
  if (line === undefined) return;
  const at = view.state.doc.line(Math.min(line + 1, view.state.doc.lines)).from;
  view.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: "center" }) });
  view.focus();
}

function offset(doc, { line, character }) {
  if (line >= doc.lines) return doc.length;
  const own = doc.line(line + 1);
  return Math.min(own.from + character, own.to);
}

function place(doc, at) {
  const line = doc.lineAt(at);
  return { name: rules.shown, line: line.number - 1, character: at - line.from };
}

function mark() {
  if (!view) return;
  const { doc } = view.state;
  const kinds = { 1: "error", 2: "warning", 3: "info", 4: "info" };
  const found = (rules.findings[rules.shown] ?? []).map((one) => ({
    from: offset(doc, one.range.start),
    to: offset(doc, one.range.end),
    severity: kinds[one.severity],
    message: one.message,
    actions: one.fixes.map((fix) => ({ name: fix.title, apply: () => mend(fix) })),
  }));
  view.dispatch(CodeMirror.setDiagnostics(view.state, found));
}

async function colour() {
  const { shown } = rules;
  if (!shown?.endsWith(".rules")) return;
  const { doc } = view.state;
  const answer = await ask({ what: "about", about: "colours", name: shown });
  if (!answer || shown !== rules.shown || doc !== view.state.doc) return;
  const marks = [];
  let [line, character] = [0, 0];
  for (let i = 0; i < answer.data.length; i += 5) {
    const [down, right, length, kind] = answer.data.slice(i, i + 4);
    character = down ? right : character + right;
    line += down;
    const from = offset(doc, { line, character });
    if (length) marks.push(Decoration.mark({ class: `cm-${rules.legend[kind]}` }).range(from, Math.min(from + length, doc.length)));
  }
  view.dispatch({ effects: setColours.of(Decoration.set(marks)) });
}

async function complete(context) {
  const word = context.matchBefore(/[\p{L}_][\p{L}\p{N}_]*/u);
  if (!word && !context.explicit && !context.matchBefore(/[.{(`[]/)) return null;
  const answer = await ask({ what: "about", about: "complete", ...place(context.state.doc, context.pos) });
  if (!answer?.items?.length) return null;
  const options = answer.items.map((item) => ({
    label: item.label,
    detail: item.detail ?? item.labelDetails?.description,
    info: item.documentation?.value ?? item.documentation,
    apply: plainly(item.textEdit?.newText ?? item.insertText ?? item.label),
    boost: -Math.min(99, Number(item.sortText?.slice(0, 4) ?? 0) / 10),
  }));
  return { from: word?.from ?? context.pos, options, validFor: /^[\p{L}\p{N}_]*$/u };
}

/** A snippet without its marks for places. */
const plainly = (text) => text.replace(/\$\{\d+:?([^}]*)\}|\$\d+/g, "$1");

async function told(shown, at) {
  const answer = await ask({ what: "about", about: "hover", ...place(shown.state.doc, at) });
  const words = answer?.contents?.value ?? "";
  if (!words) return null;
  return { pos: at, create: () => ({ dom: el("div", { className: "told" }, words.replace(/^```\w*$/gm, "").trim()) }) };
}

/** Carries out a fix, in all the files that it changes. */
function mend({ edits }) {
  for (const [name, own] of Object.entries(edits)) {
    if (name !== rules.shown) open(name);
    const { doc } = view.state;
    view.dispatch({ changes: own.map(({ range, newText }) => ({ from: offset(doc, range.start), to: offset(doc, range.end), insert: newText })) });
  }
}

async function format() {
  const edits = await ask({ what: "about", about: "format", name: rules.shown });
  if (edits?.length) mend({ edits: { [rules.shown]: edits } });
}

// ---------------------------------------------------------------- what is around it

function draw() {
  const choice = (name) => el("option", { value: name, selected: name === rules.shown }, name + (changed()[name] !== undefined ? " •" : ""));
  const files = el("select", { data: { key: "file" }, aria: { label: say("rules_file") }, onchange: (event) => (open(event.target.value), draw()) }, Object.keys(rules.files).sort().map(choice));
  refill(
    byId("files"),
    files,
    press("new", say("rules_new"), add),
    press("format", say("rules_format"), format),
    press("download", say("rules_download"), download),
    press("link", say("rules_link"), link),
    press("undo all", say("rules_undo_all"), undoAll),
  );
  const all = Object.values(rules.findings).flat();
  const tab = (name, words) => {
    const is = rules.tab === name;
    const tell = () => ((rules.tab = name), draw());
    return el("button", { type: "button", role: "tab", aria: { selected: is }, data: { key: `tab ${name}` }, onclick: tell }, words);
  };
  refill(byId("tabs-of-rules"), tab("findings", `${say("rules_findings")} (${all.length})`), tab("examples", toldExamples(rules.examples)), tab("numbers", say("rules_numbers")));
  refill(byId("found"), { findings: drawFindings, examples: drawExamples, numbers: drawNumbers }[rules.tab]());
  byId("busy").textContent = rules.isBusy ? say("rules_busy") : "";
  byId("rules").setAttribute("aria-label", say("rules_pane"));
  byId("to-rules").textContent = say("rules_pane");
  byId("to-table").textContent = say("table_title");
}

const drawFindings = () => showFindings(rules.findings, { go: open, explain, mend });

async function explain(code) {
  const words = await ask({ what: "code", code });
  notice(`${code}: ${words.replace(/`/g, "")}`);
}

const drawExamples = () => showExamples(rules.examples, open);

function drawNumbers() {
  const play = press("play", say("rules_play", { number: GAMES }), async () => {
    rules.isBusy = true;
    draw();
    const now = await ask({ what: "numbers", games: GAMES, seed: 1 });
    Object.assign(rules, { now, isBusy: false });
    draw();
  });
  const { now, before } = rules;
  if (now?.problem) return el("div", {}, play, el("p", {}, now.problem));
  const old = before && !before.problem ? before : undefined;
  const shown = now ?? old;
  if (!shown) return el("div", {}, play);
  const mean = (spread) => (spread ? spread.mean.toFixed(1) : "");
  const row = (label, now_, before_) => el("tr", {}, el("th", { scope: "row" }, label), el("td", { className: "number" }, now_ ?? ""), old ? el("td", { className: "number" }, before_ ?? "") : null);
  const share = (found, seat) => `${Math.round((100 * found.wins[seat]) / Math.max(1, found.finished))} %`;
  const head = el("tr", {}, el("td", {}), el("th", { scope: "col" }, say("rules_now")), old ? el("th", { scope: "col" }, say("rules_before")) : null);
  const rows = [
    row(say("rules_length"), now && mean(now.decisions), old && mean(old.decisions)),
    ...shown.seats.flatMap((name, seat) => [
      row(say("rules_wins", { name }), now && share(now, seat), old?.seats[seat] && share(old, seat)),
      shown.scores.length ? row(say("rules_score", { name }), now && mean(now.scores[seat]), old && mean(old.scores[seat])) : null,
    ]),
  ];
  if (!now) return el("div", {}, play, el("table", {}, head, rows));
  const faults = now.faults.slice(0, 3).map((fault) => el("p", { className: "fails" }, fault));
  const unused = now.unused.length ? el("p", { className: "help" }, say("rules_unused", { rules: now.unused.join(", ") })) : null;
  const open_ = now.finished < now.games ? el("p", {}, say("rules_unfinished", { number: now.games - now.finished })) : null;
  return el("div", {}, play, el("table", {}, head, rows), faults, open_, unused, el("p", { className: "help" }, say("rules_random")));
}

// ---------------------------------------------------------------- in and out

function add() {
  const box = byId("back");
  const input = el("input", { aria: { label: say("rules_name") }, placeholder: "variants/mine.rules" });
  const said = el("p", { role: "status" });
  const make = () => {
    const name = input.value.trim();
    if (!/^[\w][\w/.-]*\.(rules|look|md|toml|csv)$/.test(name) || name.includes("..")) said.textContent = say("rules_bad_name");
    else if (rules.files[name] !== undefined) said.textContent = say("rules_is_there", { name });
    else {
      box.close();
      change(name, "");
      open(name);
      draw();
    }
  };
  box.replaceChildren(el("h2", {}, say("rules_new")), input, said, el("p", { className: "buttons" }, press("make", say("confirm"), make), press("shut", say("cancel"), () => box.close())));
  box.showModal();
}

function undoAll() {
  for (const name of Object.keys(changed())) {
    rules.states.delete(name);
    change(name, rules.first[name] ?? undefined);
  }
  const there = rules.files[rules.shown] !== undefined ? rules.shown : Object.keys(rules.files)[0];
  rules.shown = undefined;
  open(there);
  draw();
}

function hand(bytes, name, type) {
  const url = URL.createObjectURL(new Blob([bytes], { type }));
  el("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

/** All texts as an archive, which needs no compression. */
async function download() {
  const archive = await ask({ what: "folder" });
  hand(Uint8Array.from(atob(archive), (letter) => letter.charCodeAt(0)), `${byId("title").textContent || document.title}.zip`, "application/zip");
}

async function link() {
  const packed = new Blob([JSON.stringify(changed())]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(packed).arrayBuffer());
  const code = btoa(String.fromCharCode(...bytes.slice(0, LINK))).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
  if (bytes.length > LINK || code.length > LINK) return notice(say("rules_too_long"));
  const address = `${location.href.split("#")[0]}#game=${chosen}&rules=${code}`;
  const box = byId("back");
  const area = el("textarea", { readOnly: true, rows: 4, value: address, aria: { label: say("rules_link") } });
  const said = el("p", { role: "status" });
  const copy = async () => {
    area.select();
    await navigator.clipboard.writeText(address).catch(() => document.execCommand("copy"));
    said.textContent = say("copied");
  };
  box.replaceChildren(el("h2", {}, say("rules_link")), el("p", {}, say("rules_link_why")), area, said, el("p", { className: "buttons" }, press("copy", say("copy"), copy), press("shut", say("close"), () => box.close())));
  box.showModal();
  return undefined;
}

/** The texts that the address of this page brings, as `link` packs them; undefined where it brings none that can be read. */
async function linked(code) {
  if (!code) return undefined;
  try {
    const bytes = Uint8Array.from(atob(code.replace(/-/g, "+").replace(/_/g, "/")), (letter) => letter.charCodeAt(0));
    const texts = await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"))).json();
    history.replaceState(null, "", `${location.href.split("#")[0]}#game=${chosen}`);
    return Object.fromEntries(Object.entries(texts).filter(([, text]) => text === null || typeof text === "string"));
  } catch {
    notice(say("rules_bad_link"));
    return undefined;
  }
}

// ---------------------------------------------------------------- both sides of a narrow window

for (const side of ["rules", "table"]) {
  byId(`to-${side}`).onclick = () => {
    document.body.classList.toggle("at-rules", side === "rules");
    for (const other of ["rules", "table"]) byId(`to-${other}`).setAttribute("aria-pressed", other === side);
  };
}
new MutationObserver(() => rules.first && draw()).observe(document.documentElement, { attributeFilter: ["lang"] });
draw();
