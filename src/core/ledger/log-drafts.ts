import type { Alert } from '../alerts/alert.ts';
import type { MarketResolution } from '../alerts/resolution-store.ts';
import type { DetectionRules } from '../detection/rules.ts';
import type { BlindWindow } from '../feed-health/blind-window.ts';
import { canonicalJson } from '../log/canonical-json.ts';
import type { JsonObject, LogDraft } from '../log/log-entry.ts';
import type { Sha256 } from '../log/seal.ts';
import type { Statement } from '../statements/statement-store.ts';
import type { EpochMs } from '../trade.ts';

/** An entry whose time is that of the run that appends it. */
export type UndatedDraft = Omit<LogDraft, 'at'>;

/** `body`: the alert as the API states it when it is published. */
export function alertDraft({ id, createdAt }: Pick<Alert, 'id' | 'createdAt'>, body: JsonObject): LogDraft {
  return { kind: 'alert', subject: `alert:${id}`, at: createdAt, body };
}

/** What a market paid: the first time an outcome, then a correction. */
export function settlementDraft(
  kind: 'outcome' | 'correction',
  { marketId, outcomes, payouts }: Pick<MarketResolution, 'marketId' | 'outcomes' | 'payouts'>,
  at: EpochMs,
): LogDraft {
  const body = { market_id: marketId, outcomes, payouts };
  return { kind, subject: marketSubject(marketId), at, body };
}

/** The subject of a market's outcome and its corrections. */
export function marketSubject(marketId: string): string {
  return `market:${marketId}`;
}

/** A blind window as it was first seen. */
export function blindOpenedDraft({ id, startedAt, cause }: BlindWindow): UndatedDraft {
  const body = { id, started_at: iso(startedAt), cause };
  return { kind: 'blind_opened', subject: windowSubject(id), body };
}

/** A blind window that is over, with its cause at the end. */
export function blindClosedDraft({ id, startedAt, cause }: BlindWindow, endedAt: EpochMs): UndatedDraft {
  const body = { id, started_at: iso(startedAt), ended_at: iso(endedAt), cause };
  return { kind: 'blind_closed', subject: windowSubject(id), body };
}

/** The subject of both entries of a blind window. */
export function windowSubject(id: string): string {
  return `window:${id}`;
}

/** An operator's statement. */
export function statementDraft({ number, kind, wallet, alertId, reason }: Statement): UndatedDraft {
  const subject = `statement:${number}`;
  const text = reason?.toWellFormed() ?? null;
  return kind === 'withdraw'
    ? { kind: 'withdrawal', subject, body: { alert_id: alertId, number, reason: text } }
    : { kind: 'annotation', subject, body: { action: kind, number, wallet, reason: text } };
}

/** The version of the service that runs. */
export function softwareDraft(version: string): UndatedDraft {
  return { kind: 'software', subject: 'software', body: { version } };
}

/** The rules that are judged by: their version, and the hash of their canonical JSON. */
export function rulesDraft(rules: DetectionRules, sha256: Sha256): UndatedDraft {
  const body = { version: rules.version, sha256: sha256(canonicalJson(rules)) };
  return { kind: 'rules', subject: 'rules', body };
}

function iso(at: EpochMs): string {
  return new Date(at).toISOString();
}
