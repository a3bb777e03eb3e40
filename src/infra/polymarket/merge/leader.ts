import type { Logger } from '../../../core/logger.ts';
import type { Metrics } from '../../../core/metrics/metrics.ts';
import type { TradeSource } from '../../../core/trade.ts';

/** The stream leads while polling lists few trades that it did not show. It is 99.7 % complete (measured 2026-09). */
const COMPLETENESS_MIN = 0.9;

/** The state of the sources at one moment. */
export interface SourceStates {
  /** The chain source has handed on every block up to the newest. */
  readonly isNodeAtHead: boolean;
  /** The stream has shown a trade lately. */
  readonly isStreamAlive: boolean;
  /** Part of the trades that polling lists which the stream had shown before, 0 to 1. */
  readonly streamCompleteness: number;
  readonly isPollingFresh: boolean;
  /** Polling reads back what comes before everything else. */
  readonly isPollingBehind: boolean;
}

/** Chooses the source whose trades are handed on as they come. */
export class Leader {
  readonly #logger: Pick<Logger, 'info'>;
  readonly #metrics: Pick<Metrics, 'feedLeader'>;
  #current: TradeSource = 'polling';

  constructor(logger: Pick<Logger, 'info'>, metrics: Pick<Metrics, 'feedLeader'>) {
    this.#logger = logger;
    this.#metrics = metrics;
    metrics.feedLeader(this.#current);
  }

  get current(): TradeSource {
    return this.#current;
  }

  /** Chooses anew. */
  update(states: SourceStates): void {
    const next = leaderOf(states);
    if (next === this.#current) return;
    this.#logger.info({ leader: next, before: this.#current }, 'another source of trades leads');
    this.#current = next;
    this.#metrics.feedLeader(next);
  }
}

/**
 * The node while it is at the head, for it is complete and early; else the stream while polling confirms it, or when it is
 * all there is; else polling.
 */
export function leaderOf(states: SourceStates): TradeSource {
  const { isNodeAtHead, isStreamAlive, streamCompleteness, isPollingFresh, isPollingBehind } = states;
  if (isPollingBehind) return 'polling';
  if (isNodeAtHead) return 'node';
  if (!isStreamAlive) return 'polling';
  return !isPollingFresh || streamCompleteness >= COMPLETENESS_MIN ? 'stream' : 'polling';
}
