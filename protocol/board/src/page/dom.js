// Elements, made in one line.

/** @typedef {Record<string, unknown>} Attributes */

/**
 * @param {Element} element @param {Attributes} attributes
 */
function dress(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith('on') && typeof value === 'function') {
      element.addEventListener(name.slice(2), /** @type {EventListener} */ (value));
    } else {
      element.setAttribute(name, value === true ? '' : String(value));
    }
  }
}

/**
 * An element of HTML.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag @param {Attributes} [attributes] @param {...(Node | string | null | undefined | false)} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function html(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  dress(element, attributes);
  element.append(.../** @type {(Node | string)[]} */ (children.filter((child) => child || child === '')));
  return element;
}

/**
 * An element of SVG.
 * @param {string} tag @param {Attributes} [attributes] @param {...(Node | string)} children
 * @returns {SVGElement}
 */
export function svg(tag, attributes = {}, ...children) {
  const element = /** @type {SVGElement} */ (document.createElementNS('http://www.w3.org/2000/svg', tag));
  dress(element, attributes);
  element.append(...children);
  return element;
}

/** @param {string} id @returns {HTMLElement} */
export function byId(id) {
  const element = document.getElementById(id);
  if (!element) throw new Error(`no element ${id}`);
  return element;
}

/** A button. @param {string} text @param {() => void} press @param {Attributes} [attributes] */
export function button(text, press, attributes = {}) {
  return html('button', { type: 'button', onclick: press, ...attributes }, text);
}

/**
 * A labelled choice.
 * @param {string} label @param {[string, string][]} options value and text @param {string} value
 * @param {(value: string) => void} change
 */
export function choice(label, options, value, change) {
  const select = html('select', { onchange: () => change(select.value) },
    ...options.map(([key, text]) => html('option', { value: key, selected: key === value }, text)));
  return html('label', { class: 'choice' }, html('span', {}, label), select);
}

/** Says something to those who do not see. @param {string} text */
export function announce(text) {
  byId('live').textContent = text;
}
