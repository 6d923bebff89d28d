"use strict";

const $ = (id) => document.getElementById(id);

/** Makes an element with properties and children. Texts are never read as HTML. */
function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === false) continue;
    if (name in element && name !== "role") element[name] = value;
    else element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child !== undefined));
  return element;
}

const seconds = (time) => `${time.toFixed(3)} s`;
const number = (value) => value.toLocaleString("en");

function span(time) {
  if (time >= 1) return `${time.toFixed(2)} s`;
  return time >= 0.001 ? `${Math.round(time * 1000)} ms` : `${Math.round(time * 1e6)} µs`;
}
