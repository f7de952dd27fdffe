// In place of the connection to a server: the table is in a worker of this page. It is kept in the browser after every
// choice, and goes back to whoever shared it as a text.

import { byId, drawing, el } from "./dom.js";
import { ownLanguage, say, speak } from "./words.js";

const PATIENCE = 20000; // so long the rules may take before one is asked whether to wait
const UNNAMED = ["hello", "alive", "look"];
const { games, parts, playground } = JSON.parse(byId("plan").textContent);
const asked = new URLSearchParams(location.hash.slice(1));
export const chosen = games[asked.get("game")] ? Number(asked.get("game")) : 0;
const plan = games[chosen];
const first = JSON.parse(byId("first").textContent);

/** What edits the rules, where the page has it: hears of it, and says what is to be put in place of the first texts. */
export const editor = { begins: () => ({}), begun() {}, found() {} };

// `sound`: the texts by which the table is played, where they are others than the first ones.
const table = { packed: {}, sound: {}, seats: [], asked: new Map(), number: 0, pipe: 0, wire: undefined, worker: undefined };

export class Wire {
  constructor({ hello, heard, settled, lost, turn }) {
    Object.assign(this, { hello, heard, settled, lost, turn, unsure: new Map(), number: 0 });
    this.open();
  }

  open() {
    table.wire = this;
    this.unsure.clear();
    table.worker.postMessage({ open: (table.pipe += 1) });
    this.put(this.hello());
  }

  probe() {}

  isUnsure(kind) {
    return [...this.unsure.values()].some(({ message, sent }) => message.kind === kind && sent === this.turn());
  }

  received(message) {
    const mine = this.unsure.get(message.id);
    this.unsure.delete(message.id);
    waiting();
    if (mine) this.settled(mine.message, message.kind !== "refused");
    if (message.kind === "alive" || message.kind === "done") return;
    this.heard(message);
    if (message.kind === "position") handOver(message);
  }

  send(message) {
    if (UNNAMED.includes(message.kind)) return this.put(message);
    const named = { ...message, id: String((this.number += 1)) };
    this.unsure.set(named.id, { message: named, sent: this.turn() });
    waiting();
    return this.put(named);
  }

  put(message) {
    table.worker.postMessage({ hear: table.pipe, text: JSON.stringify(message) });
    return true;
  }
}

/** What a server would give under a path: here only the rulebook, in a language. */
export function fetched(path) {
  return ask({ what: "rulebook", lang: decodeURIComponent(path.split("/").pop()) });
}

/** Words before anything came from the table. */
export async function firstWords() {
  return first;
}

/** Begins with the seat that is asked first; `open` makes a page of its link, which can be given another. */
export function begin(open) {
  const lang = first[ownLanguage()] ? ownLanguage() : "en";
  speak(first[lang], lang);
  document.documentElement.lang = lang;
  table.open = open;
  start();
}

// ---------------------------------------------------------------- the worker

async function start(returned) {
  table.worker?.terminate();
  Object.assign(table, { wire: undefined, pipe: 0, isLooking: false });
  table.asked.clear();
  progress(say("getting_ready"));
  let kept = returned ? undefined : await recall();
  const edits = playground ? { texts: await editor.begins(), sound: table.sound } : undefined;
  const { worker, ...others } = packed();
  if (parts.some((name) => !table.packed[name])) return progress(say("cut_short"), true);
  try {
    const script = await new Response(new Blob([worker]).stream().pipeThrough(new DecompressionStream("gzip"))).blob();
    table.worker = new Worker(URL.createObjectURL(new Blob([script], { type: "text/javascript" })));
  } catch (problem) {
    return progress(`${say("old_browser")} (${problem.message})`, true);
  }
  table.worker.onmessage = ({ data }) => fromWorker(data, { kept, returned });
  table.worker.onerror = (event) => progress(`${say("old_browser")} (${event.message ?? ""})`, true);
  table.worker.postMessage({ parts: others, plan: JSON.stringify(plan), kept, returned, edits });
  return undefined;
}

