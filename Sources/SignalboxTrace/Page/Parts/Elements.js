"use strict";

const $ = (id) => document.getElementById(id);

/**
 * Makes an element with properties and children. Texts are never read as HTML, and their hidden
 * characters are escaped. Only a `pre` keeps line breaks.
 */
function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  const shown = (text) => typeof text === "string" ? plain(text, tag === "pre") : text;
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === false) continue;
    if (name in element && name !== "role") element[name] = name === "title" ? shown(value) : value;
    else element.setAttribute(name, name === "aria-label" ? shown(value) : value);
  }
  element.append(...children.filter((child) => child !== undefined).map(shown));
  return element;
}

/** The characters that the command escapes: controls, directions, separators, no width. */
const hidden = /(?!\u200D)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
const escapes = { "\0": "\\0", "\t": "\\t", "\n": "\\n", "\r": "\\r" };

/** A text in which each character can be seen. */
function plain(text, keepsLines = false) {
  return text.replace(hidden, (character) => {
    if (keepsLines && character === "\n") return character;
    const code = character.codePointAt(0);
    const digits = code < 0x80 ? 2 : code <= 0xFFFF ? 4 : 8;
    return escapes[character]
      ?? `\\u{${code.toString(16).toUpperCase().padStart(digits, "0")}}`;
  });
}

/** A text as Swift source writes it. */
const quoted = (text) => `"${plain(text.replace(/["\\]/g, "\\$&"))}"`;

/** A path that may break before its dots and brackets only. */
function breakable(path) {
  return path.split(/(?=[.[])/).flatMap((part, index) => index ? [make("wbr"), part] : [part]);
}

const seconds = (time) => `${time.toFixed(3)} s`;
const number = (value) => value.toLocaleString("en");
const counted = (count, noun) => `${number(count)} ${noun}${count === 1 ? "" : "s"}`;

function span(time) {
  if (time >= 1) return `${time.toFixed(2)} s`;
  return time >= 0.001 ? `${Math.round(time * 1000)} ms` : `${Math.round(time * 1e6)} µs`;
}
