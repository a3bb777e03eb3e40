import { expect, test } from 'vitest';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../../src/core/duration.ts';
import type { FeedVisibility } from '../../../src/core/feed-health/blind-window.ts';
import { FeedHealth } from '../../../src/core/feed-health/feed-health.ts';
import type { FeedHealthStore } from '../../../src/core/feed-health/feed-health-store.ts';

import { createFakeClock } from '../../support/clock.ts';
import { createMemoryCoverage } from '../../support/memory-coverage.ts';
import { createRecordingLogger } from '../../support/recording-logger.ts';
import { START } from '../../support/rows.ts';
import { settle } from '../../support/stream-fixture.ts';

function fixtureOf(store = createMemoryCoverage()) {
  const clock = createFakeClock(START);
  const logger = createRecordingLogger();
  const told: { ageMs: number; sight: FeedVisibility }[] = [];
  const metrics = {
    feedConfirmed: (ageMs: number, sight: FeedVisibility) => void told.push({ ageMs, sight }),
  };
  let oldest: number | null = null;
  const warnings = () => logger.lines.filter(({ level }) => level === 'warn');
  return {
    ...{ store, clock, logger, told, warnings },
    waitFor: (at: number | null) => {
      oldest = at;
    },
    coverageOf: (over: FeedHealthStore = store) =>
      new FeedHealth({ store: over, clock, logger, metrics, oldestWaiting: () => oldest }),
  };
}

type TestHouse = ReturnType<typeof fixtureOf>;

/** Runs a coverage while the steps are taken, and stops it. */
async function whileRunning(
  fixture: TestHouse,
  steps: (coverage: FeedHealth) => Promise<void>,
  coverage = fixture.coverageOf(),
): Promise<number | null> {
  const { wantedFrom } = await coverage.open();
  const stop = new AbortController();
  const running = coverage.run(stop.signal);
  await fixture.clock.asleep();
  await steps(coverage);
  stop.abort();
  await running;
  return wantedFrom;
}

/** What polling does when all is well: each second it confirms what came since the last time. */
async function see({ clock }: TestHouse, coverage: FeedHealth, ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= SECOND_MS) {
    await clock.advance(SECOND_MS);
    coverage.confirmed({ from: clock.now() - 2 * SECOND_MS, until: clock.now() });
  }
}

test('a feed that sees has no windows and claims none', async () => {
  const fixture = fixtureOf();

  const wantedFrom = await whileRunning(fixture, (coverage) => see(fixture, coverage, MINUTE_MS));

  expect(wantedFrom).toBeNull();
  expect(fixture.store.all()).toEqual([]);
  expect(fixture.warnings()).toEqual([]);
  expect(fixture.told.every(({ sight }) => sight === 'seen')).toBe(true);
});

test('design: "a silent feed is noticed within 30 s", named, and recorded from the last confirmed moment', async () => {
  const fixture = fixtureOf();

  await whileRunning(fixture, async (coverage) => {
    await see(fixture, coverage, 10 * SECOND_MS);
    coverage.failed('refused');
    await fixture.clock.advance(30 * SECOND_MS);

    expect(coverage.visibility()).toBe('blind');
    const since = START + 10 * SECOND_MS;
    expect(coverage.status()).toMatchObject({
      confirmedUntil: since,
      blind: { startedAt: since, cause: 'refused' },
    });
    expect(fixture.warnings()).toEqual([
      {
        level: 'warn',
        message: 'the live feed is blind',
        fields: { since: new Date(since).toISOString(), cause: 'refused' },
      },
    ]);
    expect(fixture.told.at(-1)).toEqual({ ageMs: 30 * SECOND_MS, sight: 'blind' });
    expect(fixture.store.all()).toEqual([
      { id: `blind_${since}`, startedAt: since, endedAt: null, cause: 'refused', backfilledAt: null },
    ]);
  });
});

/** What polling does all the time: its answers are fresh, and confirm what is 11 s older, the lag of the list. */
async function poll({ clock }: TestHouse, coverage: FeedHealth, ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= SECOND_MS) {
    await clock.advance(SECOND_MS);
    coverage.fresh(clock.now());
    coverage.confirmed({ from: clock.now() - 14 * SECOND_MS, until: clock.now() - 11 * SECOND_MS });
  }
}

