// The deal of a round that is over, laid open and checked in this browser; the round to keep.

import { strings } from '../core/language.js';
import { verdict } from '../core/proof.js';
import { dataOf, linkTo } from '../replay/finished-rounds.js';
import { h, write } from '../shared/element.js';

/**
 * @import {Reveal} from '../core/messages.d.ts'
 * @import {Place} from '../replay/finished-rounds.js'
 */

const COPIED = 2_000;

/** @param {(text: string) => void} announce */
export function bindRevealed(announce) {
  const words = strings.RESULTS;
  const title = h('strong');
  const text = h('span');
  const seal = h('p', { class: 'seal', id: 'verified' }, title, text);
  const facts = h('dl', { class: 'proof' });
  const summary = h('summary');
  const proves = h('p', { class: 'small', text: strings.PROVES.join(' ') });
  const json = h('a', { id: 'round-link', text: words.data, target: '_blank' });
  const kept = h('a', { id: 'round-text', text: words.text, download: true });
  const link = h('input', { id: 'round-share', readonly: true, 'aria-label': words.share });
  const copy = h('button', { id: 'round-copy', type: 'button', text: strings.COPY.copy });
  link.addEventListener('focus', () => link.select());
  copy.addEventListener('click', copyLink);
  const element = h(
    'div',
    { class: 'revealed' },
    h(
      'section',
      { class: 'panel', 'aria-labelledby': 'share-round' },
      h('h2', { id: 'share-round', text: words.share }),
      h('p', { class: 'small', text: words.shared }),
      h('div', { class: 'joining' }, link, copy),
      h('p', { class: 'keep' }, kept),
    ),
    h(
      'section',
      { class: 'panel', 'aria-label': words.deal },
      seal,
      h('details', {}, summary, facts, proves, json),
    ),
  );

  async function copyLink() {
    try {
      await navigator.clipboard.writeText(link.value);
      write(copy, strings.COPY.copied);
      setTimeout(() => write(copy, strings.COPY.copy), COPIED);
    } catch {
      // On plain HTTP there is no clipboard: the text stands selected, to be copied by hand.
      link.focus();
      link.select();
      announce(strings.COPY.selected);
    }
  }

  return {
    element,
    /**
     * @param {Place} place
     * @param {string} game
     * @param {string | null | undefined} promised the seal as it was shown before the race
     * @param {Reveal} reveal
     */
    update(place, game, promised, reveal) {
      const { good, title: proof, text: why } = verdict(game, promised, reveal);
      seal.classList.toggle('good', good);
      write(title, proof);
      write(text, why);
      write(summary, reveal.deal === 'secret' ? words.check : words.show);
      const { seed, salt, commitment, number, deck } = reveal;
      const rows = [
        [words.number, number === null ? null : String(number)],
        [words.seed, seed],
        [words.salt, salt],
        [words.seal, promised ?? commitment],
        [strings.cardCount(deck.length), deck.join(' ')],
      ];
      facts.replaceChildren(
        ...rows.flatMap(([name, value]) =>
          value ? [h('dt', { text: name }), h('dd', { text: value })] : [],
        ),
      );
      proves.hidden = !salt;
      json.href = dataOf(place);
      kept.href = `${dataOf(place)}.txt`;
      link.value = `${location.origin}${linkTo(place)}`;
    },
  };
}
