import type { TradeSource } from '../../../../core/trades/trade.ts';

/** The stream leads while polling lists few trades that it did not show. It is 99.7 % complete (measured 2026-09). */
const COMPLETENESS_MIN = 0.9;

export interface SourceStates {
  /** The node has shown every block up to the newest. */
  readonly isNodeAtHead: boolean;
  /** What the other sources show, the node has shown as well. */
  readonly isNodeComplete: boolean;
  /** The stream has shown a trade in the last 15 s. */
  readonly isStreamAlive: boolean;
  /** Share of the trades that polling lists which the stream had shown before, 0 to 1. */
  readonly streamCompleteness: number;
  readonly isPollingFresh: boolean;
  /** Polling reads back older trades, which all others must wait for. */
  readonly isPollingBehind: boolean;
}

/**
 * The source whose trades pass as they come: the node while it is at the head and complete, since it is early; otherwise the
 * stream while polling confirms it, or when polling fails; otherwise polling.
 */
export function leaderOf(states: SourceStates): TradeSource {
  const { isNodeAtHead, isNodeComplete, isStreamAlive, isPollingFresh, isPollingBehind } = states;
  if (isPollingBehind) return 'polling';
  if (isNodeAtHead && isNodeComplete) return 'node';
  if (!isStreamAlive) return 'polling';
  return !isPollingFresh || states.streamCompleteness >= COMPLETENESS_MIN ? 'stream' : 'polling';
}
