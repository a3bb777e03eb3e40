import { createReadStream } from 'node:fs';
import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { createGunzip } from 'node:zlib';
import type { EpochMs } from '../../../src/core/base/time/duration.ts';
import type { Database } from '../../../src/core/database.ts';
import { DEFAULT_RULES } from '../../../src/core/detection/rules.ts';
import { recordAt, runTape } from '../../../src/wiring/tape-record.ts';

const TAPE = new URL('../../../data/tapes/midterms-2022.jsonl.gz', import.meta.url);
/** Up to two days after the election: 25 of the 39 markets are settled. */
const LINES = 23_300;

/** An hour after the last row that is played. */
export const AFTER_MIDTERMS: EpochMs = Date.UTC(2022, 10, 10, 20);

export async function playMidterms(database: Database): Promise<void> {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'tipoff-midterms-'));
  const file = join(folder.path, 'midterms.jsonl');
  const lines = (await text(createReadStream(TAPE).pipe(createGunzip()))).split('\n');
  await writeFile(file, `${lines.slice(0, LINES).join('\n')}\n`);
  const options = { database, file, rules: DEFAULT_RULES, onProgress() {} };
  const { until } = await runTape(options);
  const report = await recordAt(until, database, DEFAULT_RULES);
  await database.records.put({ at: until, report });
}
