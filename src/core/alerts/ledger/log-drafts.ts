import { canonicalJson } from '../../base/text/canonical-json.ts';
import { iso } from '../../base/text/date-time.ts';
import type { EpochMs } from '../../base/time/duration.ts';
import type { DetectionRules } from '../../detection/rules.ts';
import type { BlindWindow } from '../../trades/coverage/blind-window.ts';
import type { LogDraft, LogHead } from '../log/log-entry.ts';
import type { Sha256 } from '../log/seal.ts';
import type { MarketSettlement } from '../settlement.ts';

/** The payouts of a market: a correction if it was settled before. */
export function settlementDraft(
  { marketId, outcomes, payouts }: Pick<MarketSettlement, 'marketId' | 'outcomes' | 'payouts'>,
  at: EpochMs,
  before: Pick<MarketSettlement, 'log'> | null = null,
): LogDraft {
  const body = { market_id: marketId, outcomes, payouts, settled_at: iso(at) };
  const kind = before === null ? 'settlement' : 'correction';
  return { kind, key: followingKey(`settlement:${marketId}`, before?.log), at, body };
}

/** Why rules are entered: the first ones, others than before, or the source lacks rows. */
export type RulesReason = 'start' | 'rules' | 'rows';

/** Identifies the detection rules: their version, and the hash of their canonical JSON. The log and the record state it. */
export interface RulesIdentity {
  readonly version: string;
  readonly sha256: string;
}

/** The identity of the rules. */
export function rulesIdentity(rules: DetectionRules, sha256: Sha256): RulesIdentity {
  return { version: rules.version, sha256: sha256(canonicalJson(rules)) };
}

/** The rules in force. From here on nothing is claimed about the positions of earlier alerts. */
export function rulesDraft(
  { version, sha256 }: RulesIdentity,
  {
    reason,
    at,
    before,
  }: { readonly reason: RulesReason; readonly at: EpochMs; readonly before: LogHead | null },
): LogDraft {
  return { kind: 'rules', key: followingKey('rules', before), at, body: { version, sha256, reason } };
}

/** The start of a blind window with its first cause, or its end with its last cause. */
export function gapDraft(
  state: 'opened' | 'closed',
  { id, startedAt, endedAt, cause }: BlindWindow,
  { at, before }: { readonly at: EpochMs; readonly before: LogHead | null },
): LogDraft {
  const end = state === 'opened' || endedAt === null ? {} : { ended_at: iso(endedAt) };
  const body = { state, id, started_at: iso(startedAt), ...end, cause };
  return { kind: 'gap', key: followingKey('gap', before), at, body };
}

function followingKey(name: string, before: LogHead | null | undefined): string {
  return `${name}:${before?.seq ?? 0}`;
}
