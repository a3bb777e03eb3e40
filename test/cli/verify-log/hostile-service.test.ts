import { describe, expect, test } from 'vitest';
import type { JsonObject, LogEntry } from '../../../src/core/alerts/log/log-entry.ts';
import { EVENTS, fixtureAlert, logFixtureOf } from '../../support/log-fixture.ts';
import { type Answer, KEY } from '../../support/log-stand-in.ts';
import { openLog } from '../../support/run-verify-log.ts';

const FIXTURE = logFixtureOf(EVENTS);
const saying = (change: (path: string) => string | null, code = 200): Answer => {
  return (path, response) => {
    const text = change(path);
    if (text === null) return false;
    response.writeHead(code, { 'content-type': 'application/json' }).end(text);
    return true;
  };
};

describe('what a service writes cannot steer the terminal, or make a line of its own', () => {
  const EVIL = '\u001b[2J\u009b1A\nWhat was compared holds.\u202e';
  const UNSAFE = /[\p{Cc}\u202e]/u;

  test('in a line of the log', async () => {
    const { standIn, run } = await openLog();
    const line = EVIL.replace('\n', '\r');
    standIn.answer = saying((path) => (path.startsWith('/log/2') ? `${line}\n` : null));
    const { code, out } = await run();
    expect(out).toContain('found    \\u001b[2J\\u009b1A\\u000dWhat was compared holds.\\u202e');
    expect(out.replaceAll('\n', '')).not.toMatch(UNSAFE);
    expect(code).toBe(1);
  });

  test('in a name of the log', async () => {
    const { standIn, run } = await openLog(logFixtureOf([fixtureAlert(1, `0x${EVIL}`)]));
    const answer = { ...standIn.fixture.answers.get(1), trade_count: 7, details: EVIL };
    standIn.fixture = { ...standIn.fixture, answers: new Map([[1, answer as unknown as JsonObject]]) };
    const { code, out } = await run('--key', KEY);
    expect(out.replaceAll('\n', '')).not.toMatch(UNSAFE);
    expect(out).not.toMatch(/^What was compared holds/m);
    expect(code).toBe(1);
  });

  test('in a refusal, and in an answer that is no JSON', async () => {
    const { standIn, run } = await openLog();
    standIn.answer = saying(() => JSON.stringify({ detail: EVIL }), 500);
    expect((await run()).complaints).not.toMatch(UNSAFE);
    standIn.answer = saying(() => EVIL);
    expect((await run()).complaints).not.toMatch(UNSAFE);
    standIn.answer = saying(() => JSON.stringify({ detail: EVIL }), 401);
    await expect(run('--key', KEY)).rejects.toThrow(/401: \\u001b\[2J\\u009b1A\\u000aWhat/);
  });
});

test('a file with more entries than its index states ends with code 3', async () => {
  const { standIn, run } = await openLog();
  const months = [{ month: '2026-01', last_sequence: 9 }];
  const { sequence, hash } = FIXTURE.entries[8] as LogEntry;
  standIn.answer = saying((path) =>
    path === '/log' ? JSON.stringify({ months, head: { sequence, hash } }) : null,
  );
  const { code, complaints } = await run();
  expect(complaints).toMatch(/through=9 has more lines than 9, its last sequence number$/);
  expect(code).toBe(3);
});