/** The parts of this file, as bytes by name; as text they would take up four times the room, so they leave the page. */
function packed() {
  for (const part of document.querySelectorAll('script[type="text/plain"]')) {
    part.remove();
    try {
      table.packed[part.dataset.part] = bytesOf(atob(part.textContent.trim()));
    } catch {} // the file was cut short in the middle of it
  }
  return table.packed;
}

function bytesOf(letters) {
  const bytes = new Uint8Array(letters.length);
  for (let at = 0; at < letters.length; at += 1) bytes[at] = letters.charCodeAt(at);
  return bytes;
}

function fromWorker(data, { kept, returned }) {
  if (data.seats) {
    Object.assign(table, { seats: data.seats, secret: data.secret });
    progress();
    const seat = table.seats[0];
    if (table.page) {
      table.page.again(seat[2]);
    } else table.page = table.open(seat[2]);
  } else if (data.pipe !== undefined) {
    if (data.pipe === table.pipe && data.text !== null) table.wire?.received(JSON.parse(data.text));
  } else if (data.answer !== undefined) {
    table.asked.get(data.answer)?.(data.value);
    table.asked.delete(data.answer);
    waiting();
  } else if (data.rules) editor.begun(data.rules);
  else if (data.found) {
    table.isLooking = data.found.more;
    waiting();
    editor.found(data.found);
  } else if (data.keep) keep(data.keep);
  else if (data.failed) {
    if (kept && !returned) forget().then(() => start()); // of an earlier version of this file, or damaged
    else if (returned) start().then(() => notice(data.failed));
    else progress(data.failed, true);
  }
}

export function ask(question) {
  table.number += 1;
  return new Promise((done) => {
    table.asked.set(table.number, done);
    table.worker.postMessage({ ask: table.number, ...question });
    waiting();
  });
}

/** These are the texts by which the table is played from now on; they are kept with it. */
export function playedBy(texts) {
  table.sound = texts;
}

/** A text of the rules is another now. */
export function edited(name, text) {
  table.worker.postMessage({ edit: name, text });
  table.isLooking = true;
  waiting();
}

// ---------------------------------------------------------------- what is seen of it

function progress(words, isFinal = false) {
  const bar = byId("progress");
  bar.hidden = words === undefined;
  bar.classList.toggle("final", isFinal);
  bar.textContent = words ?? "";
  document.body.classList.toggle("preparing", words !== undefined);
}

export function notice(words) {
  const bar = byId("notice");
  bar.hidden = words === undefined;
  bar.replaceChildren(el("span", {}, words), el("span", { className: "buttons" }, el("button", { type: "button", onclick: () => (bar.hidden = true) }, say("close"))));
}

let timer;
let isLong = false;

/** When the worker says nothing for long though something is asked of it: the page stays alive, and can end it. */
function waiting() {
  clearTimeout(timer);
  if (isLong) notice();
  isLong = false;
  if (!table.isLooking && table.asked.size === 0 && !table.wire?.unsure.size) return;
  timer = setTimeout(() => {
    notice(say("takes_long"));
    isLong = true;
    const stop = { type: "button", onclick: () => ((byId("notice").hidden = true), start()) };
    byId("notice").append(el("span", { className: "buttons" }, el("button", stop, say("stop_it"))));
  }, PATIENCE);
}

/** Several people at one screen: the next one takes it, and sees nothing of the others before. */
function handOver(position) {
  const me = table.seats.find(([seat]) => seat === position.seat);
  const next = table.seats.find(([seat]) => position["turn of"]?.includes(seat));
  if (!me || !next || next === me || position["turn of"].includes(position.seat)) return;
  const go = () => table.page.again(next[2]);
  if (!table.secret) return go();
  const cover = byId("cover");
  const label = position.players?.[next[0]]?.label ?? next[1];
  cover.replaceChildren(
    el("h2", {}, say("hand_over", { name: label })),
    el("p", {}, say("hand_over_why")),
    el("button", { type: "button", data: { key: "mine" }, onclick: () => (cover.close(), go()) }, say("this_is_me", { name: label })),
  );
  cover.oncancel = (event) => event.preventDefault();
  setTimeout(() => cover.open || cover.showModal(), plan.pace * 1000);
}

