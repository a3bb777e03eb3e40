import type { JobRunner } from '../../jobs/job-runner.ts';
import { loadRules } from '../config/detection-rules.ts';
import type { Config } from '../config.ts';
import { rulesIdentity } from '../core/alerts/ledger/log-drafts.ts';
import { FailureLog } from '../core/base/async/failure-log.ts';
import { repeat } from '../core/base/async/repeat.ts';
import { MINUTE_MS, SECOND_MS } from '../core/base/time/duration.ts';
import { compileRecord } from '../core/record/compile-record.ts';
import { type MadeRecord, RecordMaker, type RecordRequest } from '../core/record/record-maker.ts';
import { publishRecord, RecordView } from '../core/record/record-store.ts';
import type { SourceProgress } from '../core/trades/source/source.ts';
import { type RecordAnswers, recordAnswers } from '../http/views/record-report-view.ts';
import { sqliteFile } from '../infra/database/database.ts';
import { POLYMARKET } from '../infra/market/polymarket/polymarket-feed.ts';
import { sourceName } from '../infra/market/tapes/open-source.ts';
import { RecordThread } from '../infra/record/record-thread.ts';
import { sha256 } from '../infra/secrets/key-crypto.ts';
import type { AppContext } from './app-context.ts';

/** After a start the source has caught up and written a snapshot by then. */
const AFTER_START_MS = 2 * MINUTE_MS;
/** A minute of a replay can be days of its tape. */
const REPLAY_EVERY_MS = 10 * SECOND_MS;

type RecordTerms = Pick<RecordRequest, 'rules' | 'plan'>;

export async function recordTermsOf({ detection }: Pick<Config, 'detection'>): Promise<RecordTerms> {
  const rules = await loadRules(detection.rulesFile);
  return { rules: rulesIdentity(rules, sha256), plan: rules.record };
}

/** Makes the record, for a process with the jobs. `view`: of this process, which has each record as soon as it is stored; null without the API. */
export function wireRecord(
  context: AppContext,
  terms: RecordTerms,
  view: Pick<RecordView<RecordAnswers>, 'look'> | null,
) {
  const { config, clock, logger, metrics, database } = context;
  const { records } = database;
  const progress = sourceProgressReader(context);
  const file = sqliteFile(config.databaseUrl);
  const thread = new RecordThread({ url: config.databaseUrl, file });
  const maker = new RecordMaker();
  // Only its own connection reads a database in memory.
  const isInMemory = file === ':memory:';
  const make = (request: RecordRequest, signal: AbortSignal) =>
    isInMemory ? maker.make(database, request) : thread.make(request, signal);
  const options = {
    progress,
    make,
    records,
    terms,
    freeDelayMs: config.freeDelayMs,
    clock,
    logger,
    metrics: metrics.metrics,
  };
  const publish = async (signal: AbortSignal): Promise<MadeRecord | null> => {
    const made = await publishRecord(options, signal);
    if (made !== null) await view?.look();
    return made;
  };
  return { publish, close: () => thread.close() };
}

/** Makes the record once the start is over, and while a tape is replayed whenever it has changed. The job makes it hourly. */
export async function makeRecords(
  jobs: Pick<JobRunner, 'run'>,
  context: AppContext,
  signal: AbortSignal,
): Promise<void> {
  const { config, clock, logger } = context;
  const failures = new FailureLog(logger, 'record not computed; retrying');
  const make = async () => void (await jobs.run('record'));
  if (config.source.kind === 'replay') {
    const onChange = whenChanged(recordStateOf(context), make);
    await repeat(onChange, { clock, signal, intervalMs: REPLAY_EVERY_MS, failures });
    return;
  }
  await clock.sleep(AFTER_START_MS, signal);
  if (!signal.aborted) await failures.guard(make);
}

function whenChanged(stateOf: () => Promise<string | null>, make: () => Promise<void>): () => Promise<void> {
  let made: string | null = null;
  return async () => {
    const state = await stateOf();
    if (state === null || state === made) return;
    await make();
    made = state;
  };
}

/** Changes with what a record is made from: trades, settlements, and the alerts that are public. Null: nothing is stored yet. */
function recordStateOf(context: AppContext): () => Promise<string | null> {
  const { config, clock, database } = context;
  const { alerts, settlements } = database;
  const progress = sourceProgressReader(context);
  return async () => {
    const source = await progress();
    if (source === null) return null;
    const [newest] = await alerts.latest({ limit: 1, until: clock.now() - config.freeDelayMs });
    return [source.time, await settlements.lastSeq(), newest?.id].join();
  };
}

export function wireRecordView(
  { config, clock, logger, database }: AppContext,
  terms: RecordTerms,
): RecordView<RecordAnswers> {
  const none = () => JSON.stringify(compileRecord([], { ...terms, asOf: clock.now() - config.freeDelayMs }));
  return new RecordView<RecordAnswers>({
    records: database.records,
    clock,
    logger,
    encode: (record) => recordAnswers(record?.text ?? none(), record?.at ?? null),
  });
}

export function sourceProgressReader({
  config,
  database: { ingest },
}: {
  readonly config: Pick<AppContext['config'], 'source' | 'replay'>;
  readonly database: Pick<AppContext['database'], 'ingest'>;
}): () => Promise<SourceProgress | null> {
  const { source, replay } = config;
  const name = source.kind === 'polymarket' ? POLYMARKET : sourceName({ ...source, ...replay });
  return async () => ((await ingest.readSnapshot(name))?.checkpoint ?? null) as SourceProgress | null;
}
