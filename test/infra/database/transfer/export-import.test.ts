import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { Database } from '../../../../src/core/database.ts';
import { exportLines } from '../../../../src/infra/database/transfer/export.ts';
import { openExportSource } from '../../../../src/infra/database/transfer/export-source.ts';
import { checkExport, importFile } from '../../../../src/infra/database/transfer/import.ts';
import { openImportTarget } from '../../../../src/infra/database/transfer/import-target.ts';
import { alertOf } from '../../../support/alerts.ts';
import { DATABASES, type TestDatabase } from '../../../support/databases.ts';
import { START } from '../../../support/rows.ts';
import { runTipoff } from '../../../support/run-tipoff.ts';
import { settleMarket, storeAlerts } from '../../../support/stored.ts';
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
  await database.hiddenWallets.add({ wallet: '0xa', reason: 'a line end of Unicode: \u2028', at: START });
  await settleMarket(database);
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

  test('export and import a database, refuse to replace, and name what is damaged or cannot be written', async () => {
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
    const elsewhere = join(folder, 'none', 'export.jsonl');
    expect(await tipoff(url, 'export', elsewhere)).toMatchObject({
      code: 2,
      err: `${elsewhere} cannot be written (ENOENT). Name another file.\n`,
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
