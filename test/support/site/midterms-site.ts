import { createReadStream } from 'node:fs';
import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { createGunzip } from 'node:zlib';
import type { Database } from '../../../src/core/database/database.ts';
import { DEFAULT_RULES } from '../../../src/core/detection/rules.ts';
import { MINUTE_MS } from '../../../src/core/duration.ts';
import { RECORD } from '../../../src/core/record/record-view.ts';
import type { EpochMs } from '../../../src/core/trade.ts';
import { openDatabase } from '../../../src/infra/database.ts';
import { recordAt } from '../../../src/wiring/tape-record.ts';
import { runTape } from '../../../src/wiring/tape-run.ts';
import { FREE_DELAY_MS } from '../stream-hub.ts';
import { startSite } from './start-site.ts';

const TAPE = new URL('../../../data/tapes/midterms-2022.jsonl.gz', import.meta.url);
/** Up to two days after the election: 25 of the 39 markets are settled. */
const LINES = 23_300;

/** A database of the midterms, and the service over it an hour after their last row. */
export type Midterms = Awaited<ReturnType<typeof openMidterms>>;

/** In a file of its own, which its disposal removes. */
export async function openMidterms() {
  const folder = await mkdtempDisposable(join(tmpdir(), 'tipoff-site-'));
  const url = `sqlite:${join(folder.path, 'tipoff.db')}`;
  const database = await openDatabase(url);
  const until = await playMidterms(database);
  await database.close();
  const later = until + 60 * MINUTE_MS;
  return {
    url,
    start: ({ now = later, port = 0 } = {}) => startSite({ url, now, port }),
    [Symbol.asyncDispose]: folder.remove,
  };
}

/** Plays the beginning of the midterms into an empty database, with its record. Returns the time of the last row. */
export async function playMidterms(database: Database): Promise<EpochMs> {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'tipoff-midterms-'));
  const file = join(folder.path, 'midterms.jsonl');
  const lines = (await text(createReadStream(TAPE).pipe(createGunzip()))).split('\n');
  await writeFile(file, `${lines.slice(0, LINES).join('\n')}\n`);
  const options = { database, file, rules: DEFAULT_RULES, onProgress() {} };
  const { until } = await runTape(options, new AbortController().signal);
  const terms = { rules: DEFAULT_RULES, freeDelayMs: FREE_DELAY_MS };
  await database.records.put({ name: RECORD, at: until, text: await recordAt(until, database, terms) });
  return until;
}
