import { loadRules } from '../config/detection-rules.ts';
import type { Config } from '../config.ts';
import { rulesIdentity } from '../core/alerts/ledger/log-drafts.ts';
import { FailureLog } from '../core/base/async/failure-log.ts';
import { RecentReads } from '../core/base/async/recent-reads.ts';
import { repeat } from '../core/base/async/repeat.ts';
import { SECOND_MS } from '../core/base/time/duration.ts';
import { compileRecord } from '../core/record/compile-record.ts';
import { makeRecord, type RecordRequest } from '../core/record/make-record.ts';
import type { RecordReport } from '../core/record/record-report.ts';
import { type SourceProgress, tapeTime } from '../core/trades/source/source.ts';
import type { ServerDeps } from '../http/server-deps.ts';
import { type RecordAnswers, recordAnswers } from '../http/views/record-report-view.ts';
import { sourceName } from '../infra/market/tapes/open-source.ts';
import { sha256 } from '../infra/secrets/key-crypto.ts';
import type { AppContext } from './app-context.ts';

/** A minute of a replay can be days of its tape. */
const REPLAY_EVERY_MS = 10 * SECOND_MS;
const KEPT = { keptMs: 5 * SECOND_MS, max: 1 };

type RecordTerms = Pick<RecordRequest, 'rules' | 'plan'>;

export async function recordTermsOf({ detection }: Pick<Config, 'detection'>): Promise<RecordTerms> {
  const rules = await loadRules(detection.rulesFile);
  return { rules: rulesIdentity(rules, sha256), plan: rules.record };
}

/** Makes the record of the alerts that are public now, and stores it. Null, and nothing stored, before the source's first row. */
export type PublishRecord = (signal: AbortSignal) => Promise<RecordReport | null>;

export function wireRecord(context: AppContext, terms: RecordTerms): PublishRecord {
  const { config, clock, database } = context;
  const progress = sourceProgressReader(context);
  return async (signal) => {
    const at = clock.now();
    const source = await progress();
    if (source === null || source.time === 0) return null;
    const { time, mapping } = source;
    // Pages are as of then, too.
    const publishedUntil = at - config.freeDelayMs;
    const asOf = Math.min(time, mapping === null ? publishedUntil : tapeTime(mapping, publishedUntil));
    const report = await makeRecord(database, { ...terms, asOf, mapping, publishedUntil }, signal);
    await database.records.put({ at, report });
    return report;
  };
}

/** Makes the record every 10 seconds while a tape is replayed. Otherwise the hourly job does. */
export async function makeRecords(
  publish: PublishRecord,
  { config, clock, logger }: Pick<AppContext, 'config' | 'clock' | 'logger'>,
  signal: AbortSignal,
): Promise<void> {
  if (config.source.kind !== 'replay') return;
  const failures = new FailureLog(logger, 'record not computed; retrying');
  await repeat(publish, { clock, signal, intervalMs: REPLAY_EVERY_MS, failures });
}

/** The record as it is answered, read when it is asked for, at most every 5 seconds. */
export function wireRecordView(
  { config, clock, database }: Pick<AppContext, 'config' | 'clock' | 'database'>,
  terms: RecordTerms,
): ServerDeps['record'] {
  const reads = new RecentReads<RecordAnswers>(clock, KEPT);
  const none = { alerts: 0, counted: [] };
  const read = async () => {
    const stored = await database.records.get();
    const asOf = clock.now() - config.freeDelayMs;
    return recordAnswers(stored?.report ?? compileRecord(none, { ...terms, asOf, mapping: null }));
  };
  return { read: () => reads.get('', read) };
}

export function sourceProgressReader({
  config,
  database: { ingest },
}: {
  readonly config: Pick<AppContext['config'], 'source' | 'replay'>;
  readonly database: Pick<AppContext['database'], 'ingest'>;
}): () => Promise<SourceProgress | null> {
  const { source, replay } = config;
  const name = source.kind === 'polymarket' ? source.kind : sourceName({ ...source, ...replay });
  return async () => ((await ingest.readSnapshot(name))?.checkpoint ?? null) as SourceProgress | null;
}
