import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { judgeTape } from '../../../src/cli/verify-log/files.ts';
import type { Json } from '../../../src/core/alerts/log/log-entry.ts';
import { canonicalJson } from '../../../src/core/base/text/canonical-json.ts';
import { DEFAULT_RULES } from '../../../src/core/detection/rules.ts';
import { sha256 } from '../../../src/infra/secrets/key-crypto.ts';
import { alertOf } from '../../support/alerts.ts';
import { EVENTS, type Event, fixtureAlert, logFixtureOf, outcome } from '../../support/log-fixture.ts';
import { openLog, type Verifier } from '../../support/run-verify-log.ts';

const ROOT = join(import.meta.dirname, '../../..');
const TAPE = join(ROOT, 'data/tapes/midterms-2022.jsonl.gz');
const START_OF_TAPE = Date.parse('2022-01-01T00:00:00Z');

/** What a service publishes that judged the tape at its own times. */
let published: readonly Event[];
beforeAll(async () => {
  const { found } = await judgeTape(TAPE, DEFAULT_RULES, () => {});
  const rules = {
    kind: 'rules',
    version: DEFAULT_RULES.version,
    sha256: sha256(canonicalJson(DEFAULT_RULES as unknown as Json)),
  } as const;
  const alerts = found.map((candidate, index): Event => {
    const at = candidate.tradedAt;
    return {
      kind: 'alert',
      alert: { ...alertOf({ id: index + 1 }), ...candidate, detectedAt: at, publishedAt: at, createdAt: at },
    };
  });
  published = [rules, ...alerts];
});

async function runOn(events: readonly Event[], ...args: readonly string[]) {
  return (await openLog(logFixtureOf(events, START_OF_TAPE))).run(...args);
}

const changed = (index: number, change: object): readonly Event[] => {
  const event = published[index] as Event & { kind: 'alert' };
  return published.with(index, { kind: 'alert', alert: { ...event.alert, ...change } });
};

describe('--tape', () => {
  test('finds every alert of the log on the recording, with its amount, price and score', async () => {
    const { code, out } = await runOn(published, '--tape', TAPE);
    const [, count] =
      /^pass {2}tape +(\d+) alerts of 2022-.* as the detector finds them on the recording$/m.exec(out) ?? [];
    expect(Number(count)).toBe(published.length - 1);
    expect(out).not.toMatch(/^warn {2}tape/m);
    expect(code).toBe(0);
  });

  test('lists what differs, what the log withholds, and what it makes up', async () => {
    const withheld = changed(3, { score: 1 }).slice(0, -1);
    const { tradedAt } = (published[5] as Event & { kind: 'alert' }).alert;
    const madeUp = fixtureAlert(published.length - 1, '0xnone', { wallet: '0xmade-up', tradedAt });
    const { code, out } = await runOn([...withheld, madeUp], '--tape', TAPE);
    expect(out).toMatch(/^FAIL {2}tape .*, 1 missing in the log, 1 surplus, 1 differing$/m);
    expect(out).toMatch(/^ +missing: \w+ by 0x\w+ of .* at 2022-.*: BUY [\d.]+ USDC at [\d.]+, score \d+$/m);
    expect(out).toMatch(/^ +surplus: alert \d+, fresh by 0xmade-up of Yes in 0xnone at 2022-/m);
    expect(out).toMatch(/^ +differs: alert 3, .*, score 1; found [\d.]+ USDC at [\d.]+, score \d+$/m);
    expect(code).toBe(1);
  });

  test('leaves out alerts of other times, and says when the rules of the log are others', async () => {
    const rules = { kind: 'rules', version: '2+abcdef', sha256: 'd'.repeat(64) } as const;
    const later = fixtureAlert(published.length, '0xm', { tradedAt: Date.parse('2026-01-01T00:00:00Z') });
    const { code, out } = await runOn([...published.with(0, rules), later], '--tape', TAPE);
    expect(out).toMatch(
      /^warn {2}tape +the service used rules 2\+abcdef \(sha256 d{64}\), this run 4 \(sha256 [0-9a-f]{64}\)/m,
    );
    expect(out).toMatch(/^pass {2}tape/m);
    expect(code).toBe(0);
  });

  test('that is no tape is wrong usage', async () => {
    await expect(runOn(EVENTS, '--tape', '/nowhere/t.jsonl')).rejects.toThrow('there is no such file');
  });
});

