import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { runVerify } from '../../src/cli/verify.ts';
import type { LogEntry } from '../../src/core/alerts/log/log-entry.ts';
import { entryLine } from '../../src/core/alerts/log/seal.ts';
import { UserError } from '../../src/core/base/user-error.ts';
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
  };
  const server = createServer(({ url = '', headers }, response) => {
    if (service.answer(response)) return;
    if (headers.authorization !== `Bearer ${KEY}`) return void response.writeHead(401).end('{}');
    const query = new URL(url, 'http://127.0.0.1').searchParams;
    const after = Number(query.get('after'));
    const page = service.entries.slice(after, after + Number(query.get('limit')));
    const seq = service.head ?? service.entries.length;
    response.end(`{"entries":[${page.map(entryLine)}],"head":{"seq":${seq}},"has_more":true}`);
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
  const run = async ({ url = service.url, key = KEY, head = file as string | null } = {}) => {
    const lines: string[] = [];
    const print = (text = '') => void lines.push(text);
    const terminal = { line: print, prose: print, progress: (text: string) => void progress.push(text) };
    const clock = { now: () => START, sleep: async (ms: number) => void slept.push(ms) };
    const code = await runVerify({ url, key, file: head, terminal, clock });
    return { code, out: lines.join('\n') };
  };
  return { service, file, run, progress, slept, kept: () => readFile(file, 'utf8') };
}

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

  test('a head that is not on the chain says that history was rewritten, and stays', async () => {
    const { service, run, kept } = await openFixture(logOf(5));
    await run();
    const before = await kept();
    service.entries = logOf(9, START + 1);
    const { code, out } = await run();
    expect(code).toBe(1);
    expect(out).toContain('History was rewritten: entry 5 has the hash');
    expect(await kept()).toBe(before);
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

  test.each<[string, (entries: LogEntry[]) => readonly LogEntry[], string]>([
    [
      'a changed entry',
      (all) => all.with(2, { ...(all[2] as LogEntry), body: { market_id: '0xm2' } }),
      'Entry 3 does not continue the chain: its hash',
    ],
    [
      'no entry',
      (all) => all.with(2, { ...(all[2] as LogEntry), hash: 'short' }),
      'Entry 3 does not have the fields',
    ],
  ])('%s fails, without a kept head too', async (_, change, words) => {
    const { run } = await openFixture(change(logOf(9)));
    const { code, out } = await run({ head: null });
    expect(code).toBe(1);
    expect(out).toContain(words);
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

  test('a refused key, a wrong address and a file that is no head say what is expected', async () => {
    const { file, run } = await openFixture(logOf(3));
    await expect(run({ key: 'sk_live_another' })).rejects.toThrow(/refuses the key/);
    await expect(run({ url: 'example.com' })).rejects.toThrow(/https:\/\/tipoff\.example\.com/);
    await writeFile(file, 'my notes\n');
    await expect(run()).rejects.toThrow(UserError);
    expect(await readFile(file, 'utf8')).toBe('my notes\n');
  });

  test('as a command: the key is in the environment, the exit code is that of the check', async () => {
    const { service, file } = await openFixture(logOf(3));
    const environment = { ...process.env, TIPOFF_API_KEY: KEY };
    const passed = await runTipoff(['verify', service.url, '--head', file], environment);
    expect(passed).toMatchObject({ code: 0, err: '' });
    service.entries = logOf(3, START + 1);
    const failed = await runTipoff(['verify', `${service.url}/`, '--head', file], environment);
    expect(failed).toMatchObject({ code: 1, out: expect.stringContaining('History was rewritten') });
    const keyless = await runTipoff(['verify', service.url], { ...environment, TIPOFF_API_KEY: '' });
    expect(keyless).toMatchObject({ code: 2, err: expect.stringContaining('TIPOFF_API_KEY') });
  });
});
