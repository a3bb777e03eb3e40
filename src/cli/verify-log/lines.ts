import { ALL_DIGITS, type Evidence } from '../../core/alerts/verification/chain-check.ts';
import type { LogMismatch } from '../../core/alerts/verification/log-contents.ts';
import type { TapeAlert } from '../../core/alerts/verification/market-comparisons.ts';
import { escapeControls } from '../../core/base/text/escape.ts';
import { counted } from '../../core/base/text/formats.ts';
import type { ComparisonResult } from '../../infra/log-service/compare-alerts.ts';
import type { LogReading } from '../../infra/log-service/read-log.ts';
import { showVerdict, type Terminal, type VerdictMark, verdictHang } from '../terminal.ts';

const CHECKS = ['log', 'evidence', 'alerts', 'outcomes', 'tape', 'resolutions'] as const;
export type CheckName = (typeof CHECKS)[number];

const WIDTH = Math.max(...CHECKS.map((check) => check.length));
const HANG = verdictHang(WIDTH);
const SHOWN = 300;

const NO_EVIDENCE =
  'no earlier view: the log is consistent with itself, but so is a log that its operator rewrote as a whole';
const UNKNOWN = 'not comparable (their outcome is missing, or in entries that were not read)';
const NO_NEW_ALERTS = 'no alert to compare in these entries; --from-start compares those of earlier runs';

/** `pass  log          entries 1 to 1,234 …`. What a service wrote steers no terminal. */
export function showCheck(terminal: Terminal, verdict: VerdictMark, check: CheckName, text: string): void {
  showVerdict(terminal, verdict, check.padEnd(WIDTH), escapeControls(text));
}

export function showFinding(terminal: Terminal, check: CheckName, finding: LogMismatch): void {
  const { sequence, what, expected, found } = finding;
  showCheck(terminal, 'fail', check, sequence === null ? what : `entry ${sequence}: ${what}`);
  // Not wrapped, so that the values can be copied.
  terminal.line(`${' '.repeat(HANG)}expected ${shortened(expected)}`);
  terminal.line(`${' '.repeat(HANG)}found    ${shortened(found)}`);
}

export function showChain(terminal: Terminal, { count, chain: { first, last } }: LogReading): void {
  if (first === null || last?.at === undefined) {
    showCheck(terminal, 'skipped', 'log', 'no entry to read');
    return;
  }
  const { sequence, at, hash } = last;
  const entries = count === 1 ? `entry ${first} is intact` : `entries ${first} to ${sequence} form one chain`;
  const newest = `the newest is dated ${new Date(at).toISOString()}, hash ${hash}`;
  showCheck(terminal, 'pass', 'log', `${entries}; ${newest}`);
}

/** Which earlier views the log was held against. `notYet`: what this reader does not see yet. */
export function showEvidence(
  terminal: Terminal,
  evidence: readonly Evidence[],
  { notYet, isHolding }: { readonly notYet: readonly Evidence[]; readonly isHolding: boolean },
): void {
  if (evidence.length > 0)
    showCheck(terminal, isHolding ? 'pass' : 'note', 'evidence', `against ${evidenceText(evidence)}`);
  else if (notYet.length === 0) showCheck(terminal, 'warn', 'evidence', NO_EVIDENCE);
  if (notYet.length === 0) return;
  const tooNew = `not compared, since it is newer than the free delay shows: ${evidenceText(notYet)}`;
  showCheck(terminal, 'skipped', 'evidence', tooNew);
}

/** `read`: alerts in the entries that were read; `hasKey`: whether any could be compared. */
export function showCompared(
  terminal: Terminal,
  result: ComparisonResult,
  {
    outcome,
    correction,
    read,
    hasKey,
  }: { outcome: number; correction: number; read: number; hasKey: boolean },
): void {
  const settled = `${counted(outcome, 'outcome')} and ${counted(correction, 'correction')} in these entries`;
  const compared = `${result.ids.size} of ${counted(read, 'alert')} compared with the API`;
  if (result.finding !== null) showFinding(terminal, 'alerts', result.finding);
  else if (!hasKey) {
    const hint = '--key compares them, with --from-start also those of earlier runs';
    showCheck(terminal, 'skipped', 'alerts', `${compared}: ${hint}`);
    showCheck(terminal, 'skipped', 'outcomes', `${settled}; none compared`);
  } else {
    if (read === 0) showCheck(terminal, 'skipped', 'alerts', NO_NEW_ALERTS);
    else showCheck(terminal, 'pass', 'alerts', compared);
    showCheck(terminal, 'pass', 'outcomes', `${settled}; ${resultsText(result)}`);
  }
}

function resultsText({ results, notYet, unknown }: ComparisonResult): string {
  return [
    `the results of ${counted(results, 'alert')} agree with the log`,
    ...countText(notYet.length, 'not yet comparable (the key sees the log at the free delay)'),
    ...countText(unknown.length, UNKNOWN),
  ].join(', ');
}

/** A count with what it counts; nothing for 0. */
export function countText(count: number, what: string): readonly string[] {
  return count === 0 ? [] : [`${count} ${what}`];
}

/** `the head that this machine saved on 2026-11-02, 2 received alerts, 1 given head`. */
function evidenceText(evidence: readonly Evidence[]): string {
  const saved = evidence.filter(({ kind }) => kind === 'saved').map(({ name }) => name);
  const alerts = evidence.filter(({ kind }) => kind === 'alert').length;
  const heads = evidence.filter(({ kind }) => kind === 'head');
  // A given head that is shortened says how many bits it has.
  const [short, whole] = [heads.filter(isShort), heads.filter((head) => !isShort(head))];
  return [
    ...saved,
    ...(alerts === 0 ? [] : [counted(alerts, 'received alert')]),
    ...(whole.length === 0 ? [] : [counted(whole.length, 'given head')]),
    ...short.map(({ name }) => name),
  ].join(', ');
}

/** `fresh by 0x… of Yes in 0x… at 2022-11-07T…, BUY $2,000.5 at 0.4, score 72`. */
export function tapeAlertText(alert: TapeAlert): string {
  const { type, wallet, outcome, marketId, tradedAt, side, usdc, price, score } = alert;
  const at = new Date(tradedAt).toISOString();
  return `${type} by ${wallet} of ${outcome} in ${marketId} at ${at}: ${side} ${usdc} USDC at ${price}, score ${score}`;
}

function isShort({ hash }: Evidence): boolean {
  return hash.length < ALL_DIGITS;
}

function shortened(text: string): string {
  return escapeControls(text.length <= SHOWN ? text : `${text.slice(0, SHOWN)}…`);
}
