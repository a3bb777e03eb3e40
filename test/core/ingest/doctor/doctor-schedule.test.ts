import { describe, expect, onTestFinished, test } from 'vitest';
import type { DoctorReport, ProbeResult } from '../../../../src/core/ingest/doctor/doctor-report.ts';
import { DoctorSchedule, type FeedPhase } from '../../../../src/core/ingest/doctor/doctor-schedule.ts';
import { createFakeClock } from '../../../support/clock.ts';
import { reportAt } from '../../../support/doctor-reports.ts';
import { createRecordingLogger } from '../../../support/recording-logger.ts';
import { START } from '../../../support/rows.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

async function startSchedule(
  phase: () => FeedPhase,
  examine: (at: number) => Promise<DoctorReport> = async (at) => reportAt(at),
) {
  const clock = createFakeClock(START);
  const logger = createRecordingLogger();
  const examined: number[] = [];
  const reported: (readonly ProbeResult[])[] = [];
  const schedule = new DoctorSchedule({
    doctor: {
      examine: () => {
        examined.push((clock.now() - START) / SECOND_MS);
        return examine(clock.now());
      },
    },
    phase,
    clock,
    random: () => 0,
    logger,
    metrics: { doctorReported: (results) => void reported.push(results) },
  });
  const stop = new AbortController();
  const ended = schedule.run(stop.signal);
  onTestFinished(async () => {
    stop.abort();
    await ended;
  });
  await clock.asleep();
  return { clock, logger, examined, reported, schedule };
}

describe('when the doctor runs inside the service', () => {
  test('a minute after the feed is live, then daily', async () => {
    let phase: FeedPhase = 'starting';
    const { clock, examined, schedule } = await startSchedule(() => phase);
    await clock.advance(98 * SECOND_MS);
    phase = 'live';
    expect(schedule.last()).toBeNull();
    await clock.advance(72 * SECOND_MS);
    expect(examined).toEqual([160]);
    expect(schedule.last()?.endedAt).toBe(START + 160 * SECOND_MS);
    await clock.advance(25 * HOUR_MS);
    expect(examined).toEqual([160, 160 + 24 * 3_600 + 60]);
  });

  test('a feed that does not become live is examined after six minutes', async () => {
    const { clock, examined } = await startSchedule(() => 'starting');
    await clock.advance(7 * MINUTE_MS);
    expect(examined).toEqual([360]);
  });

  test('a process that stands by does not run it', async () => {
    const { clock, examined } = await startSchedule(() => 'off');
    await clock.advance(48 * HOUR_MS);
    expect(examined).toEqual([]);
  });

  test('after a failure it runs again within about an hour, and logs one line for each failed probe', async () => {
    const failed = {
      trade_stream: { verdict: 'fail', seen: 'no trade' },
      cursor: { verdict: 'warn' },
    } as const;
    const { clock, logger, examined, reported } = await startSchedule(
      () => 'live',
      async (at) => reportAt(at, failed),
    );
    await clock.advance(2 * MINUTE_MS);
    const warnings = logger.lines.filter(({ level }) => level === 'warn');
    expect(warnings.map(({ fields }) => fields)).toEqual([
      { probe: 'trade_stream', seen: 'no trade', action: 'Mend the trade_stream.' },
    ]);
    expect(reported).toHaveLength(1);
    await clock.advance(62 * MINUTE_MS);
    expect(examined).toHaveLength(2);
  });

  test('an examination that breaks is logged and tried again; the last report stays', async () => {
    let isBroken = false;
    const { clock, logger, examined, schedule } = await startSchedule(
      () => 'live',
      async (at) => (isBroken ? Promise.reject(new Error('no')) : reportAt(at)),
    );
    await clock.advance(2 * MINUTE_MS);
    isBroken = true;
    await clock.advance(25 * HOUR_MS);
    expect(logger.lines.filter(({ level }) => level === 'warn')).toHaveLength(1);
    expect(schedule.last()).not.toBeNull();
    await clock.advance(61 * MINUTE_MS);
    expect(examined).toHaveLength(3);
  });
});
