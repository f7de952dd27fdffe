// The desk: rooms beside the table, which are told by the server whatever is new in the folder of the game.

import { part } from "./book.js";
import { byId, drawing, el, refill } from "./dom.js";
import { press, showExamples, showFindings, toldExamples } from "./findings.js";
import { drawGoals } from "./goals.js";
import { drawControls, drawPeople, drawTurned } from "./numbers.js";
import { TextsRoom } from "./texts.js";
import { notice, toast } from "./tools.js";
import { Wire, firstWords } from "./wire.js";
import { kept, ownLanguage, say, speak } from "./words.js";

const ROOMS = ["rules", "table", "numbers", "rulebook", "texts", "questions"];
const token = location.hash.slice(1);
// What the server told last, by kind; `values`: what is turned here, perhaps ahead of it.
const desk = { room: "rules", told: {}, since: "save", values: {}, waiting: new Map(), lang: undefined, parts: [], hasTable: false };

// ---------------------------------------------------------------- to the server and back

/** Asks for something; the answer is a promise. */
function ask(message) {
  const id = wire.send(message);
  return new Promise((done) => desk.waiting.set(id, done));
}

function answered({ id, problem, ...answer }) {
  if (problem) toast(problem);
  desk.waiting.get(id)?.(problem ? { problem } : answer);
  desk.waiting.delete(id);
}

function heard(message) {
  if (desk.away) notice();
  desk.away = false;
  if (message.kind === "told") return answered(message);
  desk.told[message.kind] = message;
  HEARD[message.kind]?.(message);
}

const HEARD = {
  begins: ({ words, lang, texts: isGuest }) => {
    if (!desk.hasTable) speak(words, lang);
    document.body.classList.toggle("texts-alone", isGuest);
    if (isGuest) show("texts");
    drawAll();
  },
  folder: () => (drawRooms(), drawState()),
  findings: () => (drawRules(), drawState()),
  examples: () => (drawRules(), drawState()),
  changed: () => ((desk.asking = false), drawRules(), readBook(), drawQuestions()),
  questions: () => ((desk.asking = false), drawQuestions()),
  table: tableTold,
  controls: () => (drawNumbers(), drawQuestions()),
  turned: ({ values, bots }) => {
    const is = JSON.stringify([values, bots]);
    if (is !== desk.is) delete desk.told.answer;
    desk.is = is;
    if (!turning) desk.values = values;
    drawNumbers();
    readBook();
  },
  answer: () => drawNumbers(),
  people: () => drawNumbers(),
  sought: () => drawSought(),
  texts: (told) => texts.saved(told, desk.told.folder?.name ?? ""),
  "text findings": ({ found }) => texts.looked(found),
  company: ({ here }) => texts.company(here),
  figures: (told) => texts.drawn(told),
};

function lost(isFinal) {
  desk.away = true;
  if (isFinal) return firstWord("no_link");
  if (desk.told.begins) notice(say(navigator.onLine ? "reconnecting" : "offline"));
  return undefined;
}

async function firstWord(word) {
  const words = await firstWords();
  speak(words[ownLanguage()] ?? words.en, words[ownLanguage()] ? ownLanguage() : "en");
  notice(say(word));
}

// ---------------------------------------------------------------- rooms

function show(room) {
  desk.room = room;
  document.body.classList.toggle("at-rules", room !== "table");
  document.body.classList.toggle("at-texts", room === "texts");
  for (const other of ROOMS.filter((name) => name !== "table")) byId(`room-${other}`).hidden = other !== room;
  drawRooms();
  if (room === "rulebook") readBook();
  if (room === "texts") texts.enter();
}

