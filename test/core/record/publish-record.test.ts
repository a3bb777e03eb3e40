import { describe, expect, test } from 'vitest';
import type { RecordRequest } from '../../../src/core/record/record-maker.ts';
import { publishRecord, type StoredRecord } from '../../../src/core/record/record-store.ts';
import type { SourceProgress } from '../../../src/core/trades/source/source.ts';
import { createFakeClock } from '../../support/clock.ts';
import { createRecordingLogger } from '../../support/recording-logger.ts';
import { REQUEST } from '../../support/records.ts';
import { START } from '../../support/rows.ts';

const MADE = { text: '{"as_of":"…"}', alerts: 5, events: 3, measured: 2 };
const { asOf, publishedUntil, ...TERMS } = REQUEST;

async function publish(progress: SourceProgress | null) {
  const clock = createFakeClock(START);
  const logger = createRecordingLogger();
  const requests: RecordRequest[] = [];
  const stored: StoredRecord[] = [];
  const durations: number[] = [];
  const options = {
    progress: async () => progress,
    async make(request: RecordRequest) {
      requests.push(request);
      await clock.advance(2_340);
      return MADE;
    },
    records: { put: async (record: StoredRecord) => void stored.push(record) },
    metrics: { recordMade: (ms: number) => void durations.push(ms) },
    ...{ terms: TERMS, clock, logger },
  };
  const made = await publishRecord(options, new AbortController().signal);
  return { made, requests, stored, durations, lines: logger.lines };
}

describe('the published record', () => {
  test('is made of what was public at that moment, stored under it, and stated in one log line', async () => {
    const { made, requests, stored, durations, lines } = await publish({ time: START, mapping: null });
    const until = START - TERMS.freeDelayMs;
    expect(made).toEqual(MADE);
    expect(requests).toEqual([{ ...TERMS, asOf: until, publishedUntil: until }]);
    expect(stored).toEqual([{ name: 'record', at: START, text: MADE.text }]);
    expect(durations).toEqual([2_340]);
    expect(lines).toEqual([
      {
        level: 'info',
        message: 'record made',
        fields: { alerts: 5, events: 3, measured: 2, seconds: 2.3 },
      },
    ]);
  });

  test('is not made, and the stored one stays, while nothing is observed', async () => {
    expect(await publish(null)).toMatchObject({ made: null, requests: [], stored: [], lines: [] });
    expect(await publish({ time: 0, mapping: null })).toMatchObject({ made: null, stored: [] });
  });
});
