import { canonicalJson } from '../../base/text/canonical-json.ts';
import { iso } from '../../base/text/date-time.ts';
import type { EpochMs } from '../../base/time/duration.ts';
import type { DetectionRules } from '../../detection/rules.ts';
import type { BlindWindow } from '../../trades/coverage/blind-window.ts';
import type { LogDraft } from '../log/log-entry.ts';
import type { Sha256 } from '../log/seal.ts';
import type { MarketSettlement } from '../settlement.ts';

/** An entry without a time; it gets the time at which it is appended. */
export type UndatedDraft = Omit<LogDraft, 'at'>;

/** The payouts of a market: an outcome the first time, then a correction. */
export function settlementDraft(
  kind: 'outcome' | 'correction',
  { marketId, outcomes, payouts }: Pick<MarketSettlement, 'marketId' | 'outcomes' | 'payouts'>,
  at: EpochMs,
): LogDraft {
  const body = { market_id: marketId, outcomes, payouts, settled_at: iso(at) };
  return { kind, subject: `market:${marketId}`, at, body };
}

/**
 * Why the positions of all earlier alerts are no longer followed. `rules`: other rules are in force. `rows`: the source lacks
 * rows.
 */
export type LossReason = 'rules' | 'rows';

/** From here on nothing is claimed about the positions of earlier alerts. */
export function positionsLostDraft(reason: LossReason): UndatedDraft {
  return { kind: 'positions_lost', subject: 'positions', body: { reason } };
}

/** The start of a blind window. */
export function blindOpenedDraft({ id, startedAt, cause }: BlindWindow): UndatedDraft {
  const body = { id, started_at: iso(startedAt), cause };
  return { kind: 'blind_opened', subject: windowSubject(id), body };
}

/** The end of a blind window, with its last cause. */
export function blindClosedDraft({ id, startedAt, cause }: BlindWindow, endedAt: EpochMs): UndatedDraft {
  const body = { id, started_at: iso(startedAt), ended_at: iso(endedAt), cause };
  return { kind: 'blind_closed', subject: windowSubject(id), body };
}

/** The subject of both entries of a blind window. */
export function windowSubject(id: string): string {
  return `window:${id}`;
}

/** The running version of the service. */
export function softwareDraft(version: string): UndatedDraft {
  return { kind: 'software', subject: 'software', body: { version } };
}

/** The detection rules: their version, and the hash of their canonical JSON. */
export function rulesDraft(rules: DetectionRules, sha256: Sha256): UndatedDraft {
  return { kind: 'rules', subject: 'rules', body: rulesIdentity(rules, sha256) };
}

/** Identifies the rules, as the log and the record state them. */
export function rulesIdentity(rules: DetectionRules, sha256: Sha256) {
  return { version: rules.version, sha256: sha256(canonicalJson(rules)) };
}
