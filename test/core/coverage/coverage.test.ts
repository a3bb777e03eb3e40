import { expect, test } from 'vitest';
import { type Coverage, createCoverage } from '../../../src/core/coverage/coverage.ts';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../../src/core/duration.ts';
import type { CoverageStore } from '../../../src/core/ports/coverage-store.ts';
import type { FeedSight } from '../../../src/core/ports/metrics.ts';
import { createFakeClock } from '../../support/clock.ts';
import { createMemoryCoverage } from '../../support/memory-coverage.ts';
import { createRecordingLogger } from '../../support/recording-logger.ts';
import { START } from '../../support/rows.ts';
import { settle } from '../../support/stream-house.ts';

function houseOf(store = createMemoryCoverage()) {
  const clock = createFakeClock(START);
  const logger = createRecordingLogger();
  const told: { ageMs: number; sight: FeedSight }[] = [];
  const metrics = { feedConfirmed: (ageMs: number, sight: FeedSight) => void told.push({ ageMs, sight }) };
  let oldest: number | null = null;
  const warnings = () => logger.lines.filter(({ level }) => level === 'warn');
  return {
    ...{ store, clock, logger, told, warnings },
    waitFor: (at: number | null) => {
      oldest = at;
    },
    coverageOf: (over: CoverageStore = store) =>
      createCoverage({ store: over, clock, logger, metrics, oldestWaiting: () => oldest }),
  };
}

type TestHouse = ReturnType<typeof houseOf>;

/** Runs a coverage while the steps are taken, and stops it. */
async function whileRunning(
  house: TestHouse,
  steps: (coverage: Coverage) => Promise<void>,
  coverage = house.coverageOf(),
): Promise<number | null> {
  const { wantedFrom } = await coverage.open();
  const stop = new AbortController();
  const running = coverage.run(stop.signal);
  await steps(coverage);
  stop.abort();
  await running;
  return wantedFrom;
}

/** What polling does when all is well: each second it confirms what came since the last time. */
async function see({ clock }: TestHouse, coverage: Coverage, ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= SECOND_MS) {
    await clock.advance(SECOND_MS);
    coverage.confirmed({ from: clock.now() - 2 * SECOND_MS, until: clock.now() });
  }
}

test('a feed that sees has no windows and claims none', async () => {
  const house = houseOf();

  const wantedFrom = await whileRunning(house, (coverage) => see(house, coverage, MINUTE_MS));

  expect(wantedFrom).toBeNull();
  expect(house.store.all()).toEqual([]);
  expect(house.warnings()).toEqual([]);
  expect(house.told.every(({ sight }) => sight === 'seen')).toBe(true);
});

test('design: "a silent feed is noticed within 30 s", named, and recorded from the last confirmed moment', async () => {
  const house = houseOf();

  await whileRunning(house, async (coverage) => {
    await see(house, coverage, 10 * SECOND_MS);
    coverage.failed('refused');
    await house.clock.advance(30 * SECOND_MS);

    expect(coverage.sight()).toBe('blind');
    const since = START + 10 * SECOND_MS;
    expect(coverage.status()).toMatchObject({
      confirmedUntil: since,
      blind: { startedAt: since, cause: 'refused' },
    });
    expect(house.warnings()).toEqual([
      {
        level: 'warn',
        message: 'the live feed is blind',
        fields: { since: new Date(since).toISOString(), cause: 'refused' },
      },
    ]);
    expect(house.told.at(-1)).toEqual({ ageMs: 30 * SECOND_MS, sight: 'blind' });
    expect(house.store.all()).toEqual([
      { id: `blind_${since}`, startedAt: since, endedAt: null, cause: 'refused', backfilledAt: null },
    ]);
  });
});

/** What polling does all the time: its answers are fresh, and confirm what is 11 s older, the lag of the list. */
async function poll({ clock }: TestHouse, coverage: Coverage, ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= SECOND_MS) {
    await clock.advance(SECOND_MS);
    coverage.fresh(clock.now());
    coverage.confirmed({ from: clock.now() - 14 * SECOND_MS, until: clock.now() - 11 * SECOND_MS });
  }
}

