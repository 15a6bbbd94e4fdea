// Elements, described in one line; Preact makes them and keeps those that stay: focus, clicks and animations outlast a redraw.

import { Fragment, h, render as draw } from './preact.module.js';

/** @typedef {Record<string, unknown>} Attributes */
/** What an element holds. @typedef {any} Child */
/** A description of an element, to which children can be added. @typedef {any} Node_ */

/**
 * An element of HTML or SVG.
 * @param {string} tag @param {Attributes | null} [attributes] @param {...Child} children
 * @returns {Node_}
 */
export function html(tag, attributes = {}, ...children) {
  const node = h(tag, attributes ?? {}, children);
  node.append = (/** @type {Child[]} */ ...more) => { children.push(...more); };
  return node;
}

export const svg = html;

/** Children under a key: what has another key is another thing. @param {string} key @param {Child[]} children */
export function keyed(key, children) {
  return h(Fragment, { key }, children);
}

/** Shows children in an element. @param {Element} root @param {...Child} children */
export function show(root, ...children) {
  draw(children, root);
}

/** @param {string} id @returns {HTMLElement} */
export function byId(id) {
  const element = document.getElementById(id);
  if (!element) throw new Error(`no element ${id}`);
  return element;
}

/** A button. @param {Child} text @param {() => void} press @param {Attributes} [attributes] */
export function button(text, press, attributes = {}) {
  return html('button', { type: 'button', onclick: press, ...attributes }, text);
}

/**
 * A labelled choice.
 * @param {string} label @param {[string, string][]} options value and text @param {string} value
 * @param {(value: string) => void} change @param {boolean} [isHidden] whether the label is heard, not seen
 */
export function choice(label, options, value, change, isHidden = false) {
  return html('label', { class: 'choice' }, html('span', { class: isHidden ? 'hidden' : undefined }, label),
    html('select', { value, onchange: (/** @type {Event} */ event) => change(/** @type {HTMLSelectElement} */ (event.currentTarget).value) },
      ...options.map(([key, text]) => html('option', { key, value: key, selected: key === value }, text))));
}

/**
 * A dialog; it goes when it is closed.
 * @param {string} label @param {(close: () => void) => Child[]} content @param {Attributes} [attributes] @param {() => void} [closed]
 */
export function ask(label, content, attributes = {}, closed) {
  const dialog = document.createElement('dialog');
  dialog.setAttribute('aria-label', label);
  for (const [name, value] of Object.entries(attributes)) dialog.setAttribute(name, String(value));
  show(dialog, ...content(() => dialog.close()));
  dialog.addEventListener('close', () => {
    dialog.remove();
    closed?.();
  });
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/** Says something to those who do not see. @param {string} text */
export function announce(text) {
  byId('live').textContent = text;
}