function drawRooms() {
  const words = { rules: "rules_pane", table: "table_title", numbers: "rules_numbers", rulebook: "desk_rulebook", texts: "texts_room", questions: "desk_questions" };
  const rooms = ROOMS.map((name) => {
    const button = press(`room ${name}`, say(words[name]), () => show(name));
    button.setAttribute("aria-pressed", name === desk.room);
    button.id = `to-${name}`;
    return button;
  });
  refill(byId("sides"), el("h1", {}, desk.told.folder?.name ?? ""), ...rooms);
  byId("sides").setAttribute("aria-label", say("desk_rooms"));
  byId("rules").setAttribute("aria-label", say(words[desk.room === "table" ? "rules" : desk.room]));
}

/** What matters whatever one looks at. */
function drawState() {
  const { folder, findings, examples, table } = desk.told;
  const mistakes = Object.values(findings?.found ?? {}).flat().filter(({ severity, code }) => severity === 1 && code !== "example").length;
  const words = folder?.gone ? say("desk_gone") : mistakes ? say(desk.hasTable ? "desk_last_good" : "desk_no_table") : examples?.more ? say("rules_busy") : "";
  byId("state").textContent = words;
  byId("state").hidden = !words;
  byId("state").classList.toggle("bad", Boolean(folder?.gone || mistakes));
  if (!desk.hasTable && table?.cannot && !mistakes) byId("state").textContent = table.cannot;
}

function drawAll() {
  drawRooms();
  drawState();
  drawRules();
  drawNumbers();
  drawBook();
  drawQuestions();
  if (desk.told.begins) texts.draw();
}

// ---------------------------------------------------------------- rules

