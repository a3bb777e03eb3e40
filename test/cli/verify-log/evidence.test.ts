import { describe, expect, test } from 'vitest';
import type { JsonObject, LogEntry } from '../../../src/core/alerts/log/log-entry.ts';
import { EVENTS, logFixtureOf } from '../../support/log-fixture.ts';
import { KEY } from '../../support/log-stand-in.ts';
import { openLog, openVerifier } from '../../support/run-verify-log.ts';

const FIXTURE = logFixtureOf(EVENTS);
const alert = (id: number) => FIXTURE.answers.get(id) as JsonObject;
const head = FIXTURE.entries.at(-1) as LogEntry;

describe('received alerts', () => {
  test('are read from webhook bodies, stream frames and answers, in JSON and JSON lines, and from standard input', async () => {
    const frames = [
      { type: 'connected', log: { sequence: 3, hash: FIXTURE.entries[2]?.hash } },
      { type: 'pong', log: { sequence: 0, hash: '0'.repeat(64) } },
      { type: 'alert', data: alert(4) },
      { type: 'alert', data: { ...alert(5), log: null } },
    ];
    const stdin = frames.map((frame) => `${JSON.stringify(frame)}\n`).join('');
    const { verifier, run } = await openLog(FIXTURE, { stdin });
    const files = [
      await verifier.file('body.json', alert(1)),
      await verifier.file('latest.json', [alert(2)]),
    ];
    const args = [...files, '-'].flatMap((file) => ['--alert', file]);
    const { code, out } = await run('--key', KEY, ...args);
    expect(code, out).toBe(0);
    expect(out).toMatch(/^pass {2}log +entries 1 to 10 form one chain/m);
    expect(out).toMatch(
      /^pass {2}evidence +entries up to 6 unchanged, against 3 received alerts, 1 given head$/m,
    );
  });

  test('are held against the fields of their entry as well as its hash', async () => {
    const { verifier, run } = await openLog();
    const file = await verifier.file('body.json', { ...alert(1), entry_price: 0.39 });
    const { code, out } = await run('--alert', file);
    expect(out).toMatch(/^FAIL {2}log +entry 2: entry_price is not as the received alert 1 in .* has it$/m);
    expect(out).toMatch(/^ +expected 0\.39\n +found {4}0\.4$/m);
    expect(code).toBe(1);
  });

  test('that name the entry of something else are a break', async () => {
    const { verifier, run } = await openLog();
    const { sequence, hash } = FIXTURE.entries[4] as LogEntry;
    const file = await verifier.file('body.json', { ...alert(1), log: { sequence, hash } });
    const { code, out } = await run('--alert', file);
    expect(out).toMatch(
      /entry 5: .* names it as its entry\n +expected an entry of kind alert\n +found {4}outcome/,
    );
    expect(code).toBe(1);
  });

  test.each<[string, unknown, string]>([
    ['without a mark', { ...alert(1), log: null }, 'no alert or frame with "log"'],
    ['that are not JSON', '{"a":1}\n\n{', 'line 3 is not JSON'],
    ['with half of a character', { ...alert(1), event_title: '\ud800' }, 'text that is not valid Unicode'],
  ])('%s are refused', async (_, content, message) => {
    const verifier = await openVerifier();
    const file = await verifier.file('alerts.json', content);
    await expect(verifier.run('http://127.0.0.1:9', '--alert', file)).rejects.toThrow(message);
  });
});

describe('given heads', () => {
  test('count whole or shortened, and the output says how many bits', async () => {
    const { run } = await openLog();
    const short = `9:${FIXTURE.entries[8]?.hash.slice(0, 20).toUpperCase()}…`;
    const { code, out } = await run('--head', `10:${head.hash}`, '--head', short);
    expect(code, out).toBe(0);
    expect(out).toMatch(
      /^pass {2}evidence +entries up to 10 unchanged, against 1 given head, the head 9:[0-9a-f]{16} \(80 of 256 bits\)$/m,
    );
    expect(out).toMatch(/^pass {2}log +entries 1 to 10 form one chain/m);
  });

  test('of which one digit differs are a break', async () => {
    const { run } = await openLog();
    const wrong = `${head.hash.slice(0, 15)}${head.hash[15] === '0' ? '1' : '0'}`;
    const { code, out } = await run('--head', `10:${wrong}`);
    expect(out).toContain(`expected ${wrong}…`);
    expect(out).toContain(`found    ${head.hash}`);
    expect(code).toBe(1);
  });
});

describe('wrong usage', () => {
  const url = 'https://tipoff.example';
  test.each<[readonly string[], string]>([
    [[], 'URL: expected one service, got 0.'],
    [[url, url], 'URL: expected one service, got 2.'],
    [['tipoff.example'], 'URL: expected an address like https://'],
    [['ftp://tipoff.example'], 'URL: expected an address like https://'],
    [['https://me:secret@tipoff.example'], 'without user name and password'],
    [[`${url}?key=1`], 'without ? and #'],
    [[url, '--head', '10'], '--head: expected SEQUENCE:HASH with 16 to 64'],
    [[url, '--head', `10:${'a'.repeat(15)}`], '--head: expected'],
    [[url, '--head', `10:${'a'.repeat(65)}`], '--head: expected'],
    [[url, '--head', `0:${'a'.repeat(64)}`], '--head: expected'],
    [[url, '--rules', 'rules.json'], '--rules requires --tape.'],
    [[url, '--resolutions', '/nowhere/r.json', '--x'], "'--x'"],
    [[url, '--alert', '/nowhere/a.json'], '--alert /nowhere/a.json cannot be read'],
  ])('%j is refused: %s', async (args, message) => {
    const verifier = await openVerifier();
    await expect(verifier.run(...args)).rejects.toThrow(message);
  });
});
