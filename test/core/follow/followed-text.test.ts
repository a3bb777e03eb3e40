import { describe, expect, test } from 'vitest';
import { namedWords } from '../../../src/core/follow/followed-text.ts';

const WALLET = `0x${'Ab'.repeat(20)}`;
const OWN = ['tipoff.example.com'];
const wallet = { kind: 'wallet', ends: { start: WALLET.toLowerCase(), end: '' } };
const market = (slug: string | null, event = slug) => ({ kind: 'market', market: slug, event });
const alert = (id: number, isNamed = true) => ({ kind: 'alert', id, isNamed });
const named = (text: string) => namedWords(text, OWN)?.map((one) => one.named) ?? null;

describe('what a person names', () => {
  test.each([
    [WALLET, wallet],
    [`https://polymarket.com/profile/${WALLET}?tab=positions`, wallet],
    [`https://tipoff.example.com/wallets/${WALLET}`, wallet],
    [
      'https://polymarket.com/event/fed-decision/fed-cuts-25-bps?tid=1',
      market('fed-cuts-25-bps', 'fed-decision'),
    ],
    ['polymarket.com/event/Fed-Decision#comments', market(null, 'fed-decision')],
    ['https://polymarket.com/es/market/fed-cuts', market('fed-cuts')],
    ['https://tipoff.example.com/markets/fed-cuts%20', market('fed-cuts ')],
    ['fed-decision-in-december', market('fed-decision-in-december')],
    ['https://tipoff.example.com/alerts/123.png?v=1-open', alert(123)],
    ['https://t.me/tipoff_bot?start=alert_123', alert(123)],
    ['#7', alert(7)],
    ['4711', alert(4_711, false)],
  ])('%s', (text, expected) => {
    expect(named(text)).toEqual([expected]);
  });

  test('several at once, each once, in their order, whatever is between them', () => {
    expect(named(`${WALLET}, fed-cuts\n#7;${WALLET.toLowerCase()}`)).toEqual([
      wallet,
      market('fed-cuts'),
      alert(7),
    ]);
  });

  test.each([
    '0x12',
    `${WALLET}0`,
    'https://example.com/alerts/7',
    'https://polymarket.com/@somebody',
    'https://tipoff.example.com/record',
  ])('%s looks like one and is refused, with what would be right', (text) => {
    expect(named(text)).toMatchObject([
      { kind: 'wrong', why: expect.stringMatching(/42 characters|I read links/) },
    ]);
  });

  test('the title with which a link is shared is left out', () => {
    const link = 'https://polymarket.com/event/fed-decision/fed-cuts';
    const shared = [market('fed-cuts', 'fed-decision')];
    expect(named(`Will the Fed cut? ${link}`)).toEqual(shared);
    expect(named(`[Will the Fed cut?](${link})`)).toEqual(shared);
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
