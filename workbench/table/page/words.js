// The words of the page in the language of the player. They come with every position.

let known = {};

export function speak(words, lang) {
  known = words;
  document.documentElement.lang = lang ?? "en";
}

/** A word with values for the names in its braces. */
export function say(word, values = {}) {
  return (known[word] ?? word).replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
}

/** The language of this window, or else of the last one; null where none was chosen. */
export function remembered() {
  try {
    return sessionStorage.getItem("lang") ?? localStorage.getItem("lang");
  } catch {
    return null;
  }
}

/** The language of the browser, for whoever has chosen none. */
export function ownLanguage() {
  return navigator.language.slice(0, 2);
}

/** Keeps the language for the next time. */
export function remember(lang) {
  try {
    for (const kept of [sessionStorage, localStorage]) kept.setItem("lang", lang);
  } catch {
    // it is asked for again the next time
  }
}
