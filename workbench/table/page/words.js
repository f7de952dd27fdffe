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
