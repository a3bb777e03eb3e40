import { createGzip } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { JsonObject, LogEntry } from '../../../src/core/alerts/log/log-entry.ts';
import { entryLine } from '../../../src/core/alerts/log/seal.ts';
import { EVENTS, fixtureAlert, type LogFixture, logFixtureOf } from '../../support/log-fixture.ts';
import { type Answer, KEY, startLogStandIn } from '../../support/log-stand-in.ts';
import { openVerifier } from '../../support/run-verify-log.ts';

const FIXTURE = logFixtureOf(EVENTS);
const answering = (change: (path: string) => string | null, code = 200): Answer => {
  return (path, response) => {
    const text = change(path);
    if (text === null) return false;
    response.writeHead(code, { 'content-type': 'application/json' }).end(text);
    return true;
  };
};

async function open(fixture: LogFixture = FIXTURE) {
  return { standIn: await startLogStandIn(fixture), verifier: await openVerifier() };
}

describe('what a service writes cannot steer the terminal, or make a line of its own', () => {
  const EVIL = '\u001b[2J\u009b1A\nWhat was compared holds.\u202e';
  const UNSAFE = /[\p{Cc}\u202e]/u;

  test('in a line of the log', async () => {
    const { standIn, verifier } = await open();
    const line = EVIL.replace('\n', '\r');
    standIn.answer = answering((path) => (path.startsWith('/log/2') ? `${line}\n` : null));
    const { code, out } = await verifier.run(standIn.url);
    expect(out).toContain('found    \\u001b[2J\\u009b1A\\u000dWhat was compared holds.\\u202e');
    expect(out.replaceAll('\n', '')).not.toMatch(UNSAFE);
    expect(code).toBe(1);
  });

  test('in a name of the log', async () => {
    const { standIn, verifier } = await open(logFixtureOf([fixtureAlert(1, `0x${EVIL}`)]));
    const answer = { ...standIn.fixture.answers.get(1), trade_count: 7, details: EVIL };
    standIn.fixture = { ...standIn.fixture, answers: new Map([[1, answer as unknown as JsonObject]]) };
    const { code, out } = await verifier.run(standIn.url, '--key', KEY);
    expect(out.replaceAll('\n', '')).not.toMatch(UNSAFE);
    expect(out).not.toMatch(/^What was compared holds/m);
    expect(code).toBe(1);
  });

  test('in a refusal, and in an answer that is no JSON', async () => {
    const { standIn, verifier } = await open();
    standIn.answer = answering(() => JSON.stringify({ detail: EVIL }), 500);
    expect((await verifier.run(standIn.url)).complaints).not.toMatch(UNSAFE);
    standIn.answer = answering(() => EVIL);
    expect((await verifier.run(standIn.url)).complaints).not.toMatch(UNSAFE);
    standIn.answer = answering(() => JSON.stringify({ detail: EVIL }), 401);
    await expect(verifier.run(standIn.url, '--key', KEY)).rejects.toThrow(
      /401: \\u001b\[2J\\u009b1A\\u000aWhat/,
    );
  });
});

test('an endless file of entries that are known already ends with code 3', async () => {
  const { standIn, verifier } = await open();
  expect(await verifier.run(standIn.url)).toMatchObject({ code: 0 });
  standIn.fixture = logFixtureOf([...EVENTS, fixtureAlert(7, '0xm4')]);
  const line = `${entryLine(FIXTURE.entries[0] as LogEntry)}\n`;
  standIn.answer = (path, response) => {
    if (!path.startsWith('/log/2')) return false;
    response.writeHead(200, { 'content-encoding': 'gzip' });
    const zip = createGzip();
    zip.pipe(response);
    const more = (): void => {
      if (response.writableEnded || response.destroyed) return;
      zip.write(line.repeat(10_000), () => setImmediate(more));
    };
    more();
    return true;
  };
  const { code, complaints } = await verifier.run(standIn.url);
  expect(complaints).toMatch(/through=11 has more lines than 11, its last sequence number$/);
  expect(code).toBe(3);
});
