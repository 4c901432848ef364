// The tips for playing well. Their first use loads them. `tips.json` has the cards.

/**
 * A tip: its title, its paragraphs, and one sentence for each picture.
 * @typedef {readonly [title: string, text: string | readonly string[], ...frames: string[]]} TipWords
 */

/** The sections, by families of games; a family without tips has none. @type {Record<string, {title: string, lead: string}>} */
const FAMILIES = {
  spider: {
    title: 'Spider',
    lead: 'Ten columns, two decks, and 44 cards face down at the start. The manual of 1987 is sure that skill counts for more here than luck. It begins with these habits.',
  },
  spiderette: {
    title: 'Spiderette',
    lead: 'Spider with one deck and seven columns. All the advice above holds, but there is less room, and less to come: with four suits, an old estimate gives you one win in a hundred.',
  },
  'little-spider': {
    title: 'Little Spider',
    lead: 'A different game: four foundations between two rows of four. Two are built up from the ace, two down from the king. While the stock lasts nothing moves from pile to pile, so your choices are few. Make each one count: an old estimate gives you one win in twenty-five.',
  },
};

/** @type {Record<string, TipWords>} */
const TIPS = {
  suit: [
    'Same suit first',
    'Any card may go on the next higher one, but only cards of one suit travel together. So look for moves within a suit before all others: such a pair stays free to move, and a mixed one is a lock that you will have to open again.',
    'The 9♦ fits on both tens.',
    'On the 10♦ it makes a pair, and the pair goes on to the J♠. Two new cards turn up.',
    'On the 10♣ it only blocks the ten: these two can’t move together.',
  ],
  high: [
    'Between suits, high cards first',
    'When only mixed moves are left, begin with the highest card. What you put down next can then follow onto it, and one long column grows. Begin low, and you tie up the cards that you wanted to move next.',
    'K♣, Q♦ and J♠: two moves are possible.',
    'First the queen, then the jack: both columns turn up a new card.',
    'First the jack, and the queen is stuck under it.',
  ],
  dig: [
    'Turn cards up, short columns first',
    'You can’t plan with cards that you don’t see. Of two moves that are equally good, take the one that turns a card up; if both do, take the column with fewer cards face down. It will be the first to become a space.',
    'Either red nine fits on the 10♣.',
    'The 9♦ turns up the 8♣, which follows it. The column is empty: your first space.',
    'The 9♥ turns up a 3♦ with three more cards under it, and the 9♦ has to stay.',
  ],
  space: [
    'Make a space early, and get it back',
    'Any card or run may go to an empty column, so a space is the best tool you have. Make one before you start to sort: with it you can take mixed columns apart and put them together by suit. The best moves give the space back at the end.',
    'Two mixed pairs. Without a space nothing can be done here.',
    'The 8♥ steps aside into the space.',
    'The 8♠ joins the 9♠, the 8♥ joins the 9♥: two pairs in suit, and the space is free again.',
  ],
  king: [
    'Think twice before a king takes your space',
    'A king fits nowhere but in a space, and it stays there until its suit is complete. Give it the space when it pays at once: other cards are ready to follow it, and best of all you win a new space.',
    'One space, and two kings that would like it.',
    'The K♠ takes it, and Q♠ to 10♠ follow in suit: one space gone, one space won.',
    'The K♥ turns up the 8♣, and nothing can follow. The space is gone.',
  ],
  tidy: [
    'Tidy up before you deal',
    'A deal puts a card on every column, wanted or not. Make all other moves first, above all those in suit: pairs hold together under the new cards. In most rooms no column may be empty, so fill your spaces with care: a card that uncovers another one is better than a piece of a good run.',
    'The space must be filled before the deal.',
    'The 4♣ fills it and turns up the J♦. The run stays whole.',
    'The 7♠ fills it, the run is broken, and you see no new card.',
  ],
  suits: [
    'Four suits, two suits, one suit',
    'The same deal at all three levels: the golden edge shows how many cards you can pick up at once. The fewer suits, the bolder you can play.',
    'Only the 7♦.',
    '8♥ and 7♥.',
    'All four.',
  ],
  keep: [
    'Remove a complete suit, or keep it?',
    [
      'Usually remove it: that is thirteen cards out of your way. Where suits are not removed automatically, you may keep one for a while. The old texts do so to arrange other cards of that suit, and for the score.',
      'If you win with more than three suits on the table, the classic score adds 2 points for each one beyond the third. With the DOS score, all eight suits on the table, no exception, and then nothing but removals is a Grand Spider: 10,000 points. Try it only when the win is safe.',
    ],
    'Stock empty, eight suits complete. End the game here for 1000 classic points instead of 990. With the DOS score, remove all eight for the Grand Spider.',
  ],
  exceptions: [
    'With the DOS score, know what an exception costs',
    [
      'Where exceptions are allowed you can move a run of mixed suits. One may save a game, but it makes everything you have cheaper. Look for a way around it first: often one card can step aside.',
      'If you win, every move from column to column after the first exception costs one more point. So make the first as late as you can. From the seventh on, each exception costs 10 more.',
    ],
    'One suit is removed already. The 9♣ and the 8♣ belong on the 10♣, but the 7♦ is in the way.',
    'The 7♦ goes to the 8♠, then 9♣ and 8♣ move as a pair. One pair more: 10 points more.',
    'All three at once as an exception: the same pair is won, but 4 points are lost.',
  ],
  walk: [
    'A game of 1987, move by move',
    'The DOS manual plays one opening to show its rules of thumb: moves in suit first, then the highest cards. It names no suits, so we chose them to fit. Step through it and guess the next move.',
    'Ten cards face up. Two moves in suit are already there: can you see them?',
    '3♠ on the 4♠: the same suit, so it goes before everything else. The 6♥ turns up.',
    '6♥ on the 7♥, in suit again. The 2♣ turns up. It would fit on the 3♠, but wait.',
    'A♦ on the 2♦: no other move in suit is left. The 4♣ turns up.',
    'Now the mixed moves, highest first: J♣ on the Q♠. The 2♠ turns up.',
    '2♠ on the 3♠, in suit, so it comes at once. Had the 2♣ gone there, this place would be taken.',
    'The next highest: 7♥ and 6♥ travel together to the 8♠. The 7♦ turns up.',
    '7♦ on the 8♣, and one more card turns up. The two moves that are left turn up nothing, so the manual deals here: seven new cards seen, four pairs in suit.',
  ],
  short: [
    'Empty the short columns first',
    'The first column holds one card, the last one seven. A space on the left is a move or two away, one on the right is a whole project. Begin on the left, and use the space to dig on the right.',
    'Either red seven fits on the 8♠.',
    'The 7♥ was alone: column 1 is a space after one move.',
    'The 7♦ turns up a card, but there are five more below it.',
  ],
  once: [
    'There is only one of each card',
    'In Spider a second 10♥ may turn up later. Here it won’t: with four suits every card has exactly one place in its suit. Before you make a mixed move, look where that place is, and whether you can open it.',
    'The 9♥ belongs on the 10♥, which is under the 3♣.',
    'The 3♣ moves to the 4♦ first. Now the nine goes on its own ten.',
    'The 9♥ on the 10♠ turns up the same card, but these two can’t move together.',
  ],
  last: [
    'Three full deals, then three cards',
    'The stock has 24 cards: three rows of seven, and three cards at the end that go on columns 1 to 3. Columns 4 to 7 stay as they are after that. Before you deal the last three, move the runs that matter to the right.',
    'Three cards are left. The run in column 3 will be covered.',
    'The run moves to column 4 first, and stays open.',
    'Dealt too soon: the 2♥ lies on the run.',
  ],
  seven: [
    'Keep seven cards for the next deal',
    'In most rooms there is no deal with fewer cards on the table than columns. If suits are not removed automatically, don’t remove one too early while the stock still has cards: its low cards can fill the empty columns, and you put it together again later.',
    'A complete suit, three more cards, and ten still in the stock.',
    'Four low cards fill the empty columns: now you can deal.',
    'The suit is removed: three cards are left for seven columns, and there is no deal.',
  ],
  colour: [
    'Choose the colour that goes up',
    'Your first card on a foundation decides for all: aces of one colour go up, kings of the other colour go down. Don’t play the first ace or king just because you can. Compare first: which colour has its low cards on top, and which has its high ones?',
    'Both aces can be played. But look at the 2♥ and the K♠.',
    'Hearts go up: A♥ and 2♥ are played, and now black goes down, so the K♠ is played too.',
    'Spades go up: red now goes down. The A♥, the 2♥ and the K♠ all have to wait.',
  ],
  above: [
    'The lower row only plays straight up',
    'While the stock lasts, a card of the upper row goes to any foundation that takes it, but a card of the lower row only to the one straight above. When you begin a suit, choose the foundation above its next card.',
    'The A♥ may begin the first or the second foundation.',
    'On the second one, the 2♥ below can follow at once.',
    'On the first one, the 2♥ is stuck: it isn’t straight below.',
  ],
  bury: [
    'Play all you can before you deal',
    'A deal covers every pile at once, and covered cards stay there until the ones above are gone. So play all you can, and look again after each card. Don’t keep an empty pile for later: the next deal fills it.',
    'Three cards can be played: 3♦, then 4♦, and the K♣.',
    'All three are played before the deal.',
    'Dealt too soon: all three are covered.',
  ],
  wrap: [
    'At the end, aces go on kings',
    'Once the stock is empty, top cards may also move from pile to pile: one rank up or down, any suit, and ace and king are neighbours. An ace that is needed last of all can wait on a king that is needed last of all.',
    'The 5♥ is wanted, but the A♠ lies on it. It fits on the K♦ and on the 2♣.',
    'On the K♦ it is out of the way: the 5♥ is played, and the 2♣ as well.',
    'On the 2♣ it covers a card that is wanted as well.',
  ],
  empty: [
    'An empty pile stays empty',
    'At the end a pile that runs out is gone: no card may ever go there. Each pile less is a place less to put a card, so move cards to uncover what the foundations want, and not just because they fit.',
    'Hearts wait for the 6♥, which is under the Q♠.',
    'The queen goes on the K♦ and the 6♥ is played. All eight piles are still there.',
    'The 6♣ on the 7♦ fits too, but it brings nothing, and the first pile is gone.',
  ],
};

