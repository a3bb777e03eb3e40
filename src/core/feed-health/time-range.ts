import type { EpochMs } from '../trade.ts';

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
