import { z } from 'zod';
import type { EpochMs } from '../../base/time/duration.ts';

/**
 * Why the feed was blind, with a sentence for operators and customers. `failing`: another error status, or an invalid answer.
 * `unconfirmed`: a source showed trades, but no source that guarantees completeness did.
 */
export const CAUSE_WORDS = {
  stopped: 'The service did not run.',
  unreachable: 'The market did not answer.',
  dns: 'The host name of the market could not be resolved.',
  tls: 'The TLS connection to the market failed.',
  refused: 'The market refused this address (HTTP 403 or 451): is it geo-blocked?',
  not_found: 'The market did not know the path (HTTP 404): has its API moved?',
  rate_limited: 'The market asked to wait (HTTP 429).',
  failing: 'The market answered with errors.',
  stalled: 'The answers of the market were out of date.',
  unconfirmed: 'Trades came from a stream or a node, but nothing confirmed that they were complete.',
} as const;
/** Why nothing was confirmed. */
export type WindowCause = keyof typeof CAUSE_WORDS;
/** The same while no source showed trades. */
export type BlindCause = Exclude<WindowCause, 'unconfirmed'>;
/** All of the first. */
export const WINDOW_CAUSES = Object.keys(CAUSE_WORDS) as readonly WindowCause[];
/** All of the second. */
export const BLIND_CAUSES = WINDOW_CAUSES.filter((cause) => cause !== 'unconfirmed');

/** A blind window as it is stored. */
export const blindWindowSchema = z.strictObject({
  id: z.string(),
  startedAt: z.int(),
  endedAt: z.int().nullable(),
  cause: z.enum(WINDOW_CAUSES),
  /** When every trade of the window that the market still listed had been taken; null until then. */
  backfilledAt: z.int().nullable(),
});
/** A time range in which the service may have missed trades when they were made. */
export type BlindWindow = Readonly<z.infer<typeof blindWindowSchema>>;

/** A range of the market's time, both ends included. */
export interface TimeRange {
  readonly from: EpochMs;
  readonly until: EpochMs;
}

/** Pieces that one range may be cut into. A cut beyond it is ignored, so that too much counts as missing, never too little. */
const PIECES_MAX = 100;

/** The pieces without the range; pieces of zero length are dropped. */
export function without(pieces: readonly TimeRange[], { from, until }: TimeRange): readonly TimeRange[] {
  const left = pieces.flatMap((piece) => [
    { from: piece.from, until: Math.min(piece.until, from) },
    { from: Math.max(piece.from, until), until: piece.until },
  ]);
  const rest = left.filter((piece) => piece.from < piece.until);
  return rest.length > PIECES_MAX ? pieces : rest;
}

/** Metrics of the coverage. */
export interface CoverageMetrics {
  /** Age of the moment up to which every trade is known, in milliseconds, and the current visibility. */
  feedConfirmed(ageMs: number, visibility: FeedVisibility): void;
}

/** `unconfirmed`: trades come only from a source that does not guarantee completeness. */
export type FeedVisibility = 'seen' | 'unconfirmed' | 'blind';

/** Trades of new wallets that wait for facts about them, longer than usual: their alerts are late. */
export interface FactsDelayed {
  readonly waiting: number;
  /** When the first of the missing facts was requested. */
  readonly since: EpochMs;
}
