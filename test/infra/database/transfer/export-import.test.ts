import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { KeyService } from '../../../../src/core/accounts/keys/key-service.ts';
import { lookupOf } from '../../../../src/core/accounts/keys/key-text.ts';
import { enterWithdrawal } from '../../../../src/core/alerts/withdrawal.ts';
import type { Database } from '../../../../src/core/database.ts';
import { exportLines } from '../../../../src/infra/database/transfer/export.ts';
import { openExportSource } from '../../../../src/infra/database/transfer/export-source.ts';
import { checkExport, importFile } from '../../../../src/infra/database/transfer/import.ts';
import { openImportTarget } from '../../../../src/infra/database/transfer/import-target.ts';
import { argon2Hasher } from '../../../../src/infra/secrets/argon2-hasher.ts';
import { secureRandom, sha256 } from '../../../../src/infra/secrets/key-crypto.ts';
import { createWebhookSecrets } from '../../../../src/infra/secrets/secret-key.ts';
import { alertOf, exitOf } from '../../../support/alerts.ts';
import { DATABASES, type TestDatabase } from '../../../support/databases.ts';
import { START } from '../../../support/rows.ts';
import { runTipoff } from '../../../support/run-tipoff.ts';
import { silentLogger } from '../../../support/silent-logger.ts';
import { settleMarket, storeAlerts, storeExits } from '../../../support/stored.ts';
import { webhookOf } from '../../../support/webhooks.ts';
import { logLines } from '../../../support/whole-log.ts';
import { keyOf } from '../api-key.ts';

const AT = new Date(START);

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tipoff-export-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function opened(index: number): Promise<TestDatabase> {
  const database = await DATABASES[index]?.open();
  if (database === undefined) throw new Error('no such database');
  onTestFinished(database.drop);
  return database;
}

async function fill(database: Database, alerts = 1_200): Promise<void> {
  await storeAlerts(database, ...Array.from({ length: alerts }, (_, index) => alertOf({ id: index + 1 })));
  await database.keys.insert(keyOf({ handover: { request: 'r', isShown: true }, lookup: 'é “x”' }));
  const filters = { $where: '1', 'a.b': 'x', '': 'é 😀', min_signal: 70, search: null };
  const preset = { id: 'preset_a', keyId: 'key_a', name: 'desk', filters, createdAt: START, feedHash: null };
  await database.presets.insert(preset, 100);
  await database.hiddenWallets.add({ wallet: '0xa', reason: null, at: START });
  await settleMarket(database);
}

const KEYS = 3_000;
const WEBHOOKS = 200;
const ALERTS = 10_000;

/** What a busy service has: of the keys some are issued, and the others have their hashes, each of which takes 20 ms. */
async function fillWhole(database: Database): Promise<readonly string[]> {
  await fill(database, ALERTS);
  await storeExits(database, ...[1, 2, 3].map((number) => exitOf({ number })));
  await settleMarket(database, { payouts: [0, 1], at: START + 1 });
  for (const alertId of [7, 8])
    await enterWithdrawal({ ...database, sha256 }, { alertId, at: START, reason: null });
  await database.markets.nameEvent('0xm1', 'the-event');
  const clock = { now: () => START };
  const service = new KeyService({ keys: database.keys, hasher: argon2Hasher, random: secureRandom, clock });
  const issued = await Promise.all(
    (['free', 'pro', 'enterprise'] as const).map((tier) => service.issue({ tier, name: tier })),
  );
  const found = issued.flatMap((result) => (result.ok ? [result] : []));
  for (let number = found.length + 1; number < KEYS; number += 1) {
    const { hash } = (found[number % found.length] as (typeof found)[number]).key;
    await database.keys.insert(
      keyOf({ id: `key_${number}`, lookup: String(number).padStart(10, '0'), hash }),
    );
  }
  for (let number = 0; number < WEBHOOKS; number += 1) {
    const webhook = webhookOf({
      id: `wh_${number}`,
      keyId: `key_${number}`,
      secretVersion: 1 + (number % 3),
    });
    await database.webhooks.insert(webhook, WEBHOOKS);
  }
  await secretsOf(database);
  return found.map(({ secret }) => secret);
}

/** Of all webhooks, derived from the key that the database keeps. */
async function secretsOf({ webhooks, secrets }: Database): Promise<readonly string[]> {
  const secretOf = createWebhookSecrets({
    secretKey: null,
    secrets,
    random: secureRandom,
    logger: silentLogger,
  });
  const all = await webhooks.active();
  return Promise.all(all.toSorted((one, other) => one.id.localeCompare(other.id)).map(secretOf));
}

async function all(lines: AsyncIterable<string>): Promise<string[]> {
  const taken: string[] = [];
  for await (const line of lines) taken.push(line);
  return taken;
}

async function exported(url: string): Promise<string> {
  const source = await openExportSource(url);
  try {
    return (await all(exportLines(source, AT, () => {}))).join('');
  } finally {
    await source.close();
  }
}

async function imported(name: string, text: string, url: string): Promise<void> {
  const file = join(folder, name);
  await writeFile(file, text);
  await checkExport(file);
  await using target = await openImportTarget(url);
  await importFile(file, target, () => {});
}

