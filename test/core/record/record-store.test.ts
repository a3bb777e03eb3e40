import { describe, expect, test } from 'vitest';
import type { RecordRequest } from '../../../src/core/record/record-maker.ts';
import { publishRecord, RecordView, type StoredRecord } from '../../../src/core/record/record-store.ts';
import type { SourceProgress } from '../../../src/core/trades/source/source.ts';
import { createFakeClock } from '../../support/clock.ts';
import { asTheService, createRecordingLogger } from '../../support/recording-logger.ts';
import { REQUEST } from '../../support/records.ts';
import { START } from '../../support/rows.ts';

const MADE = { text: '{"as_of":"…"}', alerts: 5, events: 3, measured: 2 };
const { asOf, mapping, publishedUntil, previous, ...TERMS } = REQUEST;

async function publish(progress: SourceProgress | null, before: StoredRecord | null = null) {
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
    records: { get: async () => before, put: async (record: StoredRecord) => void stored.push(record) },
    metrics: { recordMade: (ms: number) => void durations.push(ms) },
    terms: TERMS,
    freeDelayMs: 300_000,
    clock,
    logger,
  };
  const made = await publishRecord(options, new AbortController().signal);
  return { made, requests, stored, durations, lines: logger.lines };
}

describe('the published record', () => {
  test('is made of the alerts that are public and of all that is stored, and stated in one log line', async () => {
    const mapping = { pivot: 1_000_000, origin: START, speed: 60, hasHistory: true };
    const { made, requests, stored, durations, lines } = await publish({ time: 9_000_000, mapping });
    const publishedUntil = START - 300_000;
    expect(made).toEqual(MADE);
    expect(requests).toEqual([{ ...TERMS, asOf: 9_000_000, mapping, publishedUntil, previous: null }]);
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

function openView() {
  const clock = createFakeClock(START);
  const logger = createRecordingLogger();
  const stop = new AbortController();
  let stored: StoredRecord | null = null;
  let isAway = false;
  let reads = 0;
  const read = () => {
    if (isAway) throw new Error('away');
    return stored;
  };
  const view = new RecordView({
    records: {
      at: async () => read()?.at ?? null,
      async get() {
        reads += 1;
        return read();
      },
    },
    clock,
    logger: asTheService(logger),
    encode: (record) => record?.text ?? 'nothing yet',
  });
  return {
    ...{ view, clock, logger, stop },
    put: (at: number, text: string) => {
      stored = { name: 'record', at, text };
    },
    setAway: (is: boolean) => {
      isAway = is;
    },
    reads: () => reads,
  };
}

describe('the record in memory', () => {
  test('is what was stored last, at most a minute late, and its text is read only when it changed', async () => {
    const { view, clock, stop, put, reads } = openView();
    await view.look();
    expect(view.read()).toBe('nothing yet');
    const running = view.run(stop.signal);
    await clock.asleep();
    put(1, 'first');
    await clock.advance(60_000);
    expect(view.read()).toBe('first');
    const before = reads();
    await clock.advance(600_000);
    expect([view.read(), reads() - before]).toEqual(['first', 0]);
    put(2, 'second');
    await clock.advance(60_000);
    expect(view.read()).toBe('second');
    stop.abort();
    await running;
  });

  test('is unknown until the database answers, and stays while it is away, with one warning', async () => {
    const { view, clock, logger, stop, put, setAway } = openView();
    put(1, 'first');
    setAway(true);
    await view.look();
    expect(view.read()).toBeNull();
    const running = view.run(stop.signal);
    await clock.asleep();
    setAway(false);
    await clock.advance(60_000);
    expect(view.read()).toBe('first');
    setAway(true);
    await clock.advance(180_000);
    expect(view.read()).toBe('first');
    expect(logger.lines.map(({ level }) => level)).toEqual(['warn']);
    stop.abort();
    await running;
  });
});
