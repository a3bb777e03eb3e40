/** Bands of the score, highest first, with the lowest score of each (detection.md, "Detection"). */
export const SCORE_BANDS = [
  { band: 'very_high', from: 80 },
  { band: 'strong', from: 60 },
  { band: 'moderate', from: 40 },
  { band: 'informational', from: 0 },
] as const;
type ScoreBand = (typeof SCORE_BANDS)[number]['band'];

/** The band of a score of 0 to 100: 80 and above very high, 60 strong, 40 moderate, below informational. */
export function scoreBandOf(score: number): ScoreBand {
  return SCORE_BANDS.find(({ from }) => score >= from)?.band ?? 'informational';
}
