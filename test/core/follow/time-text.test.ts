import { describe, expect, test } from 'vitest';
import { durationWords } from '../../../src/core/base/text/formats.ts';
import {
  parseDuration,
  parseQuietHours,
  timeIn,
  zonesNamed,
  zoneWords,
} from '../../../src/core/follow/time-text.ts';

describe('durations', () => {
  test.each([
    ['15m', 900_000, '15 minutes'],
    ['1h', 3_600_000, '1 hour'],
    ['24 hours', 86_400_000, '24 hours'],
    ['7d', 604_800_000, '7 days'],
    ['2 weeks', 1_209_600_000, '14 days'],
  ])('%s', (text, ms, words) => {
    expect(parseDuration(text)).toBe(ms);
    expect(durationWords(ms)).toBe(words);
  });

  test.each(['', '0m', '31d', '1y', '-1h', '5', 'h', '1.5h', '1h2'])('“%s” is not a duration', (text) => {
    expect(parseDuration(text)).toBeNull();
  });
});

describe('quiet hours', () => {
  test.each([
    ['23-7', 23, 7],
    ['23:00 – 07:00', 23, 7],
    ['11pm-7am', 23, 7],
    ['12am to 12pm', 0, 12],
    ['0-24 '.replace('24', '6'), 0, 6],
    ['22-24', 22, 0],
  ])('%s', (text, from, to) => {
    expect(parseQuietHours(text)).toEqual({ from, to });
  });

  test.each(['', '23', '7-7', '0-24', '23:30-7', '25-3', '13pm-7', '1-2-3', 'night'])(
    '“%s” are none',
    (text) => {
      expect(parseQuietHours(text)).toBeNull();
    },
  );
});

describe('time zones', () => {
  test.each([
    ['Europe/Paris', ['Europe/Paris']],
    [' europe/paris ', ['Europe/Paris']],
    ['new york', ['America/New_York']],
    ['San Francisco, CA', ['America/Los_Angeles']],
    ['buenos aires', ['America/Argentina/Buenos_Aires', 'America/Buenos_Aires']],
    ['Asia/Kolkata', ['Asia/Kolkata']],
    ['kyiv', ['Europe/Kyiv']],
    ['cet', ['CET']],
    ['UTC+2', ['Etc/GMT-2']],
    ['-5', ['Etc/GMT+5']],
    ['utc', ['UTC']],
    ['nowhere', []],
    ['', []],
    ['utc+15', []],
  ])('%s', (text, zones) => {
    const found = zonesNamed(text);
    if (zones.length < 2) expect(found).toEqual(zones);
    else expect(zones).toEqual(expect.arrayContaining([...found]));
    for (const zone of found) expect(() => timeIn(zone, 0)).not.toThrow();
  });

  test('a part of a name gives at most six zones to choose from', () => {
    const found = zonesNamed('america');
    expect(found).toHaveLength(6);
  });

  test('are named as people call them, with the time that clocks show there', () => {
    expect(zoneWords('Etc/GMT-2')).toBe('UTC+2');
    expect(timeIn('America/New_York', Date.UTC(2026, 6, 1, 18, 5))).toBe('2026-07-01 14:05 New York');
    expect(timeIn(null, Date.UTC(2026, 6, 1, 18, 5))).toBe('2026-07-01 18:05 UTC');
  });
});
