import { describe, expect, test } from 'vitest';
import { RecordView, type StoredRecord } from '../../../src/core/record/record-store.ts';
import { createFakeClock } from '../../support/clock.ts';
import { createRecordingLogger } from '../../support/recording-logger.ts';
import { START } from '../../support/rows.ts';

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
    logger,
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
    expect(logger.lines.map(({ level }) => level)).toEqual(['warn', 'warn']);
    stop.abort();
    await running;
  });
});