test('issue 17: blindness counts from the last fresh answer, and the window begins at the last confirmed moment', async () => {
  const house = houseOf();

  await whileRunning(house, async (coverage) => {
    await poll(house, coverage, MINUTE_MS);
    await house.clock.advance(25 * SECOND_MS);
    coverage.fresh(house.clock.now());
    expect([coverage.sight(), house.store.all()]).toEqual(['seen', []]);

    const confirmed = START + 49 * SECOND_MS;
    await house.clock.advance(26 * SECOND_MS);
    expect(coverage.sight()).toBe('blind');
    expect(house.store.all()).toMatchObject([{ startedAt: confirmed, endedAt: null }]);

    coverage.fresh(house.clock.now());
    expect(coverage.sight()).toBe('blind');
    const until = house.clock.now() - 11 * SECOND_MS;
    coverage.confirmed({ from: confirmed, until });
    expect(coverage.sight()).toBe('seen');
    await poll(house, coverage, MINUTE_MS);
    expect(house.store.all()).toMatchObject([{ startedAt: confirmed, endedAt: until }]);
    expect(house.store.all()[0]?.backfilledAt).not.toBeNull();
  });
});

test('answers that are fresh no more are blindness within 30 s, whatever they still confirm of the past', async () => {
  const house = houseOf();

  await whileRunning(house, async (coverage) => {
    await poll(house, coverage, MINUTE_MS);
    const asOf = house.clock.now();
    for (let second = 1; second <= 30; second += 1) {
      await house.clock.advance(SECOND_MS);
      coverage.fresh(asOf);
      coverage.confirmed({ from: START, until: asOf - 11 * SECOND_MS });
      coverage.failed('stalled');
    }
    expect(coverage.sight()).toBe('blind');
    expect(house.store.all()).toMatchObject([{ startedAt: asOf - 11 * SECOND_MS, cause: 'stalled' }]);
  });
});

test('issue 17: trades that nothing confirms are unconfirmed within 30 s and not blind; blind from where they end too; all is backfilled', async () => {
  const house = houseOf();
  const at = (seconds: number) => START + seconds * SECOND_MS;

  await whileRunning(house, async (coverage) => {
    coverage.provisional(true);
    await poll(house, coverage, MINUTE_MS);
    coverage.failed('refused');
    await house.clock.advance(30 * SECOND_MS);
    expect(coverage.sight()).toBe('unconfirmed');
    expect(house.told.at(-1)).toEqual({ ageMs: 41 * SECOND_MS, sight: 'unconfirmed' });
    expect(house.store.all()).toMatchObject([{ startedAt: at(49), endedAt: null, cause: 'unconfirmed' }]);

    // The stream was heard last 15 s before that is noticed.
    await house.clock.advance(30 * SECOND_MS);
    coverage.provisional(false, at(105));
    expect(coverage.sight()).toBe('blind');
    await house.clock.advance(30 * SECOND_MS);
    coverage.provisional(true);
    await house.clock.advance(30 * SECOND_MS);
    const pieces = [
      { startedAt: at(49), endedAt: at(105), cause: 'unconfirmed' },
      { startedAt: at(105), endedAt: at(150), cause: 'refused' },
      { startedAt: at(150), endedAt: null, cause: 'unconfirmed' },
    ];
    expect(house.store.all()).toMatchObject(pieces);
    expect(house.warnings().map(({ message }) => message)).toEqual([
      'the live feed is unconfirmed',
      'the live feed was unconfirmed, and is not any more',
      'the live feed is blind',
      'the live feed was blind, and is not any more',
      'the live feed is unconfirmed',
    ]);

    coverage.fresh(house.clock.now());
    coverage.confirmed({ from: at(49), until: at(169) });
    await poll(house, coverage, 20 * SECOND_MS);
    expect(coverage.sight()).toBe('seen');
    expect(house.store.all().map(({ endedAt, backfilledAt }) => [endedAt, backfilledAt === null])).toEqual([
      [at(105), false],
      [at(150), false],
      [at(169), false],
    ]);
  });
});

test('a stream that comes and goes during an outage, or returns just before it ends, makes no windows of its own', async () => {
  const house = houseOf();

  await whileRunning(house, async (coverage) => {
    for (let time = 0; time < 10; time += 1) {
      await house.clock.advance(10 * SECOND_MS);
      coverage.provisional(time % 2 === 0);
    }
    coverage.provisional(true);
    await house.clock.advance(14 * SECOND_MS);
    coverage.confirmed({ from: START, until: house.clock.now() - 11 * SECOND_MS });
  });

  expect(house.store.all()).toMatchObject([{ startedAt: START, cause: 'unreachable' }]);
});

