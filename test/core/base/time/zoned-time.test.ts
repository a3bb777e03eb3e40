import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DAY_MS, HOUR_MS } from '../../../../src/core/base/time/duration.ts';
import { hourIn, lastAtHour, nextAtHour, wallClockIn } from '../../../../src/core/base/time/zoned-time.ts';

const at = (time: string) => Date.parse(time);
const last = (zone: string, hour: number, now: string) =>
  new Date(lastAtHour(zone, hour, at(now))).toISOString();
const next = (zone: string, hour: number, now: string) =>
  new Date(nextAtHour(zone, hour, at(now))).toISOString();

describe('an hour of a zone', () => {
  test('is that of its clocks, also half an hour off, and over midnight', () => {
    expect(hourIn('Asia/Kolkata', at('2026-11-26T18:29:59Z'))).toBe(23);
    expect(hourIn('Asia/Kolkata', at('2026-11-26T18:30:00Z'))).toBe(0);
    expect(last('Asia/Kolkata', 19, '2026-11-26T13:29:59Z')).toBe('2026-11-25T13:30:00.000Z');
    expect(last('Asia/Kolkata', 19, '2026-11-26T13:30:00Z')).toBe('2026-11-26T13:30:00.000Z');
    expect(next('Asia/Kolkata', 19, '2026-11-26T13:30:00Z')).toBe('2026-11-27T13:30:00.000Z');
  });

  test('a day on which clocks change has 23 or 25 hours between two evenings', () => {
    expect(last('America/New_York', 19, '2026-03-08T22:59:59Z')).toBe('2026-03-08T00:00:00.000Z');
    expect(last('America/New_York', 19, '2026-03-08T23:00:00Z')).toBe('2026-03-08T23:00:00.000Z');
    expect(last('Europe/Paris', 19, '2026-10-25T17:59:59Z')).toBe('2026-10-24T17:00:00.000Z');
    expect(last('Europe/Paris', 19, '2026-10-25T18:00:00Z')).toBe('2026-10-25T18:00:00.000Z');
  });

  test('that is skipped begins when clocks go forward, and one that comes twice at its first', () => {
    expect(next('America/New_York', 2, '2026-03-08T05:00:00Z')).toBe('2026-03-08T07:00:00.000Z');
    expect(next('America/New_York', 1, '2026-11-01T04:30:00Z')).toBe('2026-11-01T05:00:00.000Z');
    expect(next('America/New_York', 1, '2026-11-01T05:00:00Z')).toBe('2026-11-02T06:00:00.000Z');
  });

  test('an unknown zone is an error', () => {
    expect(() => hourIn('Mars/Olympus', 0)).toThrow(RangeError);
  });
});

const zones = fc.constantFrom(
  'UTC',
  'Pacific/Kiritimati',
  'Pacific/Niue',
  'Asia/Kathmandu',
  'America/St_Johns',
);
const lordHowe = fc.constantFrom('Australia/Lord_Howe', 'America/New_York', 'Europe/London');
const moments = fc.integer({ min: at('2025-01-01T00:00:00Z'), max: at('2030-01-01T00:00:00Z') });
const hours = fc.integer({ min: 0, max: 23 });

test('the last and the next time of an hour are around the moment, a day and an hour apart at most', () => {
  fc.assert(
    fc.property(fc.oneof(zones, lordHowe), hours, moments, (zone, hour, moment) => {
      const [before, after] = [lastAtHour(zone, hour, moment), nextAtHour(zone, hour, moment)];
      expect(before).toBeLessThanOrEqual(moment);
      expect(after).toBeGreaterThan(moment);
      expect(Math.abs(after - before - DAY_MS)).toBeLessThanOrEqual(HOUR_MS);
      expect(lastAtHour(zone, hour, after)).toBe(after);
      // Of a skipped hour the next is shown.
      expect([hour, (hour + 1) % 24]).toContain(new Date(wallClockIn(zone, before)).getUTCHours());
    }),
  );
});
