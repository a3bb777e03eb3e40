import { expect, test } from 'vitest';
import { createDetector } from '../../../src/core/detection/detector.ts';
import { DEFAULT_RULES } from '../../../src/core/detection/rules.ts';
import { judgeBatch } from '../../../src/core/ingest/judge-batch.ts';
import { ObservationWriter } from '../../../src/core/observations/observation-writer.ts';
import { Observer } from '../../../src/core/observations/observer.ts';
import { openDatabase } from '../../../src/infra/database.ts';
import { arraySource } from '../../support/array-source.ts';
import { ledgerOver } from '../../support/ledger.ts';
import { noMetrics } from '../../support/no-metrics.ts';
import { START, tradeRow } from '../../support/rows.ts';
import { quickClock } from './rebuild-kit.ts';

const HOUR = 3_600_000;

/** The source's time after one trade that is dated an hour ahead. */
async function timeAfter(isLive: boolean, accepted: { acceptedAt?: number }): Promise<number> {
  const database = await openDatabase('sqlite::memory:');
  const ledger = ledgerOver(database);
  const source = { ...arraySource([], null), isLive };
  const detector = createDetector(DEFAULT_RULES, source);
  const deps = { ledger, clock: { now: () => START + 5 }, metrics: noMetrics };
  const store = database.observations;
  const observations = new ObservationWriter(
    { ...deps, clock: quickClock(() => START), store },
    { epoch: 0 },
    new Observer(),
  );
  const batch = [{ row: tradeRow({ at: START + HOUR }), offset: 1, ...accepted }];
  await judgeBatch(deps, { source, detector, observations }, batch);
  await database.close();
  return detector.time;
}

test('the source’s time never runs ahead of the moment a row was accepted, on tapes and in a recovery too', async () => {
  expect(await timeAfter(true, {})).toBe(START + 5);
  expect(await timeAfter(true, { acceptedAt: START + 9 })).toBe(START + 9);
  expect(await timeAfter(false, { acceptedAt: START + 9 })).toBe(START + 9);
  expect(await timeAfter(false, {})).toBe(START + HOUR);
});