test('a source that shows unconfirmed trades and ended before the window began makes it blind from its beginning', async () => {
  const house = houseOf();

  await whileRunning(house, async (coverage) => {
    coverage.provisional(true);
    await house.clock.advance(MINUTE_MS);
    coverage.provisional(false, START - SECOND_MS);
  });

  expect(house.store.all()).toMatchObject([{ startedAt: START, endedAt: null, cause: 'unreachable' }]);
});

test('what was unconfirmed when the process was killed is a stop, for nothing showed trades any more', async () => {
  const house = houseOf();
  await whileRunning(house, async (coverage) => {
    coverage.provisional(true);
    await house.clock.advance(MINUTE_MS);
  });
  await house.clock.advance(MINUTE_MS);

  await whileRunning(house, async (coverage) => {
    expect(coverage.sight()).toBe('blind');
    await settle();
    expect(house.store.all()).toMatchObject([{ startedAt: START, endedAt: null, cause: 'stopped' }]);
  });
});

test('a stop of less than 25 s is none, though what was confirmed before it is 11 s older', async () => {
  const house = houseOf();
  await whileRunning(house, (coverage) => poll(house, coverage, MINUTE_MS));
  await house.clock.advance(24 * SECOND_MS);

  await whileRunning(house, async (coverage) => {
    await poll(house, coverage, 20 * SECOND_MS);
  });

  expect(house.store.all()).toEqual([]);
});

test('silence of 25 s leaves no window, and of a millisecond more one, whose cause is unreachable when none was told', async () => {
  const house = houseOf();

  await whileRunning(house, async (coverage) => {
    await house.clock.advance(25 * SECOND_MS);
    coverage.confirmed({ from: START, until: house.clock.now() });
    expect(house.store.all()).toEqual([]);

    await house.clock.advance(25 * SECOND_MS + 1);
    coverage.confirmed({ from: START, until: house.clock.now() });
  });

  expect(house.store.all()).toMatchObject([
    { startedAt: START + 25 * SECOND_MS, endedAt: START + 50 * SECOND_MS + 1, cause: 'unreachable' },
  ]);
});

test('what failed before the last confirmation is no cause', async () => {
  const house = houseOf();

  await whileRunning(house, async (coverage) => {
    coverage.failed('refused');
    await see(house, coverage, SECOND_MS);
    await house.clock.advance(MINUTE_MS);
  });

  expect(house.store.all()).toMatchObject([{ cause: 'unreachable' }]);
});

test('a window is backfilled when what was confirmed since reaches back to its start', async () => {
  const house = houseOf();

  await whileRunning(house, async (coverage) => {
    await house.clock.advance(MINUTE_MS);
    coverage.confirmed({ from: START, until: house.clock.now() });
  });

  const at = START + MINUTE_MS;
  expect(house.store.all()).toMatchObject([{ startedAt: START, endedAt: at, backfilledAt: at }]);
});

test('spans that join fill it, also when a deeper walk comes later', async () => {
  const house = houseOf();
  const at = (seconds: number) => START + seconds * SECOND_MS;

  await whileRunning(house, async (coverage) => {
    await house.clock.advance(MINUTE_MS);
    coverage.confirmed({ from: at(50), until: at(60) });
    expect(house.store.all()).toMatchObject([{ endedAt: at(60), backfilledAt: null }]);
    coverage.confirmed({ from: at(10), until: at(30) });
    await house.clock.advance(5 * SECOND_MS);
    coverage.confirmed({ from: at(29), until: at(50) });
    expect(house.store.all()).toMatchObject([{ backfilledAt: null }]);
    coverage.confirmed({ from: at(-1), until: at(10) });
  });

  expect(house.store.all()).toMatchObject([{ startedAt: START, endedAt: at(60), backfilledAt: at(65) }]);
});