test('issue 17: blindness counts from the last fresh answer, and the window begins at the last confirmed moment', async () => {
  const fixture = fixtureOf();

  await whileRunning(fixture, async (coverage) => {
    await poll(fixture, coverage, MINUTE_MS);
    await fixture.clock.advance(25 * SECOND_MS);
    coverage.fresh(fixture.clock.now());
    expect([coverage.visibility(), fixture.store.all()]).toEqual(['seen', []]);

    const confirmed = START + 49 * SECOND_MS;
    await fixture.clock.advance(26 * SECOND_MS);
    expect(coverage.visibility()).toBe('blind');
    expect(fixture.store.all()).toMatchObject([{ startedAt: confirmed, endedAt: null }]);

    coverage.fresh(fixture.clock.now());
    expect(coverage.visibility()).toBe('blind');
    const until = fixture.clock.now() - 11 * SECOND_MS;
    coverage.confirmed({ from: confirmed, until });
    expect(coverage.visibility()).toBe('seen');
    await poll(fixture, coverage, MINUTE_MS);
    expect(fixture.store.all()).toMatchObject([{ startedAt: confirmed, endedAt: until }]);
    expect(fixture.store.all()[0]?.backfilledAt).not.toBeNull();
  });
});

test('answers that are fresh no more are blindness within 30 s, whatever they still confirm of the past', async () => {
  const fixture = fixtureOf();

  await whileRunning(fixture, async (coverage) => {
    await poll(fixture, coverage, MINUTE_MS);
    const asOf = fixture.clock.now();
    for (let second = 1; second <= 30; second += 1) {
      await fixture.clock.advance(SECOND_MS);
      coverage.fresh(asOf);
      coverage.confirmed({ from: START, until: asOf - 11 * SECOND_MS });
      coverage.failed('stalled');
    }
    expect(coverage.visibility()).toBe('blind');
    expect(fixture.store.all()).toMatchObject([{ startedAt: asOf - 11 * SECOND_MS, cause: 'stalled' }]);
  });
});

test('issue 17: trades that nothing confirms are unconfirmed within 30 s and not blind; blind from where they end too; all is backfilled', async () => {
  const fixture = fixtureOf();
  const at = (seconds: number) => START + seconds * SECOND_MS;

  await whileRunning(fixture, async (coverage) => {
    coverage.provisional(true);
    await poll(fixture, coverage, MINUTE_MS);
    coverage.failed('refused');
    await fixture.clock.advance(30 * SECOND_MS);
    expect(coverage.visibility()).toBe('unconfirmed');
    expect(fixture.told.at(-1)).toEqual({ ageMs: 41 * SECOND_MS, sight: 'unconfirmed' });
    expect(fixture.store.all()).toMatchObject([{ startedAt: at(49), endedAt: null, cause: 'unconfirmed' }]);

    // The stream was heard last 15 s before that is noticed.
    await fixture.clock.advance(30 * SECOND_MS);
    coverage.provisional(false, at(105));
    expect(coverage.visibility()).toBe('blind');
    await fixture.clock.advance(30 * SECOND_MS);
    coverage.provisional(true);
    await fixture.clock.advance(30 * SECOND_MS);
    const pieces = [
      { startedAt: at(49), endedAt: at(105), cause: 'unconfirmed' },
      { startedAt: at(105), endedAt: at(150), cause: 'refused' },
      { startedAt: at(150), endedAt: null, cause: 'unconfirmed' },
    ];
    expect(fixture.store.all()).toMatchObject(pieces);
    expect(fixture.warnings().map(({ message }) => message)).toEqual([
      'the live feed is unconfirmed',
      'the live feed is no longer unconfirmed',
      'the live feed is blind',
      'the live feed is no longer blind',
      'the live feed is unconfirmed',
    ]);

    coverage.fresh(fixture.clock.now());
    coverage.confirmed({ from: at(49), until: at(169) });
    await poll(fixture, coverage, 20 * SECOND_MS);
    expect(coverage.visibility()).toBe('seen');
    expect(fixture.store.all().map(({ endedAt, backfilledAt }) => [endedAt, backfilledAt === null])).toEqual([
      [at(105), false],
      [at(150), false],
      [at(169), false],
    ]);
  });
});

test('a stream that comes and goes during an outage, or returns just before it ends, makes no windows of its own', async () => {
  const fixture = fixtureOf();

  await whileRunning(fixture, async (coverage) => {
    for (let time = 0; time < 10; time += 1) {
      await fixture.clock.advance(10 * SECOND_MS);
      coverage.provisional(time % 2 === 0);
    }
    coverage.provisional(true);
    await fixture.clock.advance(14 * SECOND_MS);
    coverage.confirmed({ from: START, until: fixture.clock.now() - 11 * SECOND_MS });
  });

  expect(fixture.store.all()).toMatchObject([{ startedAt: START, cause: 'unreachable' }]);
});

