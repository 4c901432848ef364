// Links for other people, and the warning if a link works on this computer only.

import { spoken, strings } from '../core/language.js';
import { linkBase, worksOnlyHere } from '../core/links.js';
import { h } from './element.js';

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
    class: 'link-warning',
    hidden: !isLocal,
    text: isLocal ? strings.ONLY_HERE : '',
  });
}
