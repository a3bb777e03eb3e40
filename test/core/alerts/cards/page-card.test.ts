import { expect, test } from 'vitest';
import { type PageSubject, pageCardOf } from '../../../../src/core/alerts/cards/page-card.ts';

const hasAscii = (character: string) => /[ -~¢·…−]/.test(character);
const MARKET: PageSubject = {
  kind: 'page',
  titles: ['東京は雨ですか？', 'Will it rain in tokyo', 'A market on Polymarket'],
  lead: 'はい won.',
  figures: [{ value: '3 alerts', name: 'on 1 outcome' }],
  chart: null,
  reference: 'Settled market',
};

test('a page’s card has the first title that the font can draw, and no lead that it cannot', () => {
  expect(pageCardOf(MARKET, hasAscii)).toEqual({
    title: 'Will it rain in tokyo',
    lead: '',
    figures: MARKET.figures,
    drawing: null,
    reference: 'Settled market',
  });
  const open = {
    ...MARKET,
    titles: ['東京', '東京', 'A market on Polymarket'],
    lead: `Yes 40¢. ${'Long '.repeat(100)}`,
  };
  const { title, lead } = pageCardOf(open, hasAscii);
  expect([title, lead.slice(0, 8), lead.length]).toEqual(['A market on Polymarket', 'Yes 40¢.', 300]);
});
