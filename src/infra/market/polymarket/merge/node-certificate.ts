import { LRUCache } from 'lru-cache';
import type { Logger } from '../../../../core/base/logger.ts';
import type { Clock } from '../../../../core/base/time/clock.ts';
import { type EpochMs, MINUTE_MS, SECOND_MS } from '../../../../core/base/time/duration.ts';
import { fillKey } from '../../../../core/detection/fill-hash.ts';
import type { TimeRange } from '../../../../core/trades/coverage/blind-window.ts';
import type { Trade } from '../../../../core/trades/trade.ts';
import type { PassedSpan } from '../chain/chain-follower.ts';
import { type ChainFill, isCombo, UNIT } from '../chain/order-filled.ts';
import type { MarketCoverage } from '../client/market-clock.ts';

/** The node confirms trades while the last that it confirmed is younger. */
const CURRENT_MS = 15 * SECOND_MS;

interface CertificateOptions {
  readonly clock: Pick<Clock, 'now'>;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
  readonly coverage: Pick<MarketCoverage, 'confirmed' | 'failed' | 'wantedFrom'>;
}

/**
 * Which of a node's blocks are confirmed: those up to its newest fill that another source has shown too, while it is complete.
 * What it may have left out, and what is too old to be compared, is confirmed by polling alone, and before that the node
 * confirms nothing later.
 */
export class NodeCertificate {
  readonly completeness: NodeCompleteness;
  readonly #options: CertificateOptions;
  /** The last span that the node has passed on without a gap, and the part of it that is confirmed. */
  #passed: TimeRange | null = null;
  #confirmed: TimeRange | null = null;
  /** Polling must have confirmed up to here; null: the node left nothing open. */
  #openUntil: EpochMs | null = null;

  constructor(options: CertificateOptions) {
    this.#options = options;
    this.completeness = new NodeCompleteness(options.clock, options.logger);
  }

  get isCurrent(): boolean {
    return this.#confirmed !== null && this.#options.clock.now() - this.#confirmed.until <= CURRENT_MS;
  }

  passed({ from, until, isProven }: PassedSpan): void {
    const before = this.#passed;
    if (before === null || from > before.until) this.completeness.start(from);
    if (before !== null && from > before.until) this.#leaveOpen(from);
    this.#passed = { from: this.#passed?.from ?? from, until };
    if (!isProven || this.#options.clock.now() - until > COMPARED_MS) this.#leaveOpen(until);
  }

  /** Confirms, and takes back, what is due. Called at least every second. `listedUntil`: up to when polling has confirmed. */
  update(listedUntil: EpochMs | null): void {
    this.completeness.update();
    const passed = this.#passed;
    if (passed === null) return;
    const { isComplete, agreedUntil } = this.completeness;
    if (!isComplete) this.#revoke(passed, listedUntil);
    else if (this.#openUntil === null || (listedUntil !== null && listedUntil >= this.#openUntil))
      this.#confirm(passed, Math.min(passed.until, agreedUntil));
  }

  /** Up to when all stays confirmed where polling turns out to be complete only up to `completeUntil`. */
  keep(completeUntil: EpochMs | undefined): EpochMs | undefined {
    if (completeUntil === undefined || this.#confirmed === null) return completeUntil;
    const { from, until } = this.#confirmed;
    const hasGap = from > Math.max(completeUntil, this.#options.coverage.wantedFrom() ?? from);
    return hasGap ? completeUntil : Math.max(completeUntil, until);
  }

  #confirm(passed: TimeRange, until: EpochMs): void {
    const from = this.#confirmed?.until ?? passed.from;
    if (until <= from) return;
    this.#confirmed = { from: this.#confirmed?.from ?? from, until };
    this.#options.coverage.confirmed({ from, until });
  }

  /** What the node confirmed after the first missing trade is not confirmed, unless polling has confirmed it too. */
  #revoke(passed: TimeRange, listedUntil: EpochMs | null): void {
    const confirmedUntil = this.#confirmed?.until ?? null;
    this.#leaveOpen(passed.until);
    if (confirmedUntil === null) return;
    const completeUntil = Math.min(confirmedUntil, this.completeness.missingFrom - SECOND_MS);
    this.#options.coverage.failed('stalled', Math.max(completeUntil, listedUntil ?? completeUntil));
  }

  #leaveOpen(until: EpochMs): void {
    this.#openUntil = until;
    this.#passed = { from: until, until };
    this.#confirmed = null;
  }
}

/** A row of another source is missing when the node has not shown it by so many blocks later. */
const BLOCKS_LATER = 3;
/** The stream dates most trades a second before their block (measured 2026-09). */
const DATED_EARLY_MS = SECOND_MS;
/** A node is incomplete when it lacks so many rows of a minute, and more than this share of them. */
const MISSING_MIN = 5;
const MISSING_SHARE = 0.02;
/** Rows of the minute that must agree before it is complete again. */
const AGREED_MIN = 5;
/** Older rows are not compared, since after a long stop a list of days is read back. */
const COMPARED_MS = 10 * MINUTE_MS;
/** Ten minutes of the market at its busiest, about 10 MB. The oldest are forgotten first. */
const FILLS_MAX = 50_000;

interface Second {
  readonly at: EpochMs;
  agreed: number;
  missing: number;
}

/** Compares what the list and the stream show with what the node has shown. `clock`: corrected to the market's time. */
export class NodeCompleteness {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #logger: Pick<Logger, 'info' | 'warn'>;
  readonly #fills = new LRUCache<string, EpochMs>({ max: FILLS_MAX });
  readonly #rows = new LRUCache<string, true>({ max: FILLS_MAX });
  readonly #awaited = new LRUCache<string, EpochMs>({ max: FILLS_MAX });
  #blocks: readonly EpochMs[] = [];
  #from: EpochMs = Number.POSITIVE_INFINITY;
  #minute: Second[] = [];
  #isComplete = true;
  #agreedUntil: EpochMs = Number.NEGATIVE_INFINITY;
  #missingFrom: EpochMs = Number.POSITIVE_INFINITY;

