import { expect, test } from 'vitest';
import { publishRecord, type StoredRecord } from '../../../src/core/record/record-store.ts';
import type { SourceProgress } from '../../../src/core/trades/source/source.ts';
import { alertOf } from '../../support/alerts.ts';
import { createFakeClock } from '../../support/clock.ts';
import { createRecordingLogger } from '../../support/recording-logger.ts';
import { REQUEST } from '../../support/records.ts';
import { START } from '../../support/rows.ts';

const { rules, plan } = REQUEST;

async function publish(progress: SourceProgress | null) {
  const clock = createFakeClock(START);
  const stored: StoredRecord[] = [];
  const durations: number[] = [];
  const alerts = [START - 300_000, START - 299_999].map((createdAt, index) =>
    alertOf({ id: index + 1, createdAt }),
  );
  const report = await publishRecord(
    {
      progress: async () => progress,
      alerts: { after: async (id, limit) => alerts.slice(id, id + limit) },
      prices: {
        read: async () => {
          await clock.advance(2_340);
          return { publishedAt: 0, settledAt: null, bought: null, later: null };
        },
      },
      records: { put: async (record) => void stored.push(record) },
      metrics: { recordMade: (ms) => void durations.push(ms) },
      terms: { rules, plan },
      freeDelayMs: 300_000,
      clock,
      logger: createRecordingLogger(),
    },
    new AbortController().signal,
  );
  return { report, stored, durations };
}

test('the record is made of the alerts that are public, as of the newest snapshot, and stored', async () => {
  const { report, stored, durations } = await publish({ time: 9_000_000, mapping: null });
  expect(report).toMatchObject({ as_of: new Date(9_000_000).toISOString(), rules, alerts: 1 });
  expect(stored).toEqual([{ at: START, report }]);
  expect(durations).toEqual([2_340]);
});

test('it is not made, and the stored one stays, while nothing is observed', async () => {
  for (const progress of [null, { time: 0, mapping: null }])
    expect(await publish(progress)).toEqual({ report: null, stored: [], durations: [] });
});
