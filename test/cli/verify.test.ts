import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { runVerify } from '../../src/cli/verify.ts';
import { EMPTY_LOG, type LogEntry } from '../../src/core/alerts/log/log-entry.ts';
import { entryLine, sealEntry } from '../../src/core/alerts/log/seal.ts';
import { UserError } from '../../src/core/base/user-error.ts';
import { sha256 } from '../../src/infra/secrets/key-crypto.ts';
import { sealed, settlementsAt } from '../support/log-entries.ts';
import { START } from '../support/rows.ts';
import { runTipoff } from '../support/run-tipoff.ts';

const KEY = 'sk_live_a-key-of-the-test';
/** More than one page. */
const COUNT = 1_203;

function logOf(count: number, start = START): LogEntry[] {
  return sealed(settlementsAt(...Array.from({ length: count }, (_, index) => start + index)));
}

/** A service that serves whatever log it is given. `answer` may answer instead; then it returns true. */
async function openService(entries: readonly LogEntry[]) {
  const service = {
    url: '',
    entries,
    head: null as number | null,
    answer: (_: ServerResponse) => false,
    keys: new Set<string | null>(),
  };
  const server = createServer(({ url = '', headers }, response) => {
    if (service.answer(response)) return;
    service.keys.add(headers.authorization ?? null);
    const query = new URL(url, 'http://127.0.0.1').searchParams;
    const after = Number(query.get('after'));
    const page = service.entries.slice(after, after + Number(query.get('limit')));
    const seq = service.head ?? service.entries.length;
    response.end(`{"events":[${page.map(entryLine)}],"head":{"seq":${seq}},"has_more":true}`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  service.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return service;
}

async function openFixture(entries: readonly LogEntry[]) {
  const service = await openService(entries);
  const folder = await mkdtemp(join(tmpdir(), 'tipoff-verify-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'head');
  const progress: string[] = [];
  const slept: number[] = [];
  const run = async ({
    url = service.url,
    key = KEY as string | null,
    head = file as string | null,
  } = {}) => {
    const lines: string[] = [];
    const print = (text = '') => void lines.push(text);
    const terminal = { line: print, prose: print, progress: (text: string) => void progress.push(text) };
    const clock = { now: () => START, sleep: async (ms: number) => void slept.push(ms) };
    const code = await runVerify({ url, key, file: head, terminal, clock });
    return { code, out: lines.join('\n') };
  };
  return { service, file, run, progress, slept, kept: () => readFile(file, 'utf8') };
}

/** Entries that were told otherwise, numbered and hashed again. */
function chained(entries: readonly LogEntry[]): LogEntry[] {
  const chain: LogEntry[] = [];
  for (const entry of entries) chain.push(sealEntry(entry, chain.at(-1) ?? EMPTY_LOG, sha256));
  return chain;
}

const third = (entries: readonly LogEntry[], change: Partial<LogEntry>) =>
  entries.with(2, { ...(entries[2] as LogEntry), ...change });

/** What an operator could do to the past of a log of nine entries. */
type Nine = readonly [LogEntry, LogEntry, LogEntry, LogEntry, ...LogEntry[]];
const TAMPERINGS: readonly (readonly [string, (entries: Nine) => readonly LogEntry[]])[] = [
  ['a changed body', (all) => third(all, { body: { market_id: '0xm2' } })],
  ['a renumbered alert', (all) => third(all, { body: { ...all[2]?.body, id: 7 } })],
  ['a changed key', (all) => third(all, { key: 'another' })],
  ['a changed time', (all) => third(all, { at: (all[3] as LogEntry).at })],
  ['a changed kind', (all) => third(all, { kind: 'correction' })],
  ['a changed epoch', (all) => third(all, { epoch: 0 }).map((entry) => ({ ...entry, epoch: 0 }))],
  [
    'two events in another order',
    ([first, second, third, fourth, ...rest]) => [
      first,
      second,
      { ...fourth, at: third.at },
      { ...third, at: fourth.at },
      ...rest,
    ],
  ],
  ['a removed event', (all) => [...all.toSpliced(2, 1), ...logOf(1, START + 99)]],
  ['a doubled event', (all) => all.toSpliced(2, 0, all[2] as LogEntry)],
  ['an inserted event', (all) => all.toSpliced(2, 0, logOf(1, START + 2)[0] as LogEntry)],
];

function headOf(entries: readonly LogEntry[], seq: number): string {
  return `${seq}:${entries[seq - 1]?.hash}`;
}

describe('tipoff verify', () => {
  test('reads the log page by page and keeps its newest head, which a later log extends', async () => {
    const entries = logOf(COUNT + 2);
    const { service, run, progress, kept } = await openFixture(entries.slice(0, COUNT));
    const first = await run();
    expect(first.code).toBe(0);
    expect(first.out).toContain(`${headOf(entries, COUNT)}\n${COUNT} entries are one chain`);
    expect(first.out).toContain('Without a kept head this proves nothing about the past');
    expect(progress.slice(0, 2)).toEqual([`… entry 500 of ${COUNT}`, `… entry 1000 of ${COUNT}`]);
    expect(await kept()).toBe(`${headOf(entries, COUNT)}\n`);
    service.entries = entries;
    const second = await run();
    expect(second.code).toBe(0);
    expect(second.out).toContain(`extends the head ${COUNT} that you kept: nothing up to there was changed`);
    expect(await kept()).toBe(`${headOf(entries, COUNT + 2)}\n`);
  });

  test('the head of a post, with 32 digits of the hash, is compared like a whole one', async () => {
    const entries = logOf(9);
    const { file, run, kept } = await openFixture(entries);
    await writeFile(file, `${headOf(entries, 4).slice(0, 34)}\n`);
    expect((await run()).code).toBe(0);
    expect(await kept()).toBe(`${headOf(entries, 9)}\n`);
    await writeFile(file, `4:${'a'.repeat(32)}\n`);
    expect((await run()).code).toBe(1);
  });

  describe.each([true, false])(
    'tampering before a kept head fails, and the file stays (hashed again: %s)',
    (isHashedAgain) => {
      test.each(TAMPERINGS)('%s', async (_, tamper) => {
        const entries = logOf(9);
        const { service, run, kept } = await openFixture(entries);
        await run();
        const before = await kept();
        const told = tamper(entries as unknown as Nine);
        service.entries = isHashedAgain ? chained(told) : told;
        const { code, out } = await run();
        expect(code).toBe(1);
        expect(out).toContain(isHashedAgain ? 'History was rewritten: entry 9 has the hash' : 'Entry ');
        expect(await kept()).toBe(before);
        // A log that was hashed again is one chain: only the kept head shows it.
        expect((await run({ head: null })).code).toBe(isHashedAgain ? 0 : 1);
      });
    },
  );

  test('a second chain, however long, and a tail that is cut and grown otherwise, fail', async () => {
    const entries = logOf(9);
    const { service, run, kept } = await openFixture(entries);
    await run();
    const before = await kept();
    const others = [logOf(20, START + 1), chained([...entries.slice(0, 6), ...logOf(20, START + 99)])];
    for (const other of others) {
      service.entries = other;
      expect(await run()).toMatchObject({ code: 1, out: expect.stringContaining('History was rewritten') });
    }
    expect(await kept()).toBe(before);
  });

  test('a hash in another form, a time or an epoch that goes back fail without a kept head', async () => {
    const entries = logOf(4);
    const { service, run } = await openFixture(entries);
    const third = entries[2] as LogEntry;
    for (const [changed, words] of [
      [entries.with(2, { ...third, hash: 'short' }), 'Entry 3 does not have the fields'],
      [chained(entries.with(2, { ...third, at: START - 1 })), 'Entry 3 does not continue the chain: its at'],
      [chained(entries.with(1, { ...third, epoch: 2 })), 'Entry 3 does not continue the chain: its epoch'],
    ] as const) {
      service.entries = changed;
      expect(await run({ head: null })).toMatchObject({ code: 1, out: expect.stringContaining(words) });
    }
  });

  test('a log that ends before the kept head, or before its own, fails', async () => {
    const { service, run, kept } = await openFixture(logOf(9));
    await run();
    const before = await kept();
    service.entries = logOf(7);
    expect(await run()).toMatchObject({ code: 1, out: expect.stringContaining('entries were removed') });
    expect(await kept()).toBe(before);
    service.head = 9;
    expect((await run()).out).toContain('The service states 9 entries, and has none after 7.');
  });

  test('waits as long as a busy service asks, and gives up after five attempts', async () => {
    const { service, run, slept } = await openFixture(logOf(3));
    let refusals = 1;
    service.answer = (response) => {
      if (refusals-- <= 0) return false;
      response.writeHead(429, { 'retry-after': '7' }).end('{}');
      return true;
    };
    expect((await run()).code).toBe(0);
    expect(slept).toEqual([7_000]);
    refusals = 99;
    expect(await run()).toMatchObject({ code: 3, out: expect.stringContaining('answered 429') });
    expect(slept).toHaveLength(5);
  });

  test.each<[string, (response: ServerResponse) => void, string]>([
    ['a page of another program', (response) => response.end('<html>'), 'the answer is not a page of a log'],
    ['a 404', (response) => response.writeHead(404).end('{}'), 'answered 404'],
    ['a redirect', (response) => response.writeHead(302, { location: '/x' }).end(), 'answered 302'],
    ['no answer', (response) => response.destroy(), 'no answer'],
  ])('%s proves nothing: exit code 3', async (_, answer, words) => {
    const { service, run } = await openFixture([]);
    service.answer = (response) => {
      answer(response);
      return true;
    };
    expect(await run()).toMatchObject({ code: 3, out: expect.stringContaining(words) });
  });

  test('a wrong address and a file that is no head say what is expected', async () => {
    const { file, run } = await openFixture(logOf(3));
    await expect(run({ url: 'example.com' })).rejects.toThrow(/https:\/\/tipoff\.example\.com/);
    await writeFile(file, 'my notes\n');
    await expect(run()).rejects.toThrow(UserError);
    expect(await readFile(file, 'utf8')).toBe('my notes\n');
  });

  test('as a command: a key is in the environment or not needed, the exit code is that of the check', async () => {
    const { service, file } = await openFixture(logOf(3));
    const environment = { ...process.env, TIPOFF_API_KEY: KEY };
    const passed = await runTipoff(['verify', service.url, '--head', file], environment);
    expect(passed).toMatchObject({ code: 0, err: '' });
    service.entries = logOf(3, START + 1);
    const failed = await runTipoff(['verify', `${service.url}/`, '--head', file], environment);
    expect(failed).toMatchObject({ code: 1, out: expect.stringContaining('History was rewritten') });
    expect([...service.keys]).toEqual([`Bearer ${KEY}`]);
    const keyless = await runTipoff(['verify', service.url], { ...environment, TIPOFF_API_KEY: '' });
    expect(keyless).toMatchObject({ code: 0, err: '' });
    expect([...service.keys]).toEqual([`Bearer ${KEY}`, null]);
  });
});
