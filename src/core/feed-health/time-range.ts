import type { EpochMs } from '../trade.ts';

/** A stretch of the market's time, both ends included. */
export interface TimeRange {
  readonly from: EpochMs;
  readonly until: EpochMs;
}

/** Pieces one stretch may fall into. Beyond it nothing more is cut out, so that it counts as missing rather than as seen. */
const PIECES_MAX = 100;

/** What is left of the pieces once the span is cut out of them; pieces without length are none. */
export function without(pieces: readonly TimeRange[], { from, until }: TimeRange): readonly TimeRange[] {
  const left = pieces.flatMap((piece) => [
    { from: piece.from, until: Math.min(piece.until, from) },
    { from: Math.max(piece.from, until), until: piece.until },
  ]);
  const rest = left.filter((piece) => piece.from < piece.until);
  return rest.length > PIECES_MAX ? pieces : rest;
}
