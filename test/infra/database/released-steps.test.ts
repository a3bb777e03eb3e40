import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const INFRA = join(import.meta.dirname, '../../../src/infra/database');

/**
 * The first 12 digits of the SHA-256 of every released step, without its comments and white space. Databases exist that these
 * steps have migrated: a changed step would give a new database another schema than theirs.
 */
const RELEASED = {
  sqlite: {
    STEP_1: '8f655a0ca004',
    STEP_2: '9f6c32c1b291',
    STEP_3: 'df4d2430022b',
    STEP_4: '50f8e4b14bf0',
    STEP_5: '34509943799e',
    STEP_6: 'e0eff18e1ed8',
    STEP_7: '6afa8d9a64c0',
    STEP_8: 'b81084443818',
    STEP_9: 'de05e74acea5',
    STEP_10: '7d1202b4ffc3',
  },
  mongodb: {
    'step 1': '19e5c382d808',
    'step 2': 'e932805f8a16',
    'step 3': 'a9b9953e3ef4',
    'step 4': '8214f45ae85b',
    'step 5': 'c3621a280b15',
    'step 6': 'ea94d2e23bbb',
    'step 7': '8214f45ae85b',
    'step 8': '8214f45ae85b',
    'step 9': 'a53e856e62be',
    RETIRED_INDEXES: '45fe883de283',
    UNREAD_INDEXES: '89563c7ab525',
    nameChunkSets: 'c60b81dd7fe6',
    addThreads: '9471a0d45d0d',
    moveNotices: 'dd247857012e',
  },
} as const satisfies Record<string, Record<string, string>>;

const REMEDY =
  'A released migration step never changes: databases exist that it has migrated already. Restore it, and write the change ' +
  'as a new step at the end. The hash of a new step is added here when it is released.';

function hashOf(text: string): string {
  const bare = text.replaceAll(/\/\*[\s\S]*?\*\/|(?:\/\/|--).*$|\s+/gm, '');
  return createHash('sha256').update(bare).digest('hex').slice(0, 12);
}

/** The steps as they are exported: `STEP_1` … */
async function sqliteSteps(): Promise<Record<string, string>> {
  const folder = join(INFRA, 'sqlite/schema');
  const modules = await Promise.all(
    readdirSync(folder).map(async (file) => (await import(join(folder, file))) as Record<string, unknown>),
  );
  const steps = modules.flatMap((exported) =>
    Object.entries(exported).filter(([name]) => /^STEP_\d+$/.test(name)),
  );
  return Object.fromEntries(steps.map(([name, sql]) => [name, hashOf(String(sql))]));
}

/** The elements of the list of steps, and the functions and lists of the file that only steps use. */
function mongoSteps(): Record<string, string> {
  const source = readFileSync(join(INFRA, 'mongo/migrate.ts'), 'utf8');
  const list = /^const MIGRATIONS: readonly Step\[\] = \[\n([\s\S]*?)^\];/m.exec(source)?.[1] ?? '';
  const elements = list.split(/(?<=^ {2}(?:\}|async \(\) => \{\}),\n)/m);
  const steps = elements.map((text, index) => [`step ${index + 1}`, hashOf(text)]);
  const others = [...source.matchAll(/^(?:async function|const) (\w+)\b[\s\S]*?^[}\]]/gm)];
  return Object.fromEntries([...steps, ...others.map(([text, name]) => [name, hashOf(text)])]);
}

test.each([
  ['SQLite', RELEASED.sqlite, sqliteSteps],
  ['MongoDB', RELEASED.mongodb, async () => mongoSteps()],
] as const)('no released migration step of %s has changed', async (_, released, read) => {
  expect(await read(), REMEDY).toMatchObject(released);
});