function drawRules() {
  const { findings, examples, changed } = desk.told;
  if (!findings) return;
  const go = (file, line) => copyPlace(`${file}:${line + 1}`);
  const mend = async ({ id, title }) => {
    const { done } = await ask({ kind: "fix", fix: id });
    if (done !== undefined) toast(done ? title : say("desk_fix_late"));
  };
  const explain = async (code) => {
    const { text } = await ask({ kind: "code", code });
    if (text) tell(code, text.replace(/`/g, ""));
  };
  const count = Object.values(findings.found).flat().length;
  refill(
    byId("room-rules"),
    ...(changed?.save ? drawChanged(changed) : []),
    el("h2", {}, `${say("rules_findings")} (${count})`),
    showFindings(findings.found, { go, explain, mend }),
    el("h2", {}, toldExamples(examples?.found ?? [])),
    showExamples(examples?.found ?? [], go),
  );
}

/** The last save, or all since the desk was opened, in the words of `rulelang diff`. */
function drawChanged(changed) {
  const which = (name, word) => {
    const button = press(`since ${name}`, say(word), () => ((desk.since = name), drawRules()));
    button.setAttribute("aria-pressed", desk.since === name);
    return button;
  };
  const buttons = el("p", { className: "buttons" }, which("save", "desk_since_save"), which("all", "desk_since_open"));
  return [el("h2", {}, say("desk_changed")), buttons, differences(changed[desk.since]), drawCase(desk.since, `${changed.version} ${desk.since}`)];
}

/** The smallest case in which a change matters: a button that looks for it, and then what was found. `of`: the change. */
function drawCase(since, of) {
  const lang = document.documentElement.lang;
  const key = `${of} ${lang}`;
  const look = async () => {
    desk.case = { key };
    drawAll();
    const { html } = await ask({ kind: "case", since, lang });
    if (desk.case.key === key) desk.case = html ? { key, html } : undefined;
    drawAll();
  };
  if (desk.case?.key !== key) return el("p", { className: "buttons" }, press("case", say("desk_case"), look));
  return desk.case.html ? drawing(`<div class="case">${desk.case.html}</div>`) : el("p", { className: "help", role: "status" }, say("desk_case_busy"));
}

/** Differences as the server wrote them, with the sentences of the page's language opened. */
export function differences(html) {
  const found = drawing(`<div class="changes">${html}</div>`);
  found.querySelector("h3")?.remove();
  for (const own of found.querySelectorAll(`[lang="${document.documentElement.lang}"]`)) {
    const told = own.closest("details");
    told.open = true;
    told.parentElement.prepend(told);
  }
  return found;
}

async function copyPlace(place) {
  await navigator.clipboard?.writeText(place).catch(() => {});
  toast(say("desk_place", { place }));
}

function tell(title, text) {
  const box = byId("back");
  box.replaceChildren(el("h2", { id: "back-title" }, title), el("p", {}, text), el("p", { className: "buttons" }, press("shut", say("close"), () => box.close())));
  box.showModal();
}

// ---------------------------------------------------------------- the table

async function tableTold({ there, cannot, earlier }) {
  if (there && !desk.hasTable) {
    desk.hasTable = true;
    await import("./main.js");
  }
  drawState();
  if (!there) return;
  if (!cannot) return desk.isStuck && ((desk.isStuck = false), notice());
  desk.isStuck = true;
  const go = (at) => () => (notice(), ask({ kind: "go on", at }));
  const back = Number.isInteger(earlier) ? press("go on", say("desk_go_on", { at: earlier }), go(earlier)) : null;
  notice(el("span", {}, say("rules_cannot", { reason: cannot })), el("span", { className: "buttons" }, back, press("anew", say("begin_anew"), go(null))));
  return undefined;
}

// ---------------------------------------------------------------- numbers

let turning;

/** Another value of something; several clicks in a row are one. */
function turn(name, value) {
  const { found } = desk.told.controls;
  const { [name]: before, ...others } = desk.values;
  desk.values = found.find((one) => one.name === name).value === value ? others : { ...others, [name]: value };
  desk.drawn = drawn(); // the controls show it already
  drawNumbers();
  document.activeElement.scrollIntoView({ block: "nearest" });
  clearTimeout(turning);
  turning = setTimeout(() => {
    turning = undefined;
    ask({ kind: "turn", values: desk.values });
  }, 150);
}

/** What the controls show. */
const drawn = () => JSON.stringify([desk.told.controls?.found, desk.told.people, desk.values, document.documentElement.lang]);

function drawNumbers() {
  const { controls, turned, answer } = desk.told;
  if (!controls) return;
  const isSame = JSON.stringify(turned?.values ?? {}) === JSON.stringify(desk.values);
  const forget = () => ((desk.values = {}), drawNumbers(), ask({ kind: "forget" }));
  const bots = (who) => ask({ kind: "turn", values: desk.values, bots: who });
  const found = { ...(isSame ? turned : {}), values: desk.values, answer: isSame ? answer : undefined, case: drawCase("turned", JSON.stringify(desk.values)), all: [...desk.told.begins.bots, ...(desk.told.people?.plays ?? [])] };
  byId("turned").classList.toggle("idle", !Object.keys(desk.values).length);
  refill(byId("turned"), ...drawTurned(found, { keep, forget, bots, turn, differences }));
  if (desk.drawn === drawn()) return;
  desk.drawn = drawn();
  const box = byId("dials");
  const { scrollTop } = box;
  refill(byId("turning"), ...drawControls(controls.found, desk.values, turn), ...drawPeople(desk.told.people));
  drawSought();
  box.scrollTop = scrollTop;
}

/** What may vary and is wanted, and the settings that give it. */
function drawSought() {
  const { controls, sought } = desk.told;
  if (!controls?.found.length || !controls.goals.length) return;
  const seek = (what) => ask({ kind: "seek", ...what });
  const turn = (values) => {
    const printed = Object.fromEntries(controls.found.map(({ name, value }) => [name, value]));
    desk.values = Object.fromEntries(Object.entries(values).filter(([name, value]) => printed[name] !== value));
    drawNumbers();
    ask({ kind: "turn", values: desk.values });
  };
  drawGoals(byId("goals"), { controls: controls.found, goals: controls.goals, players: controls.players, sought }, { seek, turn });
}

function keep() {
  const box = byId("back");
  const input = el("input", { id: "kept-name", value: Object.entries(desk.values).map(([name, value]) => `${name}_${value}`).join("_").slice(0, 60), spellcheck: false });
  const said = el("p", { role: "status" });
  const make = async () => {
    const { file } = await ask({ kind: "keep", name: input.value.trim() });
    if (!file) return (said.textContent = byId("toast").textContent);
    box.close();
    toast(say("desk_kept", { file }));
    return undefined;
  };
  box.replaceChildren(el("h2", { id: "back-title" }, say("desk_keep")), el("p", {}, say("desk_keep_why")), el("p", {}, el("label", { for: "kept-name" }, say("desk_keep_name")), input), said, el("p", { className: "buttons" }, press("make", say("desk_keep"), make), press("shut", say("cancel"), () => box.close())));
  box.showModal();
}

// ---------------------------------------------------------------- rulebook

async function readBook() {
  const languages = desk.told.changed?.languages ?? [];
  if (desk.room !== "rulebook" || !languages.length) return drawBook();
  desk.lang ??= languages.find((lang) => lang === document.documentElement.lang) ?? languages[0];
  const { lang, parts } = await ask({ kind: "book", lang: desk.lang });
  if (lang === desk.lang) desk.parts = parts ?? [];
  drawBook();
  byId("room-rulebook").querySelector('[class^="mark-"]')?.scrollIntoView({ block: "center" });
  return undefined;
}

function drawBook() {
  const languages = desk.told.changed?.languages ?? [];
  const name = (lang) => new Intl.DisplayNames([document.documentElement.lang], { type: "language" }).of(lang);
  const choices = languages.map((lang) => {
    const button = press(`book ${lang}`, name(lang), () => ((desk.lang = lang), readBook()));
    button.setAttribute("aria-pressed", lang === desk.lang);
    return button;
  });
  const changes = desk.parts.filter((one) => one.pieces).length;
  const told = languages.length ? say(changes ? "desk_book_changed" : "desk_book_same", { number: changes }) : say("desk_no_book");
  const text = el("div", { lang: desk.lang ?? "" }, desk.parts.map((one) => part(one, 1)));
  refill(byId("room-rulebook"), el("p", { className: "buttons" }, choices), el("p", { className: "help" }, told), text);
}

// ---------------------------------------------------------------- questions

/** What the rules leave open: a button that looks for the smallest case of each reading, and the list as it grows. */
function drawQuestions() {
  const lang = document.documentElement.lang;
  const { controls, changed, questions } = desk.told;
  const are = controls?.found.some(({ kind }) => kind === "reading");
  const found = questions?.lang === lang && questions.version === changed?.version ? questions : undefined;
  const look = () => ((desk.asking = true), drawQuestions(), ask({ kind: "questions", lang }));
  const busy = el("p", { className: "help", role: "status" }, say("desk_case_busy"));
  const begin = el("p", { className: "buttons" }, press("questions", say("desk_questions_go"), look));
  refill(
    byId("room-questions"),
    el("p", { className: "help" }, say(are ? "desk_questions_help" : "desk_no_questions")),
    found?.problem ? el("p", { className: "wrong" }, found.problem) : null,
    found?.html ? drawing(`<div class="case">${found.html}</div>`) : null,
    found?.more || (desk.asking && !found) ? busy : null,
    are && !found && !desk.asking ? begin : null,
  );
}

// ----------------------------------------------------------------

const hello = () => ({ kind: "hello", token, lang: kept("lang") ?? ownLanguage() });
const wire = token ? new Wire({ path: "desk", hello, heard, settled() {}, lost, turn: () => 0 }) : undefined;
const texts = new TextsRoom({ ask, box: byId("room-texts"), dialog: byId("back") });
if (!token) firstWord("no_link");
addEventListener("hashchange", () => location.reload());
new MutationObserver(() => desk.told.begins && drawAll()).observe(document.documentElement, { attributeFilter: ["lang"] });
show(desk.room);
