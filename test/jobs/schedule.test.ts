import fc from 'fast-check';
import { expect, test } from 'vitest';
import { dailyAt, everyMinutes } from '../../jobs/schedule.ts';
import { MINUTE_MS } from '../../src/core/base/time/duration.ts';

const at = (text: string) => Date.parse(`${text}Z`);

test.each([
  [
    'in minutes has a period a slot, counted from midnight UTC',
    everyMinutes(15),
    '2026-11-20T10:44:59.999',
    '2026-11-20 10:30',
  ],
  ['in minutes begins a period at its minute', everyMinutes(15), '2026-11-20T10:45', '2026-11-20 10:45'],
  [
    'daily is for the day before, until its minute',
    dailyAt('00:05'),
    '2026-11-21T00:04:59.999',
    '2026-11-19',
  ],
  [
    'daily is for the day that is over, from its minute on',
    dailyAt('00:05'),
    '2026-11-21T00:05',
    '2026-11-20',
  ],
  ['daily, over the end of a month', dailyAt('03:20'), '2026-03-01T03:19', '2026-02-27'],
  ['daily, over the end of a year', dailyAt('00:05'), '2027-01-01T23:59', '2026-12-31'],
])('a schedule %s', (_, schedule, now, period) => {
  expect(schedule(at(now))).toBe(period);
});

test.each([
  ['every half minute', everyMinutes(0.5), MINUTE_MS / 2],
  ['every minute', everyMinutes(1), MINUTE_MS],
  ['every 10 minutes', everyMinutes(10), 10 * MINUTE_MS],
  ['daily', dailyAt('00:05'), 24 * 60 * MINUTE_MS],
])(
  '%s: a period lasts as long as the interval, and the next one has a later name',
  (_, schedule, everyMs) => {
    fc.assert(
      fc.property(fc.integer({ min: at('2020-01-01'), max: at('2040-01-01') }), (now) => {
        expect(schedule(now + everyMs) > schedule(now)).toBe(true);
        expect(schedule(now + everyMs - 1) === schedule(now)).toBe(schedule(now - 1) !== schedule(now));
      }),
    );
  },
);