test('a source that shows unconfirmed trades and ended before the window began makes it blind from its beginning', async () => {
  const fixture = fixtureOf();

  await whileRunning(fixture, async (coverage) => {
    coverage.provisional(true);
    await fixture.clock.advance(MINUTE_MS);
    coverage.provisional(false, START - SECOND_MS);
  });

  expect(fixture.store.all()).toMatchObject([{ startedAt: START, endedAt: null, cause: 'unreachable' }]);
});

test('what was unconfirmed when the process was killed is a stop, for nothing showed trades any more', async () => {
  const fixture = fixtureOf();
  await whileRunning(fixture, async (coverage) => {
    coverage.provisional(true);
    await fixture.clock.advance(MINUTE_MS);
  });
  await fixture.clock.advance(MINUTE_MS);

  await whileRunning(fixture, async (coverage) => {
    expect(coverage.visibility()).toBe('blind');
    await settle();
    expect(fixture.store.all()).toMatchObject([{ startedAt: START, endedAt: null, cause: 'stopped' }]);
  });
});

test('a stop of less than 25 s is none, though what was confirmed before it is 11 s older', async () => {
  const fixture = fixtureOf();
  await whileRunning(fixture, (coverage) => poll(fixture, coverage, MINUTE_MS));
  await fixture.clock.advance(24 * SECOND_MS);

  await whileRunning(fixture, async (coverage) => {
    await poll(fixture, coverage, 20 * SECOND_MS);
  });

  expect(fixture.store.all()).toEqual([]);
});

test('silence of 25 s leaves no window, a millisecond more leaves one, whose cause is unreachable when none was reported', async () => {
  const fixture = fixtureOf();

  await whileRunning(fixture, async (coverage) => {
    await fixture.clock.advance(25 * SECOND_MS);
    coverage.confirmed({ from: START, until: fixture.clock.now() });
    expect(fixture.store.all()).toEqual([]);

    await fixture.clock.advance(25 * SECOND_MS + 1);
    coverage.confirmed({ from: START, until: fixture.clock.now() });
  });

  expect(fixture.store.all()).toMatchObject([
    { startedAt: START + 25 * SECOND_MS, endedAt: START + 50 * SECOND_MS + 1, cause: 'unreachable' },
  ]);
});

test('what failed before the last confirmation is no cause', async () => {
  const fixture = fixtureOf();

  await whileRunning(fixture, async (coverage) => {
    coverage.failed('refused');
    await see(fixture, coverage, SECOND_MS);
    await fixture.clock.advance(MINUTE_MS);
  });

  expect(fixture.store.all()).toMatchObject([{ cause: 'unreachable' }]);
});

test('a window is backfilled when what was confirmed since reaches back to its start', async () => {
  const fixture = fixtureOf();

  await whileRunning(fixture, async (coverage) => {
    await fixture.clock.advance(MINUTE_MS);
    coverage.confirmed({ from: START, until: fixture.clock.now() });
  });

  const at = START + MINUTE_MS;
  expect(fixture.store.all()).toMatchObject([{ startedAt: START, endedAt: at, backfilledAt: at }]);
});

test('spans that join fill it, also when a deeper walk comes later', async () => {
  const fixture = fixtureOf();
  const at = (seconds: number) => START + seconds * SECOND_MS;

  await whileRunning(fixture, async (coverage) => {
    await fixture.clock.advance(MINUTE_MS);
    coverage.confirmed({ from: at(50), until: at(60) });
    expect(fixture.store.all()).toMatchObject([{ endedAt: at(60), backfilledAt: null }]);
    coverage.confirmed({ from: at(10), until: at(30) });
    await fixture.clock.advance(5 * SECOND_MS);
    coverage.confirmed({ from: at(29), until: at(50) });
    expect(fixture.store.all()).toMatchObject([{ backfilledAt: null }]);
    coverage.confirmed({ from: at(-1), until: at(10) });
  });

  expect(fixture.store.all()).toMatchObject([{ startedAt: START, endedAt: at(60), backfilledAt: at(65) }]);
});

