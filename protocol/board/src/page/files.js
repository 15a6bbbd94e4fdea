// Files that the page gives to the person.

/** Lets the browser save a file. @param {string} name @param {Blob} content */
export function save(name, content) {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
