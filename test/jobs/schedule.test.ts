import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { dailyAt, everyMinutes, type JobSchedule } from '../../jobs/schedule.ts';
import { MINUTE_MS } from '../../src/core/base/time/duration.ts';

const at = (text: string) => Date.parse(`${text}Z`);
const slot = (schedule: JobSchedule, text: string) => {
  const { period, dueAt } = schedule.slotAt(at(text));
  return `${period} due ${new Date(dueAt).toISOString().slice(0, 16)}`;
};

describe('a schedule', () => {
  test('in minutes has a period a slot, counted from midnight UTC', () => {
    expect(slot(everyMinutes(15), '2026-11-20T10:44:59.999')).toBe('2026-11-20 10:30 due 2026-11-20T10:30');
    expect(slot(everyMinutes(15), '2026-11-20T10:45')).toBe('2026-11-20 10:45 due 2026-11-20T10:45');
  });

  test('a daily one is for the day that is over, from its minute on', () => {
    expect(slot(dailyAt('00:05'), '2026-11-21T00:04:59.999')).toBe('2026-11-19 due 2026-11-20T00:05');
    expect(slot(dailyAt('00:05'), '2026-11-21T00:05')).toBe('2026-11-20 due 2026-11-21T00:05');
    expect(slot(dailyAt('03:20'), '2026-03-01T03:19')).toBe('2026-02-27 due 2026-02-28T03:20');
    expect(slot(dailyAt('00:05'), '2027-01-01T23:59')).toBe('2026-12-31 due 2027-01-01T00:05');
  });

  test('is described in words', () => {
    expect([everyMinutes(1), everyMinutes(15), dailyAt('00:05')].map(({ words }) => words)).toEqual([
      'every minute',
      'every 15 minutes',
      'daily at 00:05 UTC',
    ]);
  });

  test.each([
    ['every minute', everyMinutes(1), MINUTE_MS],
    ['every 10 minutes', everyMinutes(10), 10 * MINUTE_MS],
    ['daily', dailyAt('00:05'), 24 * 60 * MINUTE_MS],
  ])(
    '%s: the newest slot is due, the next is not, and each has a period of its own',
    (_name, schedule, everyMs) => {
      fc.assert(
        fc.property(fc.integer({ min: at('2020-01-01'), max: at('2040-01-01') }), (now) => {
          const { dueAt, period } = schedule.slotAt(now);
          expect(now - dueAt).toBeGreaterThanOrEqual(0);
          expect(now - dueAt).toBeLessThan(everyMs);
          expect(schedule.slotAt(dueAt)).toEqual({ dueAt, period });
          expect(schedule.slotAt(dueAt - 1).period < period).toBe(true);
        }),
      );
    },
  );
});
