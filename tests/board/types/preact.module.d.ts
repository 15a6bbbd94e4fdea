// What the page uses of Preact, loosely: its own types would have to be fetched.
export const Fragment: any;
export function h(tag: any, attributes: any, ...children: any[]): any;
export function render(children: any, root: Element): void;