test('a listing that lags ends no window until it is up to date', async () => {
  const house = houseOf();

  await whileRunning(house, async (coverage) => {
    await house.clock.advance(MINUTE_MS);
    coverage.confirmed({ from: START, until: house.clock.now() - 26 * SECOND_MS });
    expect(coverage.sight()).toBe('blind');
    coverage.confirmed({ from: START + 20 * SECOND_MS, until: house.clock.now() - 25 * SECOND_MS });
    expect(coverage.sight()).toBe('seen');
  });

  expect(house.store.all()).toMatchObject([{ startedAt: START, endedAt: START + 35 * SECOND_MS }]);
});

test('what was confirmed of a market that had stalled is taken back: blind at once, from where its data ended', async () => {
  const house = houseOf();

  await whileRunning(house, async (coverage) => {
    await see(house, coverage, MINUTE_MS);
    const until = START + 30 * SECOND_MS;
    coverage.failed('stalled', until);
    await house.clock.advance(SECOND_MS);
    expect(coverage.status()).toMatchObject({
      confirmedUntil: until,
      blind: { startedAt: until, cause: 'stalled' },
    });
    expect(await house.store.readPosition()).toMatchObject({ confirmedUntil: until });

    coverage.confirmed({ from: until, until: house.clock.now() });
  });

  const end = START + 61 * SECOND_MS;
  expect(house.store.all()).toMatchObject([
    { startedAt: START + 30 * SECOND_MS, endedAt: end, backfilledAt: end },
  ]);
});

test('what was answered less than 25 s too old is no window, and nothing is taken back from before the watch', async () => {
  const house = houseOf();

  await whileRunning(house, async (coverage) => {
    await see(house, coverage, 24 * SECOND_MS);
    coverage.failed('stalled', START - HOUR);
    await house.clock.advance(SECOND_MS);
    expect(coverage.status()).toMatchObject({ confirmedUntil: START, blind: null });
    coverage.confirmed({ from: START, until: house.clock.now() });
  });

  expect(house.store.all()).toEqual([]);
});

test('a stop is a window that the first walk fills; a short one is none', async () => {
  const house = houseOf();
  await whileRunning(house, (coverage) => see(house, coverage, SECOND_MS));
  const last = house.clock.now();

  await house.clock.advance(20 * SECOND_MS);
  expect(await whileRunning(house, async () => {})).toBe(last);
  expect(house.store.all()).toEqual([]);

  await house.clock.advance(HOUR);
  const now = house.clock.now();
  const wantedFrom = await whileRunning(house, async (coverage) => {
    expect(house.store.all()).toMatchObject([
      { startedAt: last, endedAt: now, cause: 'stopped', backfilledAt: null },
    ]);
    coverage.confirmed({ from: last, until: now });
  });
  expect(wantedFrom).toBe(last);
  expect(house.store.all()).toMatchObject([{ startedAt: last, endedAt: now, backfilledAt: now }]);
});

const HOUR = 60 * MINUTE_MS;

test('a window that a killed process left open goes on, and no second one is opened', async () => {
  const house = houseOf();
  await whileRunning(house, async (coverage) => {
    coverage.failed('stalled');
    await house.clock.advance(MINUTE_MS);
  });
  await house.clock.advance(HOUR);

  const wantedFrom = await whileRunning(house, async (coverage) => {
    expect(coverage.sight()).toBe('blind');
    await house.clock.advance(SECOND_MS);
    coverage.confirmed({ from: START, until: house.clock.now() });
  });

  expect(wantedFrom).toBe(START);
  const endedAt = START + HOUR + MINUTE_MS + SECOND_MS;
  expect(house.store.all()).toMatchObject([
    { startedAt: START, endedAt, cause: 'stalled', backfilledAt: endedAt },
  ]);
});

test('starts in a row in which nothing is confirmed make no window of their own', async () => {
  const house = houseOf();
  await whileRunning(house, async () => {});
  await house.clock.advance(MINUTE_MS);
  await whileRunning(house, async () => {});
  await house.clock.advance(10 * SECOND_MS);
  await whileRunning(house, async () => {});
  expect(house.store.all()).toMatchObject([{ startedAt: START, endedAt: START + MINUTE_MS }]);

  await house.clock.advance(20 * SECOND_MS);
  await whileRunning(house, async () => {});
  expect(house.store.all().slice(1)).toMatchObject([
    { startedAt: START + MINUTE_MS, endedAt: START + 90 * SECOND_MS, cause: 'stopped' },
  ]);
});

