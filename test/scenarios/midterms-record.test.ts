import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { canonicalJson } from '../../src/core/base/text/canonical-json.ts';
import { DEFAULT_RULES } from '../../src/core/detection/rules.ts';
import { parseHour } from '../../src/core/record/observations/hour-text.ts';
import type { ObservedHour } from '../../src/core/record/observations/observation-store.ts';
import { RecordMaker } from '../../src/core/record/record-maker.ts';
import type { RecordPeriod, RecordReport } from '../../src/core/record/record-report.ts';
import { openDatabase } from '../../src/infra/database/database.ts';
import { sha256 } from '../../src/infra/secrets/sha256.ts';
import { runTape } from '../../src/wiring/tape-record.ts';
import { observationsOf } from '../support/stored-observations.ts';
import { firstOnes, type ListedAlert, meanOf, readOrders, worthOf } from './recomputed-record.ts';

const TAPE = 'data/tapes/midterms-2022.jsonl.gz';

const markets = readOrders(TAPE);
let period: RecordPeriod;
let alerts: readonly ListedAlert[];
let hours: readonly ObservedHour[];

beforeAll(async () => {
  const database = await openDatabase('sqlite::memory:');
  const options = { database, file: TAPE, rules: DEFAULT_RULES, onProgress() {} };
  const { until: asOf } = await runTape(options, new AbortController().signal);
  const { text } = await new RecordMaker(sha256).make(database, {
    asOf,
    publishedUntil: Number.POSITIVE_INFINITY,
    freeDelayMs: 300_000,
    rules: { version: DEFAULT_RULES.version, sha256: sha256(canonicalJson(DEFAULT_RULES)) },
    plan: DEFAULT_RULES.record,
  });
  period = (JSON.parse(text) as RecordReport).periods[0] as RecordPeriod;
  const listed = await database.alerts.after(0, 1_000);
  alerts = listed.map((alert) => ({ ...alert, publishedAt: alert.detectedAt }));
  ({ hours } = await observationsOf(database));
  await database.close();
}, 60_000);

const worthsOf = (some: readonly ListedAlert[], method: 'record' | 'plain') =>
  some.map((alert) => worthOf(alert, markets, method));

describe('the record of the midterms, computed a second time from the tape and the list of alerts', () => {
  test('has the same figures, to a tenth of a cent, of the same alerts', () => {
    const worths = worthsOf(firstOnes(alerts), 'record');
    for (const [name, own] of [
      ['impact', 'impact'],
      ['drift_1h', 'drift1h'],
      ['drift_24h', 'drift24h'],
      ['drift_24h_from_entry', 'drift24hFromEntry'],
      ['won_minus_price', 'wonMinusPrice'],
    ] as const) {
      const { alerts: count, events, mean, per_alert } = period.figures[name];
      const wanted = meanOf(worths, own);
      expect({ name, count, events }).toEqual({ name, count: wanted.alerts, events: wanted.events });
      expect(Math.abs((mean as number) * 100 - wanted.perEvent), name).toBeLessThan(0.1);
      expect(Math.abs((per_alert as number) * 100 - wanted.perAlert), name).toBeLessThan(0.1);
    }
  });

  test('says that one night is too few', () => {
    expect(period.conclusion).toMatch(/too few to say: one night/i);
  });
});

test('the observations of the midterms are as many as docs/observations.md says', () => {
  const found = hours.map(({ text }) => parseHour(text));
  const count = (name: 'bars' | 'buys' | 'quotes') =>
    found.reduce((sum, hour) => sum + (hour[name]?.length ?? 0), 0);
  expect([hours.length, count('bars'), count('buys'), count('quotes')]).toEqual([
    4_538, 10_872, 1_320, 8_885,
  ]);
});

test('the documents state these figures', () => {
  const read = (name: string) => readFileSync(join(import.meta.dirname, '../../docs', name), 'utf8');
  const cents = (value: number | null) => {
    const text = Math.abs((value as number) * 100).toFixed(1);
    return `${(value as number) < 0 ? '−' : '+'}${text}`;
  };
  const { figures } = period;
  for (const [label, name] of [
    ['won − price', 'won_minus_price'],
    ['own impact', 'impact'],
    ['drift, 1 h', 'drift_1h'],
    ['drift, 24 h', 'drift_24h'],
    ['drift, 24 h, from the entry', 'drift_24h_from_entry'],
  ] as const) {
    const { alerts: count, events, mean, per_alert } = figures[name];
    expect(read('method.md')).toContain(
      `| ${label} | ${count} | ${events} | ${cents(mean)} | ${cents(per_alert)} |`,
    );
  }
  const lower = [figures.drift_24h, figures.drift_24h_minus_controls].map(({ mean }) => cents(mean).slice(1));
  expect(read('reading-alerts.md').replaceAll(/\s+/g, ' ')).toContain(
    `A day later the price was ${lower[0]}¢ lower per event, ${lower[1]}¢ lower than after`,
  );
});

describe('the simulation before this record (won − price: −9.6 ¢ per alert, +4.4 ¢ per event)', () => {
  test('is met per event by alerts of whole orders; per alert they lose less, as one lost cluster is no alert now', () => {
    const {
      alerts: count,
      perAlert,
      perEvent,
    } = meanOf(worthsOf(firstOnes(alerts), 'plain'), 'wonMinusPrice');
    expect([alerts.length, count]).toEqual([222, 174]);
    expect(perAlert).toBeCloseTo(-8.9, 1);
    expect(perAlert * 174 - 78.3).toBeCloseTo(-9.32 * 175, -1);
    expect(Math.abs(perEvent - 4.4)).toBeLessThan(0.5);
  });

  test('has the impact at exactly 60 s, and the drift of alerts whose day ended before the polls closed', () => {
    const isEarly = ({ tradedAt }: ListedAlert) => tradedAt < Date.UTC(2022, 10, 7, 23, 59);
    const early = worthsOf(alerts.filter(isEarly), 'plain');
    expect(meanOf(worthsOf(alerts, 'plain'), 'impact').perEvent).toBeCloseTo(1.9, 1);
    expect(Math.abs(meanOf(early, 'drift24hFromEntry').perEvent + 1.2)).toBeLessThan(0.5);
    expect(Math.abs(meanOf(early, 'drift24h').perEvent + 0.6)).toBeLessThan(0.5);
    const recorded = worthsOf(firstOnes(alerts).filter(isEarly), 'record');
    expect(meanOf(recorded, 'drift24h').perEvent).toBeCloseTo(-1.8, 1);
  });
});
