import { ALL_DIGITS, type Evidence } from '../../core/alerts/verification/chain-check.ts';
import type { LogContents, LogMismatch } from '../../core/alerts/verification/log-contents.ts';
import type { TapeAlert } from '../../core/alerts/verification/market-comparisons.ts';
import { escapeControls } from '../../core/base/text/escape.ts';
import { counted } from '../../core/base/text/formats.ts';
import type { ComparisonResult } from '../../infra/log-service/compare-alerts.ts';
import type { LogReading } from '../../infra/log-service/read-log.ts';
import { showVerdict, type Terminal, type VerdictMark, verdictHang } from '../terminal.ts';

const CHECKS = ['log', 'evidence', 'alerts', 'exits', 'outcomes', 'tape', 'resolutions'] as const;
export type CheckName = (typeof CHECKS)[number];

const WIDTH = Math.max(...CHECKS.map((check) => check.length));
const HANG = verdictHang(WIDTH);
const SHOWN = 300;

const NO_EVIDENCE =
  'no earlier view: without an earlier head this proves nothing about the past, since a completely rewritten log is one chain too';
const UNKNOWN = 'not comparable (the outcome in the log does not name theirs)';
const MAY_BE_NEWER =
  'not compared with the log, which may have their outcomes beyond its visible end, or does not name them';

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

export function showChain(terminal: Terminal, { chain: { last } }: LogReading): void {
  const { sequence, at, hash } = last;
  if (at === undefined) {
    showCheck(terminal, 'skipped', 'log', 'no entry to read');
    return;
  }
  const entries = sequence === 1 ? 'entry 1 is intact' : `entries 1 to ${sequence} form one chain`;
  const newest = `the newest is dated ${new Date(at).toISOString()}, hash ${hash}`;
  showCheck(terminal, 'pass', 'log', `${entries}; ${newest}`);
}

export interface HeldEvidence {
  readonly evidence: readonly Evidence[];
  readonly notYet: readonly Evidence[];
  readonly unknown: number;
  readonly isHolding: boolean;
}

export function showEvidence(
  terminal: Terminal,
  { evidence, notYet, unknown, isHolding }: HeldEvidence,
): void {
  const held = evidence.filter((one) => !notYet.includes(one));
  const newest = held.reduce((most, { sequence }) => Math.max(most, sequence), 0);
  const against = `against ${evidenceText(held)}`;
  if (held.length === 0) showCheck(terminal, 'warn', 'evidence', NO_EVIDENCE);
  else if (isHolding)
    showCheck(terminal, 'pass', 'evidence', `entries up to ${newest} unchanged, ${against}`);
  else showCheck(terminal, 'note', 'evidence', against);
  if (unknown > 0)
    showCheck(terminal, 'skipped', 'evidence', `${counted(unknown, 'received result')} ${MAY_BE_NEWER}`);
  if (notYet.length === 0) return;
  const tooNew = `not compared, since it is newer than the free delay shows: ${evidenceText(notYet)}`;
  showCheck(terminal, 'skipped', 'evidence', tooNew);
}

export function showCompared(
  terminal: Terminal,
  result: ComparisonResult | null,
  { alerts, exits, counts: { outcome, correction } }: LogContents,
): void {
  const settled = `${counted(outcome, 'outcome')} and ${counted(correction, 'correction')}`;
  if (result === null) {
    showCheck(
      terminal,
      'skipped',
      'alerts',
      `none of ${counted(alerts.size, 'alert')} compared with the API: --key compares them`,
    );
    if (exits.length > 0) showCheck(terminal, 'skipped', 'exits', `${exits.length}; none compared`);
    showCheck(terminal, 'skipped', 'outcomes', `${settled}; none compared`);
  } else if (result.finding !== null) showFinding(terminal, 'alerts', result.finding);
  else {
    showCheck(terminal, 'pass', 'alerts', `${counted(result.compared, 'alert')} compared with the API`);
    if (result.exits > 0)
      showCheck(terminal, 'pass', 'exits', `${result.exits}, corrections included, compared with the API`);
    showCheck(terminal, 'pass', 'outcomes', `${settled}; ${resultsText(result)}`);
  }
}

function resultsText({ results, notYet, unknown }: ComparisonResult): string {
  return [
    `the results of ${counted(results, 'alert')} agree with the log`,
    ...countText(notYet.length, 'not yet comparable (the key sees the log at the free delay)'),
    ...countText(unknown, UNKNOWN),
  ].join(', ');
}

export function countText(count: number, what: string): readonly string[] {
  return count === 0 ? [] : [`${count} ${what}`];
}

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
