// How somebody likes the table: how large, whether pieces move, choices are confirmed, one is called. Kept in this browser.

import { byId, el, refill } from "./dom.js";
import { kept, keep, say } from "./words.js";

const SIZES = ["whole", 1, 1.25, 1.5, 2, 3];

/** Whether pieces stay where they are until they are elsewhere. */
export const calm = () => kept("still") === "yes" || matchMedia("(prefers-reduced-motion: reduce)").matches;

/** Whether a choice counts only when it has been confirmed. */
export const confirms = () => kept("confirm") === "yes";

/** Whether what was shown and is gone again need not wait until it has been read. */
export const hurries = () => kept("hurry") === "yes";

function size() {
  const found = SIZES.findIndex((one) => String(one) === kept("size"));
  return found < 0 ? 1 : found;
}

let learning = null;

/** Shows the controls, and the table as they say. `own`: whether somebody `learns` the game, and what changes that. */
export function showComfort(own = learning) {
  learning = own;
  const now = SIZES[size()];
  byId("table").classList.toggle("whole", now === "whole");
  byId("table").classList.toggle("zoomed", now > 1);
  byId("picture").style.setProperty("--zoom", now === "whole" ? 1 : now);
  document.body.classList.toggle("calm", calm());
  document.body.classList.toggle("streamed", kept("stream") === "yes");
  document.body.classList.toggle("clocked", kept("clocks") === "yes");
  byId("comfort").firstElementChild.textContent = say("view");
  const step = (by, sign, label) => {
    const at = size() + by;
    return el("button", { type: "button", data: { key: label }, aria: { label: say(label) }, disabled: !SIZES[at], onclick: () => set("size", SIZES[at]) }, sign);
  };
  const shown = el("output", {}, now === "whole" ? say("zoom_whole") : `${100 * now} %`);
  const choice = (name, label, begin) => {
    const box = el("input", { type: "checkbox", checked: kept(name) === "yes", data: { key: name } });
    box.onchange = () => {
      if (box.checked) begin?.();
      set(name, box.checked ? "yes" : "no");
    };
    return el("label", {}, box, " ", say(label));
  };
  const learns = el("input", { type: "checkbox", checked: Boolean(own?.learns), data: { key: "learn" }, onchange: () => own.learn(learns.checked) });
  const calls = choice("call", "call_me", () => globalThis.Notification?.requestPermission());
  refill(byId("comforts"), el("div", { className: "buttons" }, step(-1, "−", "zoom_out"), shown, step(1, "+", "zoom_in")), choice("still", "no_motion"), choice("hurry", "no_waiting"), choice("confirm", "confirm_first"), choice("stream", "for_streaming"), choice("clocks", "show_clocks"), calls, own ? el("label", {}, learns, " ", say("learn_by_playing")) : null);
}

/** Calls somebody who wants it and looks at something else: with a tone and, where the browser may, with a notification. */
export function call(title, text) {
  if (kept("call") !== "yes" || !document.hidden) return;
  const sound = new AudioContext();
  const tone = new OscillatorNode(sound, { frequency: 660 });
  const soft = new GainNode(sound, { gain: 0.1 });
  tone.connect(soft).connect(sound.destination);
  tone.onended = () => sound.close();
  tone.start();
  tone.stop(sound.currentTime + 0.25);
  if (globalThis.Notification?.permission === "granted") new Notification(title, { body: text, tag: "turn" });
}

function set(name, value) {
  keep(name, String(value));
  showComfort();
}

/** The keys + and − change the size, 0 shows the table as it is at first. */
export function sizeKeys(event) {
  const by = { "+": 1, "-": -1, 0: 1 - size() }[event.key];
  const isTyped = event.target.closest("input, textarea, select, dialog") || event.ctrlKey || event.metaKey || event.altKey;
  if (by !== undefined && !isTyped && SIZES[size() + by]) set("size", SIZES[size() + by]);
}
