// How to play in three pictures, and what a locked deal proves.

export const LESSON = {
  title: 'How to play',
  move: 'Put a card on one that is one higher. Cards of one suit in order move together.',
  deal: 'Stuck? Deal from the stock: every column gets one more card.',
  suit: 'King to ace in one suit leaves the table. Clear all suits to win.',
  close: 'Got it',
};

export const LITTLE_LESSON = [
  'Build two foundations up in suit from the ace, and two down from the king: red aces and black kings, or the other way round.',
  'Each deal puts a card on every pile. Cards of the upper row go on any foundation that takes them, those of the lower row only on the one right above.',
  'Once the stock is empty, any top card goes on any foundation that takes it, or on a card one higher or one lower. Play all cards to win.',
];

export const FAIR = {
  line: 'Fair deal: once it is locked, nobody can change it, not even the owner of this server.',
  check: [
    'Before the race everyone is shown a hash of the secret deal. After the race the deal is revealed, and your browser checks that it has that hash and deals these cards. Anyone else can check it too.',
    'The hash does not prove that nobody saw the deal before, or that two players don’t share what they see.',
  ],
};
