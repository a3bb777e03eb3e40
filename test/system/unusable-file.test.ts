import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { copyRows } from '../../src/infra/database/transfer/copy-rows.ts';
import { openRowTarget } from '../../src/infra/database/transfer/open-rows.ts';
import { seededRandom } from '../support/random.ts';
import { runTipoff } from '../support/run-tipoff.ts';
import { generatedSource } from '../support/transfer/generated-rows.ts';
import { SILENT_LOG, watchOf } from '../support/transfer/silent-watch.ts';

const PAGE = 4_096;

let folder: string;
let backup: string;
let bytes: Buffer;
beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'tipoff-unusable-')));
  backup = join(folder, 'backup.db');
  const target = await openRowTarget({ url: `sqlite:${backup}` }, SILENT_LOG);
  await copyRows({ source: generatedSource(60), target, isStill: true, watch: watchOf() });
  await target.close();
  bytes = await readFile(backup);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

function tipoff(url: string, ...args: string[]): Promise<{ code: unknown; out: string; err: string }> {
  return runTipoff(args, { ...process.env, DATABASE_URL: url, NO_COLOR: undefined, FORCE_COLOR: undefined });
}

function withRandomPage(): Buffer {
  const random = seededRandom(1);
  const at = PAGE * Math.floor(bytes.length / PAGE / 2);
  return Buffer.from(bytes.map((byte, index) => (index >= at && index < at + PAGE ? random() * 256 : byte)));
}

function withTable(path: string, sql: string): void {
  const db = new DatabaseSync(path);
  db.exec(sql);
  db.close();
}

type Make = (file: string) => unknown;
const FILES: Readonly<Record<string, readonly [Make, remedy: string]>> = {
  'that was cut off': [(file) => writeFile(file, bytes.subarray(0, bytes.length / 2)), 'is damaged ('],
  'with a page of random bytes': [(file) => writeFile(file, withRandomPage()), 'is damaged ('],
  'with a row that cannot be read': [
    async (file) => {
      await writeFile(file, bytes);
      withTable(file, `UPDATE alerts SET details = '{"cut' WHERE id = (SELECT max(id) FROM alerts)`);
    },
    'is damaged (a row of alerts cannot be read).',
  ],
  'that is compressed': [(file) => writeFile(file, gzipSync(bytes)), 'a compressed one must be unpacked'],
  'that is empty': [(file) => writeFile(file, ''), 'is not a database of this program. Name another file'],
  'of another program': [
    (file) => withTable(file, 'CREATE TABLE songs (title); PRAGMA user_version = 11'),
    'is not a database of this program. Name another file',
  ],
};

describe('a file that cannot be used is refused in one line with path and remedy, and exit code 2:', () => {
  test.each(Object.entries(FILES))('a backup %s', async (name, [make, remedy]) => {
    const file = join(folder, `${name}.db`);
    await make(file);
    const target = join(folder, `${name} restored.db`);

    const { code, out, err } = await tipoff(`sqlite:${target}`, 'restore', file);

    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(/^FILE: [^\n]+\n$/);
    expect(err).toContain(file);
    expect(err).toContain(remedy);
  });
});