const FIXTURES = join(ROOT, 'test/fixtures/upstream');
const MARKET = `0x${'0'.repeat(62)}a1`;
const RESOLVED = join(FIXTURES, 'data-v2-resolutions-resolved.json');
const { data: ROWS } = JSON.parse(readFileSync(RESOLVED, 'utf8')) as { data: readonly object[] };
const LINES = ROWS.map((row) => JSON.stringify(row));
const FLIPPED =
  /entry 2: the log's outcome of market 0x0+a1 is not the market's\n +expected payouts 1, 0\n +found {4}payouts 0, 1/;
const settled = (...payouts: readonly number[]) => [
  fixtureAlert(1, MARKET),
  outcome('outcome', MARKET, payouts),
];

describe('--resolutions', () => {
  test.each<[string, (verifier: Verifier) => string | Promise<string>]>([
    ['an answer of the market', () => RESOLVED],
    ['its rows as JSON lines', (verifier) => verifier.file('rows.jsonl', LINES.join('\n'))],
    ['a list of rows', (verifier) => verifier.file('rows.json', ROWS)],
  ])('takes %s', async (_, fileOf) => {
    const { verifier, run } = await openLog([...settled(1, 0), outcome('outcome', '0xm9', [1, 0])]);
    const { code, out } = await run('--resolutions', await fileOf(verifier));
    expect(out).toMatch(
      /^pass {2}resolutions +1 outcome of the log equal to the market’s own, 1 of the log are not in the file$/m,
    );
    expect(code).toBe(0);
  });

  test.each<[string, readonly Event[], RegExp]>([
    ['flipped', settled(0, 1), FLIPPED],
    ['split', settled(0.5, 0.5), /found {4}payouts 0\.5, 0\.5/],
    [
      'corrected to a wrong one',
      settled(1, 0).concat(outcome('correction', MARKET, [0, 1])),
      /entry 3: the log's/,
    ],
    ['withheld', [fixtureAlert(1, MARKET)], /expected payouts 1, 0\n +found {4}no outcome/],
  ])('finds an outcome that is %s', async (_, events, expected) => {
    const { code, out } = await runAt(events, '2026-10-08T00:00:00Z', RESOLVED);
    expect(out).toMatch(expected);
    expect(code).toBe(1);
  });

  test('finds an outcome of a market that is not resolved', async () => {
    const open = join(FIXTURES, 'data-v2-resolutions-open.json');
    const { code, out } = await runAt(settled(1, 0), '2026-10-08T00:00:00Z', open);
    expect(out).toMatch(/expected no outcome: the market says proposed\n +found {4}payouts 1, 0/);
    expect(code).toBe(1);
  });

  test('counts what was resolved within a day of the log’s end as not yet in it', async () => {
    const { code, out } = await runAt([fixtureAlert(1, MARKET)], '2026-10-06T10:00:00Z', RESOLVED);
    expect(out).toContain('1 resolved too recently to be in the log');
    expect(code).toBe(0);
  });

  test.each<[unknown, string]>([
    ['[{"a": 1}]', 'row 1 is not a row of /v2/resolutions'],
    ['{', 'line 1 is not JSON'],
  ])('%s is refused', async (content, message) => {
    const { verifier, run } = await openLog();
    const file = await verifier.file('rows.json', content);
    await expect(run('--resolutions', file)).rejects.toThrow(message);
  });
});

async function runAt(events: readonly Event[], end: string, file: string) {
  return (await openLog(logFixtureOf(events, Date.parse(end)))).run('--resolutions', file);
}
