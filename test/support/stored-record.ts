import { DEFAULT_RULES } from '../../src/core/detection/rules.ts';
import { canonicalJson } from '../../src/core/log/canonical-json.ts';
import { RecordMaker } from '../../src/core/record/record-maker.ts';
import { recordTime, type SourceProgress } from '../../src/core/record/record-time.ts';
import { openDatabase } from '../../src/infra/database.ts';
import { sha256 } from '../../src/infra/sha256.ts';

/** The record that a service would make of its database, at the end of the tape of the midterms. */
export async function storedRecord(url: string): Promise<string> {
  const database = await openDatabase(url);
  try {
    const snapshot = await database.ingest.readSnapshot('replay:data/tapes/midterms-2022.jsonl.gz');
    const now = Date.now();
    const { text } = await new RecordMaker(sha256).make(database, {
      asOf: recordTime(snapshot?.checkpoint as SourceProgress, now) as number,
      publishedUntil: now,
      freeDelayMs: 300_000,
      rules: { version: DEFAULT_RULES.version, sha256: sha256(canonicalJson(DEFAULT_RULES)) },
      plan: DEFAULT_RULES.record,
    });
    return text;
  } finally {
    await database.close();
  }
}
