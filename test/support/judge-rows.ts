import type { Candidate } from '../../src/core/detection/candidate.ts';
import { Detector } from '../../src/core/detection/detector.ts';
import { DEFAULT_RULES } from '../../src/core/detection/rules.ts';
import type { Row } from '../../src/core/trades/trade.ts';
import { closeRow } from './rows.ts';

export const CLOSE = closeRow();

/** What the detector finds in the rows, the orders of the last second included. */
export function judgeRows(detector: Detector, rows: readonly Row[]): Candidate[] {
  return [...rows, CLOSE].flatMap((row) => detector.judge(row).candidates);
}

/** The same by the default rules. */
export function judgeAll(rows: readonly Row[], isComplete = true): Candidate[] {
  return judgeRows(new Detector(DEFAULT_RULES, { isComplete }), rows);
}
