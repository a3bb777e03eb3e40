import { beforeEach, expect, test } from 'vitest';
import type { Alert } from '../../../../src/core/alerts/alert.ts';
import type { AlertStore } from '../../../../src/core/alerts/alert-store.ts';
import type { Candidate } from '../../../../src/core/detection/candidate.ts';
import { onEachDatabase } from '../../../infra/database/each-database.ts';
import { alertOf, candidateOf } from '../../../support/alerts.ts';
import { ledgerOver } from '../../../support/ledger.ts';
import { START } from '../../../support/rows.ts';

const SECOND = START / 1_000;

function orderOf(second: number, given: Partial<Candidate> = {}): Candidate {
  const { wallet } = alertOf({ id: 1 });
  const tradedAt = second * 1_000;
  return candidateOf({ key: `w:${wallet}:123:BUY:${second}`, tradedAt, ...given });
}

const at = (tradedAt: number) => ({ tradedAt, detectedAt: tradedAt, isHistory: false });
const placeOf = ({ id, threadId, supersedes }: Alert) => [id, threadId, supersedes];

onEachDatabase('threads of the ledger', (opened) => {
  let told: Alert[] = [];
  const stored = () => opened.database.alerts.after(0, 100);

  async function openLedger(alerts: AlertStore = opened.database.alerts) {
    const onAppended = (alerts: readonly Alert[]) => void told.push(...alerts);
    const ledger = ledgerOver({ ...opened.database, alerts }, { onAppended });
    await ledger.open(1);
    const append = (candidate: Candidate) => ledger.append([{ candidate, ...at(candidate.tradedAt) }]);
    const resolve = (market: Parameters<typeof ledger.resolve>[0]) => ledger.resolve(market, START);
    return { append, resolve };
  }

  beforeEach(() => {
    told = [];
  });

  test('threads of other wallets, markets, outcomes and sides, and of clusters, run beside each other; types and who completes a cluster make no other', async () => {
    const ledger = await openLedger();
    const others = [{ wallet: '0xbb' }, { marketId: '0xm2' }, { outcome: 'No' }, { side: 'SELL' }] as const;
    for (const given of [{}, ...others, { type: 'cluster' } as const])
      await ledger.append(orderOf(SECOND, { ...given, key: JSON.stringify(given) }));
    for (const given of [{}, ...others])
      await ledger.append(
        orderOf(SECOND + 1, { ...given, type: 'fresh_accumulator', key: JSON.stringify([given]) }),
      );
    await ledger.append(orderOf(SECOND + 1, { type: 'cluster', wallet: '0xbb', key: 'cluster' }));

    expect((await stored()).slice(0, 6).map(placeOf)).toEqual([1, 2, 3, 4, 5, 6].map((id) => [id, id, null]));
    expect((await stored()).slice(6).map(placeOf)).toEqual([1, 2, 3, 4, 5, 6].map((id) => [id + 6, id, id]));
  });

  test('an outcome that was named by its index at first has one thread with its name', async () => {
    const names = ['outcome 1', 'outcome 0', 'Yes', 'No', 'Yes'];
    for (const [n, outcome] of names.entries()) {
      const outcomeIndex = outcome === 'No' || outcome === 'outcome 1' ? 1 : 0;
      await (await openLedger()).append(orderOf(SECOND + n, { outcome, outcomeIndex }));
    }

    expect((await stored()).map(placeOf)).toEqual([
      [1, 1, null],
      [2, 2, null],
      [3, 2, 2],
      [4, 1, 1],
      [5, 2, 3],
    ]);
  });
});