/** The button beside the language: the game as a text, and another's text. */
export function furnish() {
  const button = el("button", { type: "button", id: "sending", data: { key: "send back" }, onclick: show }, say("send_back"));
  byId("sending")?.remove();
  byId("choosing")?.remove();
  byId("speaking").before(...(games.length > 1 ? [choosing()] : []), button);
}

/** Another game of this file is another visit. */
function choosing() {
  const options = games.map(({ title }, index) => el("option", { value: index, selected: index === chosen }, title));
  const go = (event) => {
    location.hash = `game=${event.target.value}`;
    location.reload();
  };
  return el("label", { id: "choosing" }, `${say("other_game")} `, el("select", { data: { key: "game" }, onchange: go }, options));
}

async function show() {
  const { text: code, code: picture } = await ask({ what: "text" });
  const box = byId("back");
  const area = el("textarea", { readOnly: true, rows: 6, value: code, aria: { label: say("game_as_text") } });
  const other = el("textarea", { rows: 3, aria: { label: say("open_text") } });
  const said = el("p", { role: "status" });
  const copy = async () => {
    area.select();
    await navigator.clipboard.writeText(code).catch(() => document.execCommand("copy"));
    said.textContent = say("copied");
  };
  const share = () => navigator.share({ title: document.title, text: code }).catch(() => {});
  const open = () => other.value.trim() && (box.close(), start(other.value));
  const anew = () => (box.close(), forget().then(() => start()));
  const press = (key, word, onclick) => el("button", { type: "button", data: { key }, onclick }, say(word));
  box.replaceChildren(
    el("h2", {}, say("send_back")),
    el("p", {}, say("send_back_why")),
    area,
    el("p", { className: "buttons" }, press("copy", "copy", copy), navigator.share ? press("share", "send_to", share) : null),
    said,
    ...(picture ? [el("details", {}, el("summary", {}, say("qr_code")), Object.assign(drawing(picture), { ariaLabel: say("qr_code") }))] : []),
    el("h3", {}, say("open_text")),
    other,
    el("p", { className: "buttons" }, press("open", "open_it", open), press("anew", "begin_anew", anew), press("shut", "close", () => box.close())),
  );
  box.showModal();
}

// ---------------------------------------------------------------- kept between visits

const STORE = "tables";
let isRefused = false;

function database() {
  return new Promise((done, failed) => {
    const request = indexedDB.open("rulelang", 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE);
    request.onsuccess = () => done(request.result);
    request.onerror = () => failed(request.error);
  });
}

async function stored(mode, act) {
  const open = await database();
  return new Promise((done, failed) => {
    const change = open.transaction(STORE, mode);
    const request = act(change.objectStore(STORE));
    change.oncomplete = () => (open.close(), done(request.result));
    change.onerror = change.onabort = () => (open.close(), failed(change.error));
  });
}

/** What the editor kept, by a name of its own. */
export function kept(name) {
  return stored("readonly", (all) => all.get(`${plan.key} ${name}`)).catch(() => undefined);
}

export function put(name, value) {
  return stored("readwrite", (all) => all.put(value, `${plan.key} ${name}`)).catch(() => {});
}

async function recall() {
  const kept = await stored("readonly", (all) => all.get(plan.key)).catch(() => undefined);
  table.version = kept?.version ?? 0;
  table.sound = kept?.sound ?? {};
  return kept?.bytes;
}

/** Keeps the table; another window of the same file may have gone on meanwhile, and is not undone unseen. */
async function keep(bytes) {
  try {
    const there = await stored("readonly", (all) => all.get(plan.key));
    if ((there?.version ?? 0) > table.version && !isRefused) {
      isRefused = true;
      notice(say("two_windows"));
    }
    if (isRefused) return;
    table.version += 1;
    await stored("readwrite", (all) => all.put({ bytes, version: table.version, sound: table.sound }, plan.key));
  } catch {
    if (!isRefused) notice(say("not_kept"));
    isRefused = true;
  }
}

function forget() {
  Object.assign(table, { version: 0, sound: {} });
  isRefused = false;
  return stored("readwrite", (all) => all.delete(plan.key)).catch(() => {});
}