test('a listing that lags ends no window until it is up to date', async () => {
  const fixture = fixtureOf();

  await whileRunning(fixture, async (coverage) => {
    await fixture.clock.advance(MINUTE_MS);
    coverage.confirmed({ from: START, until: fixture.clock.now() - 26 * SECOND_MS });
    expect(coverage.visibility()).toBe('blind');
    coverage.confirmed({ from: START + 20 * SECOND_MS, until: fixture.clock.now() - 25 * SECOND_MS });
    expect(coverage.visibility()).toBe('seen');
  });

  expect(fixture.store.all()).toMatchObject([{ startedAt: START, endedAt: START + 35 * SECOND_MS }]);
});

test('the confirmation of a market that had stalled is taken back: blind immediately, from where its data ended', async () => {
  const fixture = fixtureOf();

  await whileRunning(fixture, async (coverage) => {
    await see(fixture, coverage, MINUTE_MS);
    const until = START + 30 * SECOND_MS;
    coverage.failed('stalled', until);
    await fixture.clock.advance(SECOND_MS);
    expect(coverage.status()).toMatchObject({
      confirmedUntil: until,
      blind: { startedAt: until, cause: 'stalled' },
    });
    expect(await fixture.store.readPosition()).toMatchObject({ confirmedUntil: until });

    coverage.confirmed({ from: until, until: fixture.clock.now() });
  });

  const end = START + 61 * SECOND_MS;
  expect(fixture.store.all()).toMatchObject([
    { startedAt: START + 30 * SECOND_MS, endedAt: end, backfilledAt: end },
  ]);
});

test('what was answered less than 25 s too old is no window, and nothing is taken back from before the watch', async () => {
  const fixture = fixtureOf();

  await whileRunning(fixture, async (coverage) => {
    await see(fixture, coverage, 24 * SECOND_MS);
    coverage.failed('stalled', START - HOUR);
    await fixture.clock.advance(SECOND_MS);
    expect(coverage.status()).toMatchObject({ confirmedUntil: START, blind: null });
    coverage.confirmed({ from: START, until: fixture.clock.now() });
  });

  expect(fixture.store.all()).toEqual([]);
});

test('a stop is a window that the first walk fills; a short one is none', async () => {
  const fixture = fixtureOf();
  await whileRunning(fixture, (coverage) => see(fixture, coverage, SECOND_MS));
  const last = fixture.clock.now();

  await fixture.clock.advance(20 * SECOND_MS);
  expect(await whileRunning(fixture, async () => {})).toBe(last);
  expect(fixture.store.all()).toEqual([]);

  await fixture.clock.advance(HOUR);
  const now = fixture.clock.now();
  const wantedFrom = await whileRunning(fixture, async (coverage) => {
    expect(fixture.store.all()).toMatchObject([
      { startedAt: last, endedAt: now, cause: 'stopped', backfilledAt: null },
    ]);
    coverage.confirmed({ from: last, until: now });
  });
  expect(wantedFrom).toBe(last);
  expect(fixture.store.all()).toMatchObject([{ startedAt: last, endedAt: now, backfilledAt: now }]);
});

const HOUR = 60 * MINUTE_MS;

test('a window that a killed process left open continues, and no second one is opened', async () => {
  const fixture = fixtureOf();
  await whileRunning(fixture, async (coverage) => {
    coverage.failed('stalled');
    await fixture.clock.advance(MINUTE_MS);
  });
  await fixture.clock.advance(HOUR);

  const wantedFrom = await whileRunning(fixture, async (coverage) => {
    expect(coverage.visibility()).toBe('blind');
    await fixture.clock.advance(SECOND_MS);
    coverage.confirmed({ from: START, until: fixture.clock.now() });
  });

  expect(wantedFrom).toBe(START);
  const endedAt = START + HOUR + MINUTE_MS + SECOND_MS;
  expect(fixture.store.all()).toMatchObject([
    { startedAt: START, endedAt, cause: 'stalled', backfilledAt: endedAt },
  ]);
});

test('starts in a row in which nothing is confirmed make no window of their own', async () => {
  const fixture = fixtureOf();
  await whileRunning(fixture, async () => {});
  await fixture.clock.advance(MINUTE_MS);
  await whileRunning(fixture, async () => {});
  await fixture.clock.advance(10 * SECOND_MS);
  await whileRunning(fixture, async () => {});
  expect(fixture.store.all()).toMatchObject([{ startedAt: START, endedAt: START + MINUTE_MS }]);

  await fixture.clock.advance(20 * SECOND_MS);
  await whileRunning(fixture, async () => {});
  expect(fixture.store.all().slice(1)).toMatchObject([
    { startedAt: START + MINUTE_MS, endedAt: START + 90 * SECOND_MS, cause: 'stopped' },
  ]);
});

