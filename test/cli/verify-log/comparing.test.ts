import { readFile, writeFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import type { JsonObject, LogEntry } from '../../../src/core/alerts/log/log-entry.ts';
import { EVENTS, fixtureAlert, logFixtureOf } from '../../support/log-fixture.ts';
import { KEY, startLogStandIn } from '../../support/log-stand-in.ts';
import { answering, openLog, type Verifier } from '../../support/run-verify-log.ts';

describe('what the API answers', () => {
  test('equals the log: every alert and result is compared, and the counts say so', async () => {
    const { standIn, verifier } = await openLog();
    const { code, out } = await verifier.run(`${standIn.url}/api/v1/`, '--key', KEY);
    expect(code, out).toBe(0);
    expect(out).toMatch(
      /^pass {2}log +entries 1 to 10 form one chain; the newest is dated .*, hash [0-9a-f]{64}$/m,
    );
    expect(out).toMatch(/^pass {2}alerts +6 alerts compared with the API$/m);
    expect(out).toMatch(
      /^pass {2}outcomes +2 outcomes and 1 correction; the results of 4 alerts agree with the log$/m,
    );
  });

  test.each<[number, JsonObject, RegExp]>([
    [
      3,
      { usdc_value: 1_234.57 },
      /entry 4: usdc_value of alert 3 .*\n +expected 1234.56\n +found {4}1234.57$/m,
    ],
    [1, { details: { wallet_age_days: 2 } }, /entry 2: details.wallet_age_days of alert 1 /],
    [1, { log: { sequence: 3, hash: 'b'.repeat(64) } }, /entry 2: log.sequence of alert 1 /],
    [1, { won: false }, /entry 7: won of alert 1 .*\n +expected true\n +found {4}false$/m],
    [2, { profit_usdc: 1_500 }, /entry 7: profit_usdc of alert 2 .*\n +expected -1500\n +found {4}1500$/m],
    [1, { details: { position_profit_usdc: 5 } }, /entry 7: details.position_profit_usdc of alert 1 /],
    [3, { resolved: false, won: null, profit_usdc: null }, /entry 9: resolved of alert 3 /],
    [
      6,
      { resolved: true, won: true, profit_usdc: 3_000 },
      /entry 10: resolved of alert 6 .*no outcome in the log/,
    ],
  ])('alert %d with %j is a break', async (id, change, expected) => {
    const { standIn, fixture, run } = await openLog();
    standIn.fixture = answering(fixture, id, change);
    const { code, out } = await run('--key', KEY);
    expect(out).toMatch(expected);
    expect(code).toBe(1);
  });

  test('an alert that the API does not know is a break', async () => {
    const { fixture, run } = await openLog();
    (fixture.answers as Map<number, JsonObject>).delete(4);
    const { code, out } = await run('--key', KEY);
    expect(out).toContain('entry 6: the API does not know alert 4');
    expect(code).toBe(1);
  });

  test('fields of a later version do no harm', async () => {
    const { standIn, fixture, run } = await openLog();
    standIn.fixture = answering(fixture, 1, { later: 1, details: { later: [] } });
    expect(await run('--key', KEY)).toMatchObject({ code: 0 });
  });

  test('the first entry that does not hold is the one that is printed', async () => {
    const { standIn, fixture, run } = await openLog();
    standIn.fixture = answering(answering(fixture, 6, { trade_count: 7 }), 1, { won: false });
    const { out } = await run('--key', KEY);
    expect(out.match(/entry \d+/g)).toEqual(['entry 7']);
  });

  test('without a key the files of the log are read, and nothing is compared with the API', async () => {
    const { standIn, run } = await openLog();
    const { code, out } = await run();
    expect(code, out).toBe(0);
    expect(out).toMatch(/^skip {2}alerts +none of 6 alerts compared with the API: --key compares them$/m);
    expect(standIn.asked[0]).toBe('/log');
    expect(standIn.asked.filter((path) => path.startsWith('/api'))).toEqual([]);
  });
});

describe('the state file', () => {
  const savedOf = async ({ state }: Verifier) => JSON.parse(await readFile(state, 'utf8')).services;

  test('has the last head of each service, and is not written when something does not hold', async () => {
    const { standIn, verifier, fixture, run } = await openLog();
    await run('--key', KEY);
    const { sequence, hash } = fixture.entries.at(-1) as LogEntry;
    expect((await savedOf(verifier))[standIn.url]).toMatchObject({ sequence, hash });
    standIn.fixture = answering(logFixtureOf([...EVENTS, fixtureAlert(7, '0xm4')]), 7, { trade_count: 7 });
    expect(await run('--key', KEY)).toMatchObject({ code: 1 });
    expect((await savedOf(verifier))[standIn.url]).toMatchObject({ sequence, hash });
    const other = await startLogStandIn(fixture);
    await verifier.run(other.url);
    expect(Object.keys(await savedOf(verifier))).toEqual([standIn.url, other.url]);
  });

  test('keeps the newer head when a reader at the free delay does not see it yet', async () => {
    const { standIn, verifier, run } = await openLog();
    await run('--key', KEY);
    standIn.delayed = 3;
    const { code, out } = await run();
    expect(code, out).toBe(0);
    expect(out).toMatch(
      /^skip {2}evidence +not compared, since it is newer than the free delay shows: the head /m,
    );
    expect(out).toMatch(/^pass {2}log +entries 1 to 7 form one chain/m);
    expect(out).toMatch(/^warn {2}evidence +no earlier view/m);
    expect((await savedOf(verifier))[standIn.url]).toMatchObject({ sequence: 10 });
  });

  test('that is none is refused, and left as it is', async () => {
    const { verifier, run } = await openLog();
    const file = await verifier.file('other.json', '{"mine": true}');
    await expect(run('--state', file)).rejects.toThrow('is not a state file of this command');
    expect(await readFile(file, 'utf8')).toBe('{"mine": true}');
    await writeFile(file, '');
    await expect(run('--state', file)).rejects.toThrow('is not a state file');
  });
});
