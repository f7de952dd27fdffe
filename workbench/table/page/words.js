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

/** Words that are set before any position came; in English, for the browser's own language is not known to us. */
export const FIRST = {
  no_link: "This page needs the whole link of a seat, with everything behind the #.",
  reconnecting: "Trying to reach the table …",
};
