import { expect, test, vi } from 'vitest';
import { alertDraft } from '../../../../src/core/alerts/alert-entry.ts';
import { AlertIndex, type IndexSource } from '../../../../src/core/alerts/alert-index/alert-index.ts';
import { Walk } from '../../../../src/core/alerts/alert-index/walk.ts';
import { settlementDraft } from '../../../../src/core/alerts/ledger/log-drafts.ts';
import { alertOf, settlementOf } from '../../../support/alerts.ts';
import { sealed } from '../../../support/log-entries.ts';
import { START } from '../../../support/rows.ts';

/** Each in one of three markets, the first of which is open. */
const alertNumbered = (id: number) => alertOf({ id, usdc: id, score: id % 101, marketId: `0xm${id % 3}` });

const SETTLED = [
  settlementDraft(settlementOf({ payouts: [0, 1] }), START),
  settlementDraft(settlementOf({ marketId: '0xm2', payouts: [0.5, 0.5] }), START),
];

/** The log of two settlements and so many alerts, to which the test may add. */
function indexOver(count: number) {
  const alerts = Array.from({ length: count }, (_, index) => alertNumbered(index + 1));
  const entries = sealed([...SETTLED, ...alerts.map(alertDraft)]);
  const after = vi.fn<IndexSource['log']['after']>(async (seq, limit) => entries.slice(seq, seq + limit));
  const index = new AlertIndex({ log: { after }, pause: async () => {} });
  const add = () => void entries.push(...sealed([alertDraft(alertNumbered(++count))], entries.at(-1)));
  return { index, entries, after, add };
}

test('keeps the facets and the result of every alert, however many there are', async () => {
  const { index } = indexOver(5_000);
  await index.refresh();
  const { columns } = index;
  for (const id of [1, 1_024, 1_025, 2_305, 5_000]) {
    const { score, usdc, createdAt } = alertNumbered(id);
    expect([
      columns.scores[id - 1],
      columns.usdc[id - 1],
      columns.createdAt[id - 1],
      columns.won(id),
    ]).toEqual([score, usdc, createdAt, [null, false, true][id % 3]]);
  }
  expect(new Walk(index, { isResolved: true }).ids.length).toBe(3_334);
});

test('reads each entry once, and calls that come together share a read that begins after them', async () => {
  const { index, after, add } = indexOver(3_000);
  await Promise.all([index.refresh(), index.refresh()]);
  expect(after.mock.calls.map(([seq]) => seq)).toEqual([0, 500, 1_000, 1_500, 2_000, 2_500, 3_000]);
  const early = index.refresh();
  add();
  await Promise.all([early, index.refresh()]);
  expect(index.columns.length).toBe(3_001);
});

test('a read that failed is made again by the next call', async () => {
  const { index, entries, after } = indexOver(3_000);
  after.mockResolvedValueOnce(entries.slice(0, 500));
  after.mockRejectedValueOnce(new Error('unavailable'));
  await expect(index.refresh()).rejects.toThrow('unavailable');
  await index.refresh();
  expect(index.columns.length).toBe(3_000);
});