test('a clock that is put back hides no silence, and makes no two windows over one time', async () => {
  const house = houseOf();
  const coverage = house.coverageOf();
  await coverage.open();
  const confirm = () => coverage.confirmed({ from: START, until: house.clock.now() });
  await house.clock.advance(MINUTE_MS);
  confirm();
  await settle();

  await house.clock.advance(-30 * SECOND_MS);
  confirm();
  await settle();
  expect(coverage.sight()).toBe('seen');
  await house.clock.advance(26 * SECOND_MS);
  expect(coverage.sight()).toBe('blind');
  confirm();
  await settle();

  expect(coverage.sight()).toBe('seen');
  const [first, second] = house.store.all();
  expect(first).toMatchObject({ startedAt: START, endedAt: START + MINUTE_MS });
  expect(second?.startedAt).toBeGreaterThanOrEqual(START + MINUTE_MS);
});

test('what is offered and not handed over is asked for again after a kill', async () => {
  const house = houseOf();
  await whileRunning(house, async (coverage) => {
    house.waitFor(START - HOUR);
    await see(house, coverage, 10 * SECOND_MS);
  });

  expect(await house.store.readPosition()).toMatchObject({ since: START, oldestWaiting: START - HOUR });
  expect((await house.coverageOf().open()).wantedFrom).toBe(START - HOUR);
});

test('nothing older than 31 days is asked for', async () => {
  const house = houseOf();
  await whileRunning(house, async () => {});
  await house.clock.advance(40 * DAY_MS);

  expect((await house.coverageOf().open()).wantedFrom).toBe(house.clock.now() - 31 * DAY_MS);
});

test('the position is written every 5 s at most, and at the end', async () => {
  const house = houseOf();
  let writes = 0;
  const counting: CoverageStore = {
    ...house.store,
    async writePosition(position) {
      writes += 1;
      await house.store.writePosition(position);
    },
  };

  await whileRunning(house, (coverage) => see(house, coverage, 33 * SECOND_MS), house.coverageOf(counting));

  expect(writes).toBeLessThanOrEqual(8);
  expect((await house.store.readPosition())?.confirmedUntil).toBe(START + 33 * SECOND_MS);
});

test('a database that is away is no fault of the poll, and no window is lost', async () => {
  const house = houseOf();
  let isAway = true;
  const fail = async () => {
    if (isAway) throw new Error('the database is away');
  };
  const store: CoverageStore = {
    ...house.store,
    putWindow: async (window) => fail().then(() => house.store.putWindow(window)),
    writePosition: async (position) => fail().then(() => house.store.writePosition(position)),
  };

  await whileRunning(
    house,
    async (coverage) => {
      for (let outage = 0; outage < 2; outage += 1) {
        await house.clock.advance(MINUTE_MS);
        coverage.confirmed({ from: house.clock.now() - MINUTE_MS, until: house.clock.now() });
      }
      expect(house.store.all()).toEqual([]);
      isAway = false;
      await house.clock.advance(SECOND_MS);
    },
    house.coverageOf(store),
  );

  expect(house.store.all()).toMatchObject([
    { startedAt: START, endedAt: START + MINUTE_MS },
    { startedAt: START + MINUTE_MS, endedAt: START + 2 * MINUTE_MS },
  ]);
  expect(house.warnings().filter(({ message }) => message.includes('cannot be written'))).toHaveLength(1);
});

test('that a window is filled is written after the position that says which of its trades wait', async () => {
  const house = houseOf();
  const calls: string[] = [];
  const store: CoverageStore = {
    ...house.store,
    putWindow: async ({ backfilledAt }) => void calls.push(backfilledAt === null ? 'window' : 'filled'),
    writePosition: async ({ oldestWaiting }) => void calls.push(`position ${oldestWaiting}`),
  };

  await whileRunning(
    house,
    async (coverage) => {
      await house.clock.advance(MINUTE_MS);
      calls.length = 0;
      house.waitFor(7);
      coverage.confirmed({ from: START, until: house.clock.now() });
      await house.clock.advance(SECOND_MS);
    },
    house.coverageOf(store),
  );

  expect(calls).toEqual(['window', 'position 7', 'filled']);
});
