// Links for other people, and the warning if a link works on this computer only. The server names a
// better base than that of the page where it knows one: the public address, or the machine's own one
// in place of `localhost`.

import { spoken, strings } from '../strings/language.js';
import { h } from './element.js';

/**
 * Return the base of links for other people.
 * @param {string} origin of the page
 * @param {string | null | undefined} named the base that the server names
 */
export const linkBase = (origin, named) => named || origin;

/** Return whether a link works only on the computer that it was made on. @param {string} link */
export function worksOnlyHere(link) {
  const { hostname } = new URL(link);
  return /^(?:localhost|.*\.localhost|127(?:\.\d+){3}|\[::1\]|0\.0\.0\.0)$/.test(hostname);
}

/** Return a link for other people to a page of this server; its preview speaks the language of the page. @param {string} path */
export function linkFor(path) {
  const base = document.querySelector('meta[name="share-base"]')?.getAttribute('content');
  const language = spoken === 'en' ? '' : `?lang=${spoken}`;
  return `${linkBase(location.origin, base)}${path}${language}`;
}

/** Make the warning beside a link; it is empty if other computers can use the link. */
export function linkWarning() {
  const isLocal = worksOnlyHere(linkFor('/'));
  return h('p', {
    class: 'text-warning',
    hidden: !isLocal,
    text: isLocal ? strings.ONLY_HERE : '',
  });
}
