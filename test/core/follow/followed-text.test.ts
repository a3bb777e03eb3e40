import { describe, expect, test } from 'vitest';
import { namedWords } from '../../../src/core/follow/followed-text.ts';

const WALLET = `0x${'Ab'.repeat(20)}`;
const OWN = ['tipoff.example.com'];
const wallet = { kind: 'wallet', wallet: WALLET.toLowerCase() };
const named = (text: string) => namedWords(text, OWN)?.map((one) => one.named) ?? null;

describe('what a person names', () => {
  test.each([
    [WALLET, wallet],
    [`https://polymarket.com/profile/${WALLET}?tab=positions`, wallet],
    [`https://tipoff.example.com/wallets/${WALLET}`, wallet],
    [
      'https://polymarket.com/event/fed-decision/fed-cuts-25-bps?tid=1',
      { kind: 'slug', slug: 'fed-cuts-25-bps' },
    ],
    ['polymarket.com/event/Fed-Decision#comments', { kind: 'slug', slug: 'fed-decision' }],
    ['https://polymarket.com/es/market/fed-cuts', { kind: 'slug', slug: 'fed-cuts' }],
    ['https://tipoff.example.com/markets/fed-cuts%20', { kind: 'slug', slug: 'fed-cuts ' }],
    ['fed-decision-in-december', { kind: 'slug', slug: 'fed-decision-in-december' }],
    ['https://tipoff.example.com/alerts/123.png?v=1-open', { kind: 'alert', id: 123 }],
    ['https://t.me/tipoff_bot?start=alert_123', { kind: 'alert', id: 123 }],
    ['#7', { kind: 'alert', id: 7 }],
    ['4711', { kind: 'alert', id: 4_711 }],
  ])('%s', (text, expected) => {
    expect(named(text)).toEqual([expected]);
  });

  test('several at once, each once, in their order, whatever is between them', () => {
    expect(named(`${WALLET}, fed-cuts\n#7;${WALLET.toLowerCase()}`)).toEqual([
      wallet,
      { kind: 'slug', slug: 'fed-cuts' },
      { kind: 'alert', id: 7 },
    ]);
  });

  test.each([
    '0x12',
    `${WALLET}0`,
    'https://example.com/alerts/7',
    'https://polymarket.com/@somebody',
    'https://tipoff.example.com/record',
    'https://',
  ])('%s looks like one and is refused, with what would be right', (text) => {
    expect(named(text)).toMatchObject([
      { kind: 'wrong', why: expect.stringMatching(/42 characters|I read links/) },
    ]);
  });

  test('a word that means nothing is refused even beside good ones', () => {
    expect(named(`hello ${WALLET}`)).toMatchObject([{ kind: 'wrong' }, wallet]);
  });

  test.each(['', 'politics 60', 'pop-culture', 'words fed-cuts', 'category:tech search:fed-cuts', 'trump'])(
    '“%s” names none: it may be a filter',
    (text) => {
      expect(named(text)).toBeNull();
    },
  );
});
