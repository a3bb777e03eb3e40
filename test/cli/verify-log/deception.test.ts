import { utimes } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import type { LogEntry } from '../../../src/core/alerts/log/log-entry.ts';
import { EVENTS, type Event, logFixtureOf, outcome } from '../../support/log-fixture.ts';
import { KEY } from '../../support/log-stand-in.ts';
import { answering, openLog } from '../../support/run-verify-log.ts';

const FIXTURE = logFixtureOf(EVENTS);
const DAY = 86_400_000;
const LONG_AGO = new Date(0);
describe('a received alert', () => {
  test('whose entry follows a moment later is no break: with a real-time key the log is read again', async () => {
    const { standIn, verifier, run } = await openLog();
    const file = await verifier.file('alert.json', FIXTURE.answers.get(6));
    const asked = () => standIn.asked.filter((path) => path.startsWith('/api/v1/log?')).length;
    standIn.fixture = { ...FIXTURE, entries: FIXTURE.entries.slice(0, 9) };
    standIn.answer = () => {
      if (asked() > 2) standIn.fixture = FIXTURE;
      return false;
    };
    const { code, out } = await run('--key', KEY, '--alert', file);
    expect(out).toMatch(/^pass {2}evidence +entries up to 10 unchanged, against 1 received alert$/m);
    expect(code).toBe(0);
  });

  const flipped: readonly (readonly [string, readonly Event[]])[] = [
    ['was flipped', EVENTS.with(8, outcome('outcome', '0xm2', [1, 0]))],
    ['was removed', EVENTS.toSpliced(8, 1)],
  ];
  test.each(flipped)('proves that the outcome that it states %s', async (_, events) => {
    const { verifier, run } = await openLog(logFixtureOf(events));
    const file = await verifier.file('alert.json', FIXTURE.answers.get(5));
    const args = ['--alert', file];
    const { code, out } = await run(...args, '--key', KEY);
    expect(out).toMatch(
      /^FAIL {2}log +entry \d+: .*the received alert 5 .*(does not follow from any outcome|no outcome in)/m,
    );
    expect(code).toBe(1);
    // Without a key the outcome may be too new to be seen, unless it was received long ago.
    const keyless = await run(...args);
    expect(keyless.code, keyless.out).toBe(0);
    expect(keyless.out).toMatch(/^skip {2}evidence +1 received result not compared with the log/m);
    await utimes(file, LONG_AGO, LONG_AGO);
    expect(await run(...args)).toMatchObject({ code: 1 });
  });

  test.each([
    ['an outcome', 2],
    ['a correction', 6],
  ])('from before %s is no break', async (_, length) => {
    const { verifier, run } = await openLog();
    const file = await verifier.file('alert.json', logFixtureOf(EVENTS.slice(0, length)).answers.get(1));
    expect(await run('--key', KEY, '--alert', file)).toMatchObject({ code: 0 });
  });
});

test('a log that is shorter than a frame that was received a day ago is found without a key', async () => {
  const { standIn, verifier, run } = await openLog();
  const { sequence, hash } = FIXTURE.entries.at(-1) as LogEntry;
  const file = await verifier.file('frames.jsonl', { type: 'pong', log: { sequence, hash } });
  standIn.fixture = logFixtureOf(EVENTS.slice(0, 8));
  expect(await run('--alert', file)).toMatchObject({ code: 0 });
  await utimes(file, LONG_AGO, LONG_AGO);
  const { code, out } = await run('--alert', file);
  expect(out).toContain('entries were removed');
  expect(code).toBe(1);
});

test('a log whose first alerts are missing is found when it is read from its start', async () => {
  const { run } = await openLog(logFixtureOf(EVENTS.toSpliced(1, 1)));
  const { code, out } = await run();
  expect(out).toMatch(/it is not the entry of the next alert\n +expected alert 1\n +found {4}alert 2$/m);
  expect(code).toBe(1);
});

test('a result without an outcome is not forgotten by a run without a key, and is a break a day later', async () => {
  const { standIn, verifier, run } = await openLog();
  standIn.fixture = answering(FIXTURE, 6, { resolved: true, won: true, profit_usdc: 3_000 });
  standIn.isRealtime = false;
  expect(await run('--key', KEY)).toMatchObject({ code: 0 });
  expect(await run()).toMatchObject({ code: 0 });
  verifier.clock.advance(DAY + 1);
  const { code, out } = await run('--key', KEY);
  expect(out).toContain('resolved of alert 6 in the API does not follow from the log');
  expect(code).toBe(1);
});

test('an alert that another machine of the service shows a moment later is no break', async () => {
  const { standIn, run } = await openLog();
  let asked = 0;
  standIn.answer = (path, response) => {
    if (!path.startsWith('/api/v1/alerts?since_id=4')) return false;
    asked += 1;
    if (asked > 2) return false;
    response.end('{"alerts":[]}');
    return true;
  };
  expect(await run('--key', KEY)).toMatchObject({ code: 0 });
});
