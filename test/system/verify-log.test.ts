import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { EMPTY_LOG, type JsonObject, type LogEntry } from '../../src/core/alerts/log/log-entry.ts';
import { sealEntry } from '../../src/core/alerts/log/seal.ts';
import { openDatabase } from '../../src/infra/database/database.ts';
import { sha256 } from '../../src/infra/secrets/sha256.ts';
import { runTipoff } from '../support/run-tipoff.ts';
import { type ServiceProcess, startService } from '../support/service-process.ts';

const TAPE = 'data/tapes/midterms-2022.jsonl.gz';

let folder: string;
let honest: string;
let key: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tipoff-verify-'));
  honest = join(folder, 'honest.db');
  const service = startService({
    DATABASE_URL: `sqlite:${honest}`,
    MARKET_SOURCE: `replay:${TAPE}`,
    ROLES: 'ingest',
  });
  await service.logged('the source has ended');
  await service.end('SIGTERM');
  const issued = await run(['keys', 'issue', '--tier', 'enterprise', '--name', 'verifier', '--json'], {
    DATABASE_URL: `sqlite:${honest}`,
  });
  key = JSON.parse(issued.out).key;
}, 60_000);
afterAll(() => rm(folder, { recursive: true }));

let service: ServiceProcess;
let url: string;
let state: string;
beforeAll(async () => {
  service = serve(honest);
  url = await addressOf(service);
});
beforeEach(async () => {
  state = join(await mkdtemp(join(folder, 'state-')), 'state.json');
});
afterAll(async () => {
  await service.end('SIGKILL');
});

const serve = (file: string, port = '0') =>
  startService({ DATABASE_URL: `sqlite:${file}`, ROLES: 'api', PORT: port });
const addressOf = async (one: ServiceProcess) => String((await one.logged('listening'))['address']);

const run = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  runTipoff(args, { ...process.env, ...env });

const verify = (...args: readonly string[]) =>
  run(['verify-log', url, '--state', state, ...args], { TIPOFF_API_KEY: key });

async function get(path: string): Promise<string> {
  const answer = await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${key}` } });
  expect(answer.status).toBe(200);
  return answer.text();
}

/**
 * What an operator with the database's file can do: an alert of the past gets another score, and every later hash is
 * computed again, in the log and on the alerts.
 */
async function tampered(): Promise<string> {
  const file = join(folder, 'tampered.db');
  await copyFile(honest, file);
  const db = new DatabaseSync(file);
  db.exec('DROP TRIGGER log_is_never_shortened');
  db.exec(`UPDATE alerts SET score = 99 WHERE id = 3`);
  const database = await openDatabase(`sqlite:${file}`);
  try {
    const entries = await database.log.after(0, { limit: 10_000 });
    db.exec('DELETE FROM log');
    let head: LogEntry | typeof EMPTY_LOG = EMPTY_LOG;
    for (const { kind, subject, at, body } of entries) {
      const changed: JsonObject = subject === 'alert:3' ? { ...body, signal_score: 99 } : body;
      const entry: LogEntry = sealEntry({ kind, subject, at, body: changed }, head, sha256);
      await database.log.append([entry]);
      const { sequence, hash } = entry;
      if (kind === 'alert') await database.alerts.setLog(Number(body['id']), { sequence, hash });
      head = entry;
    }
  } finally {
    await database.close();
    db.close();
  }
  return file;
}

/** Another database is behind the same address. */
async function restartWith(file: string): Promise<void> {
  const { port } = new URL(url);
  await service.end('SIGTERM');
  service = serve(file, port);
  await addressOf(service);
}

describe('verify-log of a running service', () => {
  test('passes every check, and keeps the head for the next run', async () => {
    const first = await verify('--tape', TAPE);
    expect(first, first.out).toMatchObject({ code: 0, err: '' });
    expect(first.out).toMatch(/^pass {2}alerts +222 alerts compared with the API$/m);
    expect(first.out).toMatch(/^pass {2}outcomes .*; the results of 222 alerts agree with the log$/m);
    expect(first.out).toMatch(/^pass {2}tape +222 alerts of 2022-/m);
    expect(first.out).not.toMatch(/^warn {2}tape/m);
    expect(first.out).toMatch(/^warn {2}evidence +no earlier view/m);
    const second = await verify();
    expect(second).toMatchObject({ code: 0, err: '' });
    expect(second.out).toMatch(
      /^pass {2}evidence +entries up to \d+ unchanged, against the head that this machine saved on 20\d\d-\d\d-\d\d$/m,
    );
    expect(second.out).not.toContain('\u001b');
  });

  test('finds a tampered past from a saved head, a received alert and a published head, and not without', async () => {
    const alert = join(folder, 'alert.json');
    await writeFile(alert, await get('/api/v1/alerts/5'));
    const { sequence, hash } = JSON.parse(await get('/api/v1/log/head'));
    expect(await verify()).toMatchObject({ code: 0 });
    onTestFinished(() => restartWith(honest));
    await restartWith(await tampered());

    const fresh = ['--state', join(folder, 'none.json')];
    const [saved, received, published, none] = [
      await verify(),
      await verify(...fresh, '--alert', alert),
      await verify(...fresh, '--head', `${sequence}:${hash.slice(0, 16)}`),
      await verify(...fresh),
    ];
    expect(saved.out).toMatch(
      /^FAIL {2}log +entry \d+: it is not the entry that the head that this machine saved on .* has/m,
    );
    expect(received.out).toMatch(
      /^FAIL {2}log +entry \d+: it is not the entry that the received alert 5 in .* has/m,
    );
    expect(published.out).toMatch(
      /^FAIL {2}log +entry \d+: it is not the entry that the head \d+:[0-9a-f]{16} \(64 of 256 bits\) has/m,
    );
    expect([saved.code, received.code, published.code, none.code]).toEqual([1, 1, 1, 0]);
    expect(none.out).toMatch(/^warn {2}evidence +no earlier view/m);
  });
});
