import type { Logger } from '../../../../core/base/logger.ts';
import type { Clock } from '../../../../core/base/time/clock.ts';
import type { EpochMs } from '../../../../core/base/time/duration.ts';
import { SECOND_MS } from '../../../../core/base/time/duration.ts';
import type { TimeRange } from '../../../../core/trades/coverage/blind-window.ts';
import type { PassedSpan } from '../chain/chain-follower.ts';
import type { MarketFeedHealth } from '../feed-health-in-market-time.ts';
import { COMPARED_MS, NodeCompleteness } from './node-completeness.ts';

/** The node confirms trades while the last that it confirmed is younger. */
const CURRENT_MS = 15 * SECOND_MS;

/** Constructor options of `NodeCertificate`. `clock`: corrected to the market's time. */
interface CertificateOptions {
  readonly clock: Pick<Clock, 'now'>;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
  readonly feedHealth: Pick<MarketFeedHealth, 'confirmed' | 'failed' | 'wantedFrom'>;
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

  /** Whether the node has confirmed recent trades. */
  get isCurrent(): boolean {
    return this.#confirmed !== null && this.#options.clock.now() - this.#confirmed.until <= CURRENT_MS;
  }

  /** The node has passed on every block of the span. */
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
    const hasGap = from > Math.max(completeUntil, this.#options.feedHealth.wantedFrom() ?? from);
    return hasGap ? completeUntil : Math.max(completeUntil, until);
  }

  #confirm(passed: TimeRange, until: EpochMs): void {
    const from = this.#confirmed?.until ?? passed.from;
    if (until <= from) return;
    this.#confirmed = { from: this.#confirmed?.from ?? from, until };
    this.#options.feedHealth.confirmed({ from, until });
  }

  /** What the node confirmed after the first missing trade is not confirmed, unless polling has confirmed it too. */
  #revoke(passed: TimeRange, listedUntil: EpochMs | null): void {
    const confirmedUntil = this.#confirmed?.until ?? null;
    this.#leaveOpen(passed.until);
    if (confirmedUntil === null) return;
    const completeUntil = Math.min(confirmedUntil, this.completeness.missingFrom - SECOND_MS);
    this.#options.feedHealth.failed('stalled', Math.max(completeUntil, listedUntil ?? completeUntil));
  }

  #leaveOpen(until: EpochMs): void {
    this.#openUntil = until;
    this.#passed = { from: until, until };
    this.#confirmed = null;
  }
}
