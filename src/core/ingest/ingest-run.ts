import { type RulesReason, rulesDraft } from '../alerts/ledger/log-drafts.ts';
import type { Lease } from '../base/lease/lease.ts';
import { Detector } from '../detection/detector.ts';
import { EVICTED_KINDS } from '../detection/detector-memory.ts';
import { isSameVersion, stateVersionOf } from '../detection/state-chunks.ts';
import { PriceWatch } from '../record/prices/price-watch.ts';
import type { Checkpoint, Source, SourceRow } from '../trades/source/source.ts';
import type { IngestDeps } from './ingest-deps.ts';
import { judgeBatch, Rebuild } from './judge-batch.ts';
import { SnapshotWriter, type StoredCheckpoint, StoredParts } from './snapshot-writer.ts';

interface RunParts {
  readonly source: Source;
  readonly detector: Detector;
  readonly prices: PriceWatch;
  readonly snapshots: SnapshotWriter;
  readonly rebuild: Rebuild | null;
}

/** One run of the source under one lease. */
export class IngestRun {
  readonly source: Source;
  readonly detector: Detector;
  readonly #deps: IngestDeps;
  readonly #parts: RunParts;
  #evicted: Detector['memory']['evicted'];

  private constructor(deps: IngestDeps, parts: RunParts) {
    this.source = parts.source;
    this.detector = parts.detector;
    this.#deps = deps;
    this.#parts = parts;
    this.#evicted = parts.detector.memory.evicted;
  }

  /**
   * Opens the source at its snapshot and restores the detector's state. A state of other rules or of another build is
   * rebuilt instead: the rows that led to it are read again, without publishing alerts or writing snapshots.
   */
  static async open(deps: IngestDeps, lease: Lease): Promise<IngestRun> {
    const { store, rules, ledger, clock, logger } = deps;
    const stored = await store.readSnapshot(deps.sourceName);
    const checkpoint = (stored?.checkpoint ?? null) as StoredCheckpoint | null;
    const sets = stored?.sets ?? [];
    const version = stateVersionOf(rules);
    const isContinuable =
      checkpoint === null || sets.length === 0 || isSameVersion(checkpoint.madeBy, version);
    const source = await deps.openSource(checkpoint, !isContinuable);
    const isResumed = checkpoint !== null && isSameHistory(source, checkpoint);
    const prices = new PriceWatch(deps, lease);
    const detector = new Detector(rules, source, prices);
    const restored = await StoredParts.restore(store, isResumed && isContinuable ? sets : [], detector);
    const snapshots = new SnapshotWriter(deps, {
      lease,
      source,
      state: detector,
      version,
      stored: restored,
      time: () => detector.time,
      flush: () => prices.flush(),
    });
    await ledger.open(lease.epoch);
    await deps.exits.open();
    const isRebuild = isResumed && !isContinuable;
    // Nothing is known about another history; the alerts of an earlier one may still be unsettled.
    if (!isRebuild) await enterRules(deps, source, !isResumed && ledger.lastId > 0 ? 'rows' : null);
    // The time mapping must be stored before the first alert that is published by it.
    if (!isResumed) await snapshots.writeStart();
    logger.info({ source: source.name, isResumed, mapping: source.mapping }, 'ingesting');
    const isOfOtherRules = checkpoint?.madeBy?.rules !== version.rules;
    const rebuild = isRebuild ? new Rebuild(source, detector, isOfOtherRules, { clock, logger }) : null;
    const versions = { source: source.name, madeBy: checkpoint?.madeBy, version };
    if (isRebuild) logger.info(versions, 'snapshot of other rules or another build; rebuilding the state');
    else await prices.open();
    return new IngestRun(deps, { source, detector, prices, snapshots, rebuild });
  }

  /**
   * Judges the rows, publishes the alerts they lead to, and writes a snapshot when it is due. When the signal aborts, the
   * other rows are left for the next run: nothing but `end` may be called then.
   */
  async take(batch: readonly SourceRow[], signal: AbortSignal): Promise<void> {
    const { rebuild } = this.#parts;
    if (rebuild?.isRunning === true) await this.#rebuild(rebuild, batch, signal);
    else await this.#judge(batch, signal);
    // The source may have the next batch without waiting for anything.
    await this.#deps.clock.sleep(0);
  }

  /** Writes what is not in the snapshot yet, unless the state belongs to no offset. */
  end(): Promise<void> {
    return this.#parts.snapshots.flush();
  }

  async #rebuild(rebuild: Rebuild, batch: readonly SourceRow[], signal: AbortSignal): Promise<void> {
    const { prices, snapshots } = this.#parts;
    const rest = rebuild.take(batch);
    if (rebuild.isRunning) return;
    await enterRules(this.#deps, this.source, rebuild.loss);
    // The earlier run stored the prices of the rows before it.
    await prices.open();
    if (rest.length > 0) await this.#judge(rest, signal);
    else await snapshots.after(batch.at(-1)?.offset ?? 0);
    // Until it is written, every start repeats the rebuild.
    await snapshots.flush();
  }

  async #judge(batch: readonly SourceRow[], signal: AbortSignal): Promise<void> {
    const { prices, snapshots } = this.#parts;
    const reached = await judgeBatch(this.#deps, this.#parts, batch, signal);
    this.#countEvicted();
    if (reached !== null && prices.isDue) await prices.flush();
    await snapshots.after(reached);
  }

  /** Counts what the detector's memory evicted since the last call. */
  #countEvicted(): void {
    const { metrics } = this.#deps;
    const { evicted } = this.detector.memory;
    for (const kind of EVICTED_KINDS)
      if (evicted[kind] > this.#evicted[kind])
        metrics.detectorEvicted(kind, evicted[kind] - this.#evicted[kind]);
    this.#evicted = evicted;
  }
}

/**
 * Enters the rules in force, if the positions of earlier alerts are no longer followed, or if they are not those of the log. One that a
 * crash repeats is entered once.
 */
async function enterRules(
  { log, writer, rulesIdentity, clock }: IngestDeps,
  { mapping }: Source,
  loss: RulesReason | null,
): Promise<void> {
  const before = await log.lastOf('rules');
  const isInForce = before?.body['sha256'] === rulesIdentity.sha256;
  const reason = loss ?? (isInForce ? null : before === null ? 'start' : 'rules');
  const isRepeated = isInForce && before?.seq === writer.head.seq && before.body['reason'] === reason;
  if (reason === null || isRepeated) return;
  const at = mapping?.origin ?? clock.now();
  await writer.append([rulesDraft(rulesIdentity, { reason, at, before })]);
}

/** Another tape under the same name is another history; a file that grows continues its own. */
function isSameHistory(source: Source, { identity }: Checkpoint): boolean {
  return source.isLive || source.checkpoint(0).identity === identity;
}
