import { expect, test } from 'vitest';
import { MINUTE_MS } from '../../../src/core/base/time/duration.ts';
import type { SourceRow } from '../../../src/core/trades/source/source.ts';
import { openDatabase } from '../../../src/infra/database/database.ts';
import { LoopTurns } from '../../support/loop-turns.ts';
import { START, tradeRow } from '../../support/rows.ts';
import { LOOSER, live, turningClock } from './rebuild-fixture.ts';

test('between two batches the event loop runs, also when nothing is written and while the state is rebuilt', async () => {
  const database = await openDatabase('sqlite::memory:');
  const rows = Array.from({ length: 12 }, (_, n) =>
    tradeRow({ wallet: `0xw${n}`, usdc: 10, at: START + n * MINUTE_MS }),
  );
  const turns = new LoopTurns();
  const judgedIn: number[] = [];
  const isEnd = (batch: readonly SourceRow[]) => {
    judgedIn.push(turns.count);
    return batch.at(-1)?.offset === rows.length;
  };
  const life = { rows, isEnd, given: { clock: turningClock, snapshotEveryMs: Number.POSITIVE_INFINITY } };
  await live(database, life);
  expect(new Set(judgedIn.splice(0)).size).toBe(rows.length);

  await live(database, { ...life, rules: LOOSER });
  expect(new Set(judgedIn).size).toBe(rows.length);
  turns.stop();
  await database.close();
});