test('a clock that is put back hides no silence, and makes no two windows over one time', async () => {
  const fixture = fixtureOf();
  const coverage = fixture.coverageOf();
  await coverage.open();
  const confirm = () => coverage.confirmed({ from: START, until: fixture.clock.now() });
  await fixture.clock.advance(MINUTE_MS);
  confirm();
  await settle();

  await fixture.clock.advance(-30 * SECOND_MS);
  confirm();
  await settle();
  expect(coverage.visibility()).toBe('seen');
  await fixture.clock.advance(26 * SECOND_MS);
  expect(coverage.visibility()).toBe('blind');
  confirm();
  await settle();

  expect(coverage.visibility()).toBe('seen');
  const [first, second] = fixture.store.all();
  expect(first).toMatchObject({ startedAt: START, endedAt: START + MINUTE_MS });
  expect(second?.startedAt).toBeGreaterThanOrEqual(START + MINUTE_MS);
});

test('rows that were enqueued and not passed on are requested again after a kill', async () => {
  const fixture = fixtureOf();
  await whileRunning(fixture, async (coverage) => {
    fixture.waitFor(START - HOUR);
    await see(fixture, coverage, 10 * SECOND_MS);
  });

  expect(await fixture.store.readPosition()).toMatchObject({ since: START, oldestWaiting: START - HOUR });
  expect((await fixture.coverageOf().open()).wantedFrom).toBe(START - HOUR);
});

test('nothing older than 31 days is asked for', async () => {
  const fixture = fixtureOf();
  await whileRunning(fixture, async () => {});
  await fixture.clock.advance(40 * DAY_MS);

  expect((await fixture.coverageOf().open()).wantedFrom).toBe(fixture.clock.now() - 31 * DAY_MS);
});

test('the position is written every 5 s at most, and at the end', async () => {
  const fixture = fixtureOf();
  let writes = 0;
  const counting: FeedHealthStore = {
    ...fixture.store,
    async writePosition(position) {
      writes += 1;
      await fixture.store.writePosition(position);
    },
  };

  await whileRunning(
    fixture,
    (coverage) => see(fixture, coverage, 33 * SECOND_MS),
    fixture.coverageOf(counting),
  );

  expect(writes).toBeLessThanOrEqual(8);
  expect((await fixture.store.readPosition())?.confirmedUntil).toBe(START + 33 * SECOND_MS);
});

test('a database that is away is no fault of the poll, and no window is lost', async () => {
  const fixture = fixtureOf();
  let isAway = true;
  const fail = async () => {
    if (isAway) throw new Error('the database is away');
  };
  const store: FeedHealthStore = {
    ...fixture.store,
    putWindow: async (window) => fail().then(() => fixture.store.putWindow(window)),
    writePosition: async (position) => fail().then(() => fixture.store.writePosition(position)),
  };

  await whileRunning(
    fixture,
    async (coverage) => {
      for (let outage = 0; outage < 2; outage += 1) {
        await fixture.clock.advance(MINUTE_MS);
        coverage.confirmed({ from: fixture.clock.now() - MINUTE_MS, until: fixture.clock.now() });
      }
      expect(fixture.store.all()).toEqual([]);
      isAway = false;
      await fixture.clock.advance(SECOND_MS);
    },
    fixture.coverageOf(store),
  );

  expect(fixture.store.all()).toMatchObject([
    { startedAt: START, endedAt: START + MINUTE_MS },
    { startedAt: START + MINUTE_MS, endedAt: START + 2 * MINUTE_MS },
  ]);
  expect(fixture.warnings().filter(({ message }) => message.includes('store unavailable'))).toHaveLength(1);
});

test('that a window is filled is written after the position that says which of its trades wait', async () => {
  const fixture = fixtureOf();
  const calls: string[] = [];
  const store: FeedHealthStore = {
    ...fixture.store,
    putWindow: async ({ backfilledAt }) => void calls.push(backfilledAt === null ? 'window' : 'filled'),
    writePosition: async ({ oldestWaiting }) => void calls.push(`position ${oldestWaiting}`),
  };

  await whileRunning(
    fixture,
    async (coverage) => {
      await fixture.clock.advance(MINUTE_MS);
      calls.length = 0;
      fixture.waitFor(7);
      coverage.confirmed({ from: START, until: fixture.clock.now() });
      await fixture.clock.advance(SECOND_MS);
    },
    fixture.coverageOf(store),
  );

  expect(calls).toEqual(['window', 'position 7', 'filled']);
});
