import { MINUTE_MS, SECOND_MS } from '../../../../src/core/base/time/duration.ts';
import type { FeedVisibility } from '../../../../src/core/trades/coverage/blind-window.ts';
import { Coverage } from '../../../../src/core/trades/coverage/coverage.ts';
import { createFakeClock } from '../../../support/clock.ts';
import { type CoverageStore, createMemoryCoverage } from '../../../support/memory-coverage.ts';
import { createRecordingLogger } from '../../../support/recording-logger.ts';
import { START } from '../../../support/rows.ts';

export function fixtureOf(store = createMemoryCoverage()) {
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
    coverageOf: (over: CoverageStore = store) =>
      new Coverage({ store: over, clock, logger, metrics, oldestWaiting: () => oldest }),
  };
}

type CoverageFixture = ReturnType<typeof fixtureOf>;

export async function whileRunning(
  fixture: CoverageFixture,
  steps: (coverage: Coverage) => Promise<void>,
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
export async function see({ clock }: CoverageFixture, coverage: Coverage, ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= SECOND_MS) {
    await clock.advance(SECOND_MS);
    coverage.confirmed({ from: clock.now() - 2 * SECOND_MS, until: clock.now() });
  }
}

/** What polling does all the time: its answers are fresh, and confirm what is 11 s older, the lag of the list. */
export async function poll({ clock }: CoverageFixture, coverage: Coverage, ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= SECOND_MS) {
    await clock.advance(SECOND_MS);
    coverage.fresh(clock.now());
    coverage.confirmed({ from: clock.now() - 14 * SECOND_MS, until: clock.now() - 11 * SECOND_MS });
  }
}

export const HOUR = 60 * MINUTE_MS;
