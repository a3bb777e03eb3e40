import { withTimeout } from '../core/base/async/with-timeout.ts';
import type { Clock } from '../core/base/time/clock.ts';
import type { EpochMs } from '../core/base/time/duration.ts';
import type { DeliveryEngine } from '../core/delivery/webhooks/delivery-engine.ts';
import type { Detector } from '../core/detection/detector.ts';
import type { Ingest } from '../core/ingest/ingest.ts';
import { isAlive, type WorkerReport } from '../core/operations/worker-report.ts';
import { type BlindWindow, CAUSE_WORDS, type FactsDelayed } from '../core/trades/coverage/blind-window.ts';
import type { FeedView } from '../core/trades/coverage/coverage-report.ts';
import type { UnwatchedVolume } from '../core/trades/coverage/unwatched-volume.ts';
import type { TradeSourcesStatus, WaitingStatus } from '../core/trades/source/source.ts';
import type { DiskSpace } from '../infra/database/disk-space.ts';
import type { AppContext } from './app-context.ts';
import type { Bots } from './bots.ts';
import type { LiveCoverage } from './coverage.ts';

/** A probe gets an answer within 2 s: whatever is asked for it is given up after this time. */
const ASK_TIMEOUT_MS = 1_500;
/** A snapshot of the detector (7 to 35 MB) and the write-ahead log must fit. */
const DISK_LOW_BYTES = 64_000_000;
/** With less, SQLite cannot write. */
const DISK_FULL_BYTES = 64_000;

export interface Readiness {
  readonly ready: boolean;
  readonly checks: Record<string, unknown>;
}

type ReadinessContext = Pick<AppContext, 'database'> & { readonly clock: Clock };

/** The parts of the process that have something to tell; null is one that does not run in it. */
export interface ReadinessParts {
  readonly ingest: Pick<Ingest, 'status'> | null;
  readonly deliver: DeliveryEngine | null;
  readonly bots: Pick<Bots, 'status' | 'missing' | 'isConfigured'> | null;
  readonly coverage: Pick<LiveCoverage, 'isLive' | 'view'>;
  readonly diskSpace?: () => Promise<DiskSpace | null>;
  /** Of the worker, for another process. */
  readonly report?: () => Promise<WorkerReport | null>;
}

/**
 * Ready: the database answers, the disk can be written to, and the source's first trade was seen or its tape ended. The state of
 * deliveries and of the live feed is shown and decides nothing: receivers belong to customers, and the archive is served
 * without a feed. A refused bot token fails its check, and the process where it has no other role; what a bot lacks is named.
 */
export async function readinessOf(
  { database, clock }: ReadinessContext,
  { ingest, deliver, bots, coverage, diskSpace, report }: ReadinessParts,
): Promise<Readiness> {
  const inTime = <Answer>(answer: Promise<Answer>) =>
    withTimeout({ clock, timeoutMs: ASK_TIMEOUT_MS }, answer);
  const [databaseFailure, reported, space] = await Promise.all([
    inTime(database.ping()).then(() => null, failureOf),
    ingest === null && report !== undefined ? inTime(report()).catch(failureOf) : null,
    diskSpace === undefined ? null : inTime(diskSpace()).catch(failureOf),
  ]);
  const isDatabaseUp = databaseFailure === null;
  const disk = diskCheck(space);
  const source = ingest === null ? sourceElsewhere(reported, clock.now()) : sourceCheck(ingest);
  const { waiting, sources, failure = null } = ingest?.status().source?.status() ?? {};
  const botChecks = bots?.isConfigured === true ? botsCheck(bots) : null;
  const checks = {
    database: {
      kind: database.kind,
      ready: isDatabaseUp,
      ...(!isDatabaseUp && { details: databaseFailure }),
    },
    source,
    ...(coverage.isLive && { feed: feedCheck(coverage.view(), clock.now()) }),
    ...(sources !== undefined && {
      trade_sources: { ...sourcesCheck(sources, clock.now()), ...(failure !== null && { failure }) },
    }),
    ...(waiting !== undefined && { waiting: waitingCheck(waiting, clock.now()) }),
    ...(deliver !== null && { deliveries: deliveriesCheck(deliver, clock.now()) }),
    ...(botChecks !== null && { bots: botChecks }),
    ...(diskSpace !== undefined && { disk }),
  };
  return { ready: isDatabaseUp && disk.ready && source.ready, checks };
}

type Failure = ReturnType<typeof failureOf>;

/** Why something did not answer, for callers on this machine. */
function failureOf(error: unknown) {
  return { reason: error instanceof Error ? error.message : String(error) };
}

/** Null is unknown. It fails nothing, and nor does a failure. */
function diskCheck(space: DiskSpace | Failure | null) {
  if (space !== null && 'reason' in space) return { ready: true, free_percent: null, details: space };
  const check = { ready: true, free_percent: space?.freePercent ?? null };
  if (space === null || !space.isWritten || space.freeBytes >= DISK_LOW_BYTES) return check;
  const megabytes = Math.floor(space.freeBytes / 1_000_000);
  const warning = `${megabytes} MB are free on the disk with the database, less than ${DISK_LOW_BYTES / 1_000_000} MB. Free space on it.`;
  return { ...check, ready: space.freeBytes >= DISK_FULL_BYTES, warning };
}