describe.skipIf(DATABASES.some(({ available }) => !available))('an export', () => {
  test('of 10,000 alerts, 3,000 keys and 200 webhooks from SQLite into MongoDB and back is the same, document by document', {
    timeout: 60_000,
  }, async () => {
    const [source, mongo, back] = [await opened(0), await opened(1), await opened(0)];
    const issued = await fillWhole(source.database);
    const text = await exported(source.url);
    const counts = JSON.parse(text.trimEnd().split('\n').at(-1) ?? '').counts;
    expect(counts).toMatchObject({ api_keys: KEYS, webhooks: WEBHOOKS, presets: 1, markets: 1, secrets: 1 });
    expect(counts.events).toBe(ALERTS + 3 + 2 + 2);

    await imported('to-mongo.jsonl', text, mongo.url);
    const second = await exported(mongo.url);
    await imported('to-sqlite.jsonl', second, back.url);

    expect(second.split('\n').toSorted()).toEqual(text.split('\n').toSorted());
    expect(await exported(back.url)).toBe(text);
    expect(await back.database.alerts.last()).toStrictEqual(await source.database.alerts.last());
    const secrets = await secretsOf(source.database);
    for (const { database } of [mongo, back]) {
      expect(await database.presets.listByKey('key_a')).toStrictEqual(
        await source.database.presets.listByKey('key_a'),
      );
      expect(await logLines(database)).toEqual(await logLines(source.database));
      expect(await secretsOf(database)).toEqual(secrets);
      for (const secret of issued) {
        const key = await database.keys.byLookup(lookupOf(secret) ?? '');
        expect(await argon2Hasher.verify(key?.hash ?? '', secret)).toBe(true);
        expect(await argon2Hasher.verify(key?.hash ?? '', `${secret}x`)).toBe(false);
      }
    }
  });
});

describe('an export of SQLite', () => {
  test('has one moment, although others write meanwhile', async () => {
    const { database, url } = await opened(0);
    await fill(database);
    const source = await openExportSource(url);
    const lines = exportLines(source, AT, () => {});
    const first = await lines.next();

    await database.hiddenWallets.add({ wallet: '0xlater', reason: null, at: START });
    await storeAlerts(database, alertOf({ id: 1_201 }));
    const rest = await all(lines);
    await source.close();

    const text = `${first.value}${rest.join('')}`;
    expect(text).not.toContain('0xlater');
    expect(text).toContain('"events":1201');
  });

  test('is refused in one line when it is damaged, foreign, or of another build, and nothing is written', async () => {
    const { database, url } = await opened(0);
    await fill(database);
    const text = await exported(url);
    const lines = text.trimEnd().split('\n');
    const refused: Readonly<Record<string, readonly [text: string, reason: string]>> = {
      cut: [text.slice(0, text.length / 2), 'is damaged'],
      'without-end': [`${lines.slice(0, -1).join('\n')}\n`, 'is damaged: its end is missing'],
      'without-a-line': [lines.toSpliced(5, 1).join('\n'), 'is damaged: its hash is another'],
      changed: [text.replace('signal_score\\":72', 'signal_score\\":73'), 'is damaged: its hash is another'],
      'with-more': [`${text}${lines[3]}\n`, `is damaged: line ${lines.length + 1} follows its end`],
      empty: ['', 'is not an export of this program'],
      foreign: ['{"format":"songs"}\n', 'is not an export of this program'],
      binary: ['\u0000\u0001SQLite', 'is not an export of this program'],
      older: [text.replace(/"presets":\d+/, '"presets":1'), 'was written by another build (presets)'],
    };
    for (const [name, [content, reason]] of Object.entries(refused)) {
      const file = join(folder, name);
      await writeFile(file, content);
      await expect(checkExport(file), name).rejects.toThrow(`${file} ${reason}`);
    }
    await expect(imported('twice', text, url)).rejects.toThrow('the database is not empty');
    await expect(checkExport(join(folder, 'none'))).rejects.toThrow('cannot be read (ENOENT)');
  });
});

describe('the commands', () => {
  const tipoff = (url: string, ...args: string[]) =>
    runTipoff(args, { ...process.env, DATABASE_URL: url, NO_COLOR: undefined, FORCE_COLOR: undefined });

  test('export and import a database, refuse to replace, and name a damaged one', async () => {
    const { database, url } = await opened(0);
    await fill(database, 600);
    const file = join(folder, 'export.jsonl');
    const target = `sqlite:${join(folder, 'imported.db')}`;

    expect(await tipoff(url, 'export', file)).toMatchObject({
      code: 0,
      err: expect.stringMatching(/^Exported 6\d\d documents to /),
    });
    const text = await readFile(file, 'utf8');
    expect(await tipoff(url, 'export', file)).toMatchObject({
      code: 2,
      err: expect.stringContaining('exists'),
    });
    expect((await tipoff(url, 'export', '-')).out.split('\n').length).toBe(text.split('\n').length);
    expect(await tipoff(target, 'import', file)).toMatchObject({ code: 0 });
    expect(await tipoff(target, 'import', file)).toMatchObject({
      code: 2,
      err: 'DATABASE_URL: the database is not empty. Name a new, empty database.\n',
    });

    const damaged = join(folder, 'damaged.db');
    new DatabaseSync(damaged).exec('CREATE TABLE songs (title); PRAGMA user_version = 11');
    const { code, err } = await tipoff(`sqlite:${damaged}`, 'export', '-');
    expect(code).toBe(2);
    expect(err).toMatch(/^DATABASE_URL: [^\n]+ is not a database of this program\.[^\n]*\n$/);
  });
});
