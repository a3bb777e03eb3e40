import { expect, test } from 'vitest';
import { MarketMemory } from '../../../src/core/detection/market-memory.ts';
import { DEFAULT_RULES } from '../../../src/core/detection/rules.ts';
import { marketRow } from '../../support/rows.ts';

const FACTS = { eventSlug: 'measures', isSettled: true };

function restored(texts: Iterable<string>): MarketMemory {
  const memory = new MarketMemory(DEFAULT_RULES);
  for (const text of texts) memory.state.restore(text);
  return memory;
}

test.each([
  ['tags', { tags: [], category: 'other' as const }, { tags: ['crypto'], category: 'crypto' }],
  ['an end', { endsAt: null }, { endsAt: 5 }],
  ['its tokens and slug', { tokenIds: [], slug: '' }, { tokenIds: ['11', '12'], slug: 'will-it' }],
])('a later row that is silent on %s hides nothing that an earlier one stated', (_, silent, expected) => {
  const memory = new MarketMemory(DEFAULT_RULES);
  const stated = {
    slug: 'will-it',
    tags: ['crypto'],
    category: 'crypto' as const,
    endsAt: 5,
    tokenIds: ['11', '12'],
  };
  for (const given of [stated, { ...stated, ...silent }]) {
    const row = marketRow(given);
    if (row.kind === 'market') memory.learn(row.market);
  }
  expect(memory.factsOf('0xm1')).toMatchObject(expected);
});

test('a market is restored with its event and whether it is settled', () => {
  const memory = new MarketMemory(DEFAULT_RULES);
  const row = marketRow({ eventSlug: 'measures', payouts: [1, 0] });
  if (row.kind === 'market') memory.learn(row.market);
  const written = [...memory.state.whole()];
  expect(restored(written).factsOf('0xm1')).toMatchObject(FACTS);
});
