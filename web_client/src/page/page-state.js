// What the page shows now, for its style sheets: not all browsers that play know `:has()`.

/**
 * Write a state on the document and its body, as `data-NAME`.
 * @param {'screen' | 'chat' | 'connection' | 'acts' | 'forOne' | 'watching'} name
 * @param {string} value
 */
export function setPageState(name, value) {
  for (const each of [document.documentElement, document.body])
    if (each.dataset[name] !== value) each.dataset[name] = value;
}
