// The deal of a finished round, revealed and checked in this browser; and the links to the round.

import { dataPath, pagePath } from '../replay/finished-rounds.js';
import { strings } from '../strings/language.js';
import { copyButton, shareButton } from '../widgets/copy-button.js';
import { h, write } from '../widgets/element.js';
import { linkFor } from '../widgets/links.js';
import { verdict } from './deal-check.js';

/**
 * @import {Reveal} from '../contract/messages.d.ts'
 * @import {RoundId} from '../replay/finished-rounds.js'
 */

/** Bind the deal. @param {(text: string) => void} announce */
export function bindRevealedDeal(announce) {
  const words = strings.RESULTS;
  const title = h('strong');
  const text = h('span');
  const result = h('p', { class: 'revealed-deal-verdict', id: 'verified' }, title, text);
  const facts = h('dl', { class: 'revealed-deal-facts', id: 'deal-facts' });
  const summary = h('summary', { text: words.show });
  const proves = h('p', { class: 'text-small', text: strings.PROVES.join(' ') });
  const json = h('a', { id: 'round-link', text: words.data, target: '_blank' });
  const file = h('a', { id: 'round-text', text: words.text, download: true });
  const link = h('input', { id: 'round-share', readonly: true, 'aria-label': words.share });
  const element = h(
    'div',
    { class: 'revealed-deal' },
    h(
      'section',
      { class: 'panel', 'aria-labelledby': 'share-round' },
      h('h2', { id: 'share-round', text: words.share }),
      h('p', { class: 'text-small', text: words.shared }),
      h(
        'div',
        { class: 'field-row' },
        link,
        copyButton('round-copy', link, announce),
        shareButton('round-hand-on', link),
      ),
      h('p', { class: 'revealed-deal-file' }, file),
    ),
    h(
      'section',
      { class: 'panel', 'aria-label': words.deal },
      result,
      h('details', {}, summary, facts, proves, json),
    ),
  );

  return {
    element,
    /**
     * Show the deal of a round and the result of its check.
     * @param {RoundId} roundId
     * @param {string} game
     * @param {string | null | undefined} promised the hash as it was shown before the race
     * @param {Reveal} reveal
     */
    update(roundId, game, promised, reveal) {
      const { good, title: heading, text: reason } = verdict(game, promised, reveal);
      result.dataset.verdict = good ? 'good' : 'bad';
      write(title, heading);
      write(text, reason);
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
      json.href = dataPath(roundId);
      file.href = `${dataPath(roundId)}.txt`;
      link.value = linkFor(pagePath(roundId));
    },
  };
}
