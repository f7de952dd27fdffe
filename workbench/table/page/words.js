// The words of the page in the language of the player, and words of the game that can be asked about.

import { el } from "./dom.js";

let known = {};
let terms = {};
let finder = null;
let isAsking = false;

export function speak(words, lang) {
  known = words;
  document.documentElement.lang = lang ?? "en";
}

/** A word with values for the names in its braces. */
export function say(word, values = {}) {
  return (known[word] ?? word).replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
}

/** What was kept under a name for this window, or else for the last one; null where nothing was. */
export function kept(name) {
  try {
    return sessionStorage.getItem(name) ?? localStorage.getItem(name);
  } catch {
    return null;
  }
}

/** The language of the browser, for whoever has chosen none. */
export function ownLanguage() {
  return navigator.language.slice(0, 2);
}

/** Keeps something for this window, and for the next time. */
export function keep(name, value) {
  try {
    for (const store of [sessionStorage, localStorage]) store.setItem(name, value);
  } catch {
    // it is asked for again the next time
  }
}

/** Words that can be asked about, each with the name to ask for, besides those of earlier positions unless `whole`. */
export function learn(more, whole) {
  terms = whole ? more : { ...terms, ...more };
  const written = Object.keys(terms).sort((a, b) => b.length - a.length).map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  finder = written.length > 0 ? new RegExp(`(?<![\\p{L}\\p{N}])(${written.join("|")})(?![\\p{L}\\p{N}])`, "u") : null;
}

/** A text, with what can be asked about as elements of their own. */
export function marked(text) {
  return finder ? text.split(finder).map((part, i) => (i % 2 ? touched(el("span", { className: "term", data: { ask: terms[part] } }, part)) : part)) : [text];
}

/** Whether words that can be asked about are reached with the keyboard. */
export function openTerms(on) {
  isAsking = on;
  for (const term of document.querySelectorAll(".term")) touched(term);
}

function touched(term) {
  for (const [name, value] of [["role", "button"], ["tabindex", "0"]]) {
    if (isAsking) term.setAttribute(name, value);
    else term.removeAttribute(name);
  }
  return term;
}
