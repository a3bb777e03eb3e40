import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Alert } from '../../../src/core/alerts/alert.ts';
import { threadKey } from '../../../src/core/alerts/ledger/thread.ts';
import { onEachDatabase } from './each-database.ts';
import { numbered, unnumbered } from './random-alerts.ts';

const entryOf = ({ id, key, tradedAt }: Alert) => ({ id, key, tradedAt });

onEachDatabase('the alerts of a thread', (fixture) => {
  test('are none where there is no such thread', async () => {
    expect(await fixture.database.alerts.thread('w:0xaa:0xm1:BUY:Yes')).toStrictEqual([]);
  });

  test('are those with the same key and no others, whatever their texts hold', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(unnumbered, { minLength: 1, maxLength: 15 }), async (given) => {
        const { alerts } = await fixture.fresh();
        const all = numbered(given);
        for (const alert of all) await alerts.append(alert);

        for (const key of new Set(all.map(threadKey))) {
          const expected = all.filter((alert) => threadKey(alert) === key).map(entryOf);
          expect(await alerts.thread(key)).toStrictEqual(expected);
        }
      }),
      { numRuns: 10, interruptAfterTimeLimit: 20_000 },
    );
  });
});
