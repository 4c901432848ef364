// Links for other people, and the warning about one that does not reach them.

import { strings } from '../core/language.js';
import { linkBase, worksOnlyHere } from '../core/links.js';
import { h } from './element.js';

/** Return a link for other people to a page of this server. @param {string} path */
export function linkFor(path) {
  const named = document.querySelector('meta[name="share-base"]')?.getAttribute('content');
  return `${linkBase(location.origin, named)}${path}`;
}

/** Make the warning beside a link; it is empty if other computers can use the link. */
export function linkWarning() {
  const only = worksOnlyHere(linkFor('/'));
  return h('p', { class: 'link-warning', hidden: !only, text: only ? strings.ONLY_HERE : '' });
}