  constructor(clock: Pick<Clock, 'now'>, logger: Pick<Logger, 'info' | 'warn'>) {
    this.#clock = clock;
    this.#logger = logger;
  }

  /** False from the moment at which the node lacked too many rows until a minute in which it did not. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  get agreedUntil(): EpochMs {
    return this.#agreedUntil;
  }

  get missingFrom(): EpochMs {
    return this.#missingFrom;
  }

  /** The node shows all blocks from this moment on: older rows are not compared. */
  start(from: EpochMs): void {
    this.#from = from + DATED_EARLY_MS;
    this.#awaited.clear();
  }

  nodeShowed(at: EpochMs, fills: readonly ChainFill[]): void {
    this.#blocks = [...this.#blocks, at].slice(-BLOCKS_LATER);
    for (const fill of fills) {
      const key = fillKey({ ...fill, asset: fill.tokenId, shares: Number(fill.shares) / UNIT });
      this.#fills.set(key, at);
      if (this.#awaited.delete(key)) this.#agree(at);
    }
  }

  othersShowed(trade: Trade): void {
    if (trade.at <= this.#from || this.#clock.now() - trade.at > COMPARED_MS) return;
    const key = fillKey(trade);
    if (this.#rows.has(key)) return;
    this.#rows.set(key, true);
    if (/^\d+$/.test(trade.asset) && isCombo(BigInt(trade.asset))) return;
    const at = this.#fills.peek(key);
    if (at === undefined) this.#awaited.set(key, trade.at);
    else this.#agree(at);
  }

  update(): void {
    const now = this.#clock.now();
    for (const { key, at } of this.#overdue()) {
      this.#awaited.delete(key);
      this.#missingFrom = Math.min(this.#missingFrom, at);
      this.#second().missing += 1;
    }
    this.#minute = this.#minute.filter(({ at }) => now - at < MINUTE_MS);
    const agreed = this.#minute.reduce((sum, second) => sum + second.agreed, 0);
    const missing = this.#minute.reduce((sum, second) => sum + second.missing, 0);
    const lacks = missing > (agreed + missing) * MISSING_SHARE;
    if (this.#isComplete && !lacks && missing === 0) this.#missingFrom = Number.POSITIVE_INFINITY;
    if (this.#isComplete ? !(lacks && missing >= MISSING_MIN) : lacks || agreed < AGREED_MIN) return;
    this.#isComplete = !this.#isComplete;
    if (this.#isComplete) this.#logger.info({ agreed }, 'the node shows all trades again');
    else
      this.#logger.warn(
        { missing, of: agreed + missing },
        'the node leaves trades out: it does not lead, and confirms nothing, until a minute is complete',
      );
  }

  #overdue() {
    const [third] = this.#blocks;
    const rows: { readonly key: string; readonly at: EpochMs }[] = [];
    if (third === undefined || this.#blocks.length < BLOCKS_LATER) return rows;
    this.#awaited.rforEach((at, key) => {
      if (at + DATED_EARLY_MS < third) rows.push({ key, at });
    });
    return rows;
  }

  #agree(at: EpochMs): void {
    this.#agreedUntil = Math.max(this.#agreedUntil, at);
    this.#second().agreed += 1;
  }

  #second(): Second {
    const at = Math.floor(this.#clock.now() / SECOND_MS) * SECOND_MS;
    const last = this.#minute.at(-1);
    if (last?.at === at) return last;
    const second = { at, agreed: 0, missing: 0 };
    this.#minute.push(second);
    return second;
  }
}
