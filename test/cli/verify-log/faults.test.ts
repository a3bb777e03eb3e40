import type { ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import { entryLine } from '../../../src/core/alerts/log/seal.ts';
import { EVENTS, fixtureAlert, logFixtureOf } from '../../support/log-fixture.ts';
import { type Answer, KEY } from '../../support/log-stand-in.ts';
import { openLog, openVerifier } from '../../support/run-verify-log.ts';

const FIXTURE = logFixtureOf(EVENTS);
const KEYED = ['--key', KEY];
const LINES = FIXTURE.entries.map((entry) => `${entryLine(entry)}\n`);

const logAnswers =
  (text: string): Answer =>
  (path, response) => {
    if (!/^\/(api\/v1\/log|log\/2)/.test(path)) return false;
    response.writeHead(200, { 'content-type': 'application/json' }).end(text);
    return true;
  };

const status =
  (code: number, headers: Record<string, string> = {}): Answer =>
  (_, response) => {
    response.writeHead(code, headers).end('{"detail":"Not today."}');
    return true;
  };

async function runWith(answer: Answer, ...args: readonly string[]) {
  const { standIn, verifier, run } = await openLog();
  standIn.answer = answer;
  return { ...(await run(...args)), slept: verifier.clock.slept };
}

describe('a service that does not answer as one', () => {
  const page = (change: object) =>
    logAnswers(JSON.stringify({ entries: [], head: { sequence: 0, hash: '' }, ...change }));
  test.each<[string, Answer, RegExp]>([
    [
      'a redirect',
      status(302, { location: 'https://o.example/' }),
      /\/me is redirected to https:\/\/o.example\/,/,
    ],
    ['an error', status(500), /\/api\/v1\/me answered 500: Not today\./],
    ['a limit that stays', status(429, { 'retry-after': '1' }), /^\/api\/v1\/me answered 429: Not today\.$/],
    ['another site', status(404), /\/api\/v1\/me: this is not the answer of a Tipoff service/],
    ['no JSON', logAnswers('<html>'), /\/api\/v1\/log\?after=0&limit=500: the answer is not JSON/],
    ['a list of something else', logAnswers('[1]'), /the answer is not a page of the log \(body: /],
    ['entries of a wrong type', page({ entries: 7 }), /not a page of the log \(entries: .*expected array/],
    ['a head of a wrong type', page({ head: { sequence: '9' } }), /not a page of the log \(head\.sequence: /],
    ['an answer that breaks off', brokenOff, /\/log\?after=0&limit=500: the answer broke off/],
  ])('%s ends with code 3 and says so', async (_, answer, expected) => {
    const { code, complaints, out } = await runWith(answer, ...KEYED);
    expect(complaints).toMatch(expected);
    expect(code).toBe(3);
    expect(out).not.toContain('holds');
  });

  test('no server ends with code 3 after five attempts', async () => {
    const verifier = await openVerifier();
    const { code, complaints } = await verifier.run('http://127.0.0.1:9');
    expect(complaints).toMatch(/^http:\/\/127\.0\.0\.1:9\/log: no answer \(.*ECONNREFUSED/);
    expect(code).toBe(3);
    expect(verifier.clock.slept).toHaveLength(4);
  });

  test('a refused key is wrong usage, and is not printed', async () => {
    const { run } = await openLog();
    const refused = run('--key', 'sk_live_wrong');
    await expect(refused).rejects.toThrow(
      /answered 401: Missing or invalid API key\.\nCheck --key or TIPOFF_API_KEY\.$/,
    );
    await expect(refused).rejects.not.toThrow('sk_live_wrong');
  });
});

describe('a service that limits its callers', () => {
  test('gets the waiting it asks for, and the answer counts', async () => {
    let refused = 0;
    const { code, slept } = await runWith(
      (path, response) => {
        if (!path.startsWith('/api/v1/alerts?') || refused === 2) return false;
        refused += 1;
        response.writeHead(refused === 1 ? 429 : 503, { 'retry-after': '17' }).end('{}');
        return true;
      },
      ...KEYED,
    );
    expect(code).toBe(0);
    expect(slept).toEqual([17_000, 17_000]);
  });

  test('is not asked beyond its limit: the next request waits for the next window', async () => {
    const { slept, code } = await runWith(
      (path, response) => {
        if (path.startsWith('/api/v1/alerts?since_id=0'))
          response.setHeader('ratelimit-remaining', '0').setHeader('ratelimit-reset', '42');
        return false;
      },
      ...KEYED,
    );
    expect(code).toBe(0);
    expect(slept).toEqual([42_000]);
  });
});

describe('a log that is none', () => {
  const file = (...lines: string[]) => logAnswers(lines.join(''));
  const [first, second, third] = LINES as [string, string, string];
  const spaced = first.replace(':', ' :');
  const numbered = first.replace('"sequence":1', '"sequence":"1"');
  test.each<[string, Answer, RegExp]>([
    ['garbage', file(first, 'garbage\n'), /entry 2: it is not an entry of a log\n.*\n +found {4}garbage$/m],
    ['no hash', file(first, second.replace('"hash"', '"hush"')), /entry 2: it is not an entry of a log/],
    ['a sequence number as text', file(numbered), /entry 1: it is not an entry/],
    ['another spelling of an entry', file(spaced), /entry 1: it is not in its canonical form/],
    ['another content', file(first, second.replace('BUY', 'SELL')), /2: its hash is not that of its content/],
    ['a missing line', file(first, third), /2: the next entry has another .*\n +expected 2\n +found {4}3$/m],
    ['two lines in another order', file(second, first), /entry 1: the next entry has another/],
    ['a line twice', file(first, first), /entry 2: .*\n +expected 2\n +found {4}1$/m],
    ['too few lines', file(first), /2: the log ends before the head that .*\n +expected entries up to 10/],
  ])('%s is a break', async (_, answer, expected) => {
    const { code, out } = await runWith(answer);
    expect(out).toMatch(expected);
    expect(code).toBe(1);
  });

  test.each<[string, Answer, RegExp]>([
    [
      'an unended line',
      file(first, second.trimEnd()),
      /\/log\/[\d-]+\.jsonl\?through=10 ends within line 2$/,
    ],
    ['a line of over 1 MB', file(first, 'x'.repeat(1_100_000), '\n'), /line 2 is longer than 1048576 bytes$/],
  ])('%s is no whole answer', async (_, answer, expected) => {
    const { code, complaints } = await runWith(answer);
    expect(complaints).toMatch(expected);
    expect(code).toBe(3);
  });

  test('two services behind one address are a break', async () => {
    const events = [...EVENTS, ...Array.from({ length: 600 }, (_, index) => fixtureAlert(index + 7, '0xm9'))];
    const [one, other] = [
      logFixtureOf(events),
      logFixtureOf(events.with(0, { kind: 'rules', version: '2', sha256: 'b'.repeat(64) })),
    ];
    const { standIn, run } = await openLog(one);
    standIn.answer = (path) => {
      standIn.fixture = path.includes('after=500') ? other : one;
      return false;
    };
    const { code, out } = await run(...KEYED);
    expect(out).toMatch(/entry 501: it does not name the hash of the entry before it/);
    expect(code).toBe(1);
  });

  test('a head that is not in the log is a break', async () => {
    const { code, out } = await runWith(
      (path, response) => {
        if (!path.startsWith('/api/v1/log?after=10')) return false;
        response.end(JSON.stringify({ entries: [], head: { sequence: 9, hash: 'c'.repeat(64) } }));
        return true;
      },
      ...KEYED,
    );
    expect(out).toMatch(/entry 9: the service states a head that is not in the log it gave/);
    expect(code).toBe(1);
  });
});

function brokenOff(path: string, response: ServerResponse): boolean {
  if (!path.startsWith('/api/v1/log?')) return false;
  response.writeHead(200, { 'content-length': '1000' }).write('{"entries":');
  setImmediate(() => response.destroy());
  return true;
}