/**
 * @typedef {object} Sentences
 * @property {(sources: string) => string} from
 * @property {(n: number) => string} points
 * @property {(dos: number, woods: number) => string} worth the points of a step by two scores
 * @property {(step: number, steps: number) => string} stepOf
 */

/** @satisfies {Sentences & Record<string, unknown>} */
const en = {
  ...{ FAMILIES, TIPS },
  PAGE: {
    lead: 'The habits that win games of Spider, with cards to show them. Cards with a golden edge are those that move.',
    contents: 'Games',
    ours: 'Our own advice.',
  },
  /** The kinds of pictures. */
  KINDS: {
    before: 'Before',
    step: 'First',
    good: 'Better',
    bad: 'Worse',
    table: 'The table',
    'suits-4': 'Four suits',
    'suits-2': 'Two suits',
    'suits-1': 'One suit',
  },
  /** The old texts that give the same advice. */
  SOURCES: {
    dos: 'the DOS manual of 1987',
    xspider: 'xspider (1989)',
    arachnid: 'Arachnid',
    family: 'a page on the Spider family (2015)',
  },
  from: (sources) => `Based on ${sources}.`,
  points: (n) => `${n} points`,
  worth: (dos, woods) => `DOS score ${dos} · Classic score ${woods}`,
  stepOf: (step, steps) => (step === 0 ? 'The deal' : `Move ${step} of ${steps}`),
  PRICES: {
    title: 'What exceptions cost by the DOS score',
    head: ['Exceptions', 'A suit', 'A pair', 'A win'],
  },
  /** Advice for single games, with the tip on suits. */
  GAMES_ADVICE: {
    'spider-4':
      'Most moves have to mix suits. Keep the mixed part short, choose the moves that turn cards up, and use every space to sort. An old estimate gives you one win in twenty.',
    'spider-2':
      'Half of your moves can be in suit, so wait for them. A mixed pair is a debt: pay it back as soon as you have a space.',
    'spider-1':
      'Every sequence moves as one, so little ever blocks. Turn cards up, empty the short columns, and be quick: most races at this level are won by speed.',
  },
};

export default en;