/** `missing` has names only; the remedies are among the details. */
function botsCheck(bots: Pick<Bots, 'status' | 'missing'>) {
  const statuses = Object.entries(bots.status());
  const missing = bots.missing();
  return {
    ready: statuses.every(([, { state }]) => state !== 'refused' && state !== 'unreachable'),
    ...Object.fromEntries(
      statuses.map(([name, { state, detail, url }]) => [
        name,
        { state, detail, ...(url !== null && { url }) },
      ]),
    ),
    ...(missing.length > 0 && { missing: missing.map(({ name }) => name), details: { missing } }),
  };
}

function secondsSince(at: number | null | undefined, now: number): number | null {
  return at == null ? null : Math.floor(Math.max(0, now - at) / 1_000);
}

/** It decides nothing: losing a source costs latency. */
function sourcesCheck({ leader, stream, node }: TradeSourcesStatus, now: number) {
  return {
    ready: true,
    leader,
    stream: { open: stream.isOpen },
    ...(node !== null && {
      node: {
        at_head: node.isAtHead,
        head_age_seconds: secondsSince(node.headAt, now),
        waiting_for_token: node.waitingForToken,
        oldest_unknown_token: node.oldestUnknownToken?.tokenId ?? null,
        oldest_unknown_token_seconds: secondsSince(node.oldestUnknownToken?.since, now),
        removed: node.removed,
        paused_until: node.pausedUntil && new Date(node.pausedUntil).toISOString(),
        unwatched: unwatchedCheck(node.unwatched),
      },
    }),
  };
}

function unwatchedCheck(volume: UnwatchedVolume | null) {
  if (volume === null) return null;
  const { since, until, blocks, usdc, combos, otherContracts } = volume;
  const times = { since: new Date(since).toISOString(), until: new Date(until).toISOString() };
  return { ...times, blocks, usdc, combos_share: combos, other_contracts_share: otherContracts };
}

function factsDelayedCheck(delayed: FactsDelayed | null) {
  return delayed && { waiting: delayed.waiting, since: new Date(delayed.since).toISOString() };
}

/** It decides nothing, and names no wallet: who reads it may not know yet who is about to be alerted. */
function waitingCheck(waiting: WaitingStatus, now: number) {
  const { trades, wallets, asking, givenUp, oldest, factsDelayed, undescribed } = waiting;
  return {
    ready: true,
    trades,
    wallets,
    oldest_seconds: secondsSince(oldest?.at, now) ?? 0,
    ...(oldest !== null && { oldest_facts: oldest.facts }),
    facts_delayed: factsDelayedCheck(factsDelayed),
    asking,
    given_up: givenUp,
    undescribed_markets: undescribed.markets,
    undescribed_oldest_seconds: secondsSince(undescribed.oldest?.since, now) ?? 0,
    undescribed_given_up: undescribed.givenUp,
  };
}

function deliveriesCheck(deliver: DeliveryEngine, now: number) {
  const { waiting, inFlight, oldestWaitingAt } = deliver.status();
  const oldest = secondsSince(oldestWaitingAt, now) ?? 0;
  return { ready: true, waiting, in_flight: inFlight, oldest_seconds: oldest };
}

function sourceCheck(ingest: Pick<Ingest, 'status'>) {
  const { state, source, detector } = ingest.status();
  // Who is paused is ready to serve what was written.
  if (state === 'paused') return { ready: true, state };
  if (state !== 'running' || source === null) return { ready: false, state };
  const { name, mapping } = source;
  const { state: position, progress } = source.status();
  const ready = position !== 'starting';
  return {
    ready,
    name,
    state: position,
    progress,
    mapping,
    time: detector?.time,
    memory: memoryOf(detector),
  };
}

function memoryOf(detector: Detector | null) {
  if (detector === null) return undefined;
  const { retiredWallets, ...memory } = detector.memory;
  return { ...memory, retired_wallets: retiredWallets };
}

/** It decides nothing: the archive is served without a feed. */
export function feedCheck(view: FeedView | null, now: EpochMs) {
  if (view === null) return { ready: true, state: 'unknown' } as const;
  const { state, open, confirmedUntil, reason, factsDelayed } = view;
  return {
    ready: true,
    state,
    ...(factsDelayed !== null && { facts_delayed: factsDelayedCheck(factsDelayed) }),
    ...(open !== null && sinceWhen(open)),
    ...(reason !== null && { reason, message: CAUSE_WORDS[reason] }),
    ...(confirmedUntil !== null && {
      confirmed_until: new Date(confirmedUntil).toISOString(),
      age_seconds: Math.max(0, Math.floor((now - confirmedUntil) / 1_000)),
    }),
  };
}

function sinceWhen({ startedAt, cause }: BlindWindow) {
  const since = new Date(startedAt).toISOString();
  return cause === 'unconfirmed' ? { unconfirmed_since: since } : { blind_since: since, cause };
}

interface SourceReport {
  readonly state?: unknown;
  readonly name?: unknown;
}

/** The check `source` of a process that is not the worker, by the worker's report. It decides nothing: the archive is served. */
function sourceElsewhere(report: WorkerReport | Failure | null, now: EpochMs) {
  if (report === null) return { ready: true, state: 'none' };
  if ('reason' in report) return { ready: true, state: 'unknown', details: report };
  const { owner, at, checks } = report;
  const source = (checks['source'] ?? {}) as SourceReport;
  return {
    ready: true,
    state: isAlive(report, now) ? 'elsewhere' : 'gone',
    process: owner,
    name: source.name,
    process_state: source.state,
    report_seconds: Math.max(0, Math.floor((now - at) / 1_000)),
  };
}
