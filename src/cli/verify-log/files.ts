import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { loadRules } from '../../config/detection-rules.ts';
import type { Json } from '../../core/alerts/log/log-entry.ts';
import type { LogContents, LoggedRules } from '../../core/alerts/verification/log-contents.ts';
import {
  compareResolutions,
  compareTape,
  type MarketStatement,
} from '../../core/alerts/verification/market-comparisons.ts';
import { canonicalJson } from '../../core/base/text/canonical-json.ts';
import { escapeControls } from '../../core/base/text/escape.ts';
import { counted } from '../../core/base/text/formats.ts';
import type { EpochMs } from '../../core/base/time/duration.ts';
import { UserError } from '../../core/base/user-error.ts';
import type { Candidate } from '../../core/detection/candidate.ts';
import { Detector } from '../../core/detection/detector.ts';
import type { DetectionRules } from '../../core/detection/rules.ts';
import {
  answerOf,
  resolutionRowSchema,
} from '../../infra/market/polymarket/resolutions/resolution-answers.ts';
import { openReplay } from '../../infra/market/tapes/replay.ts';
import { systemClock } from '../../infra/process/system-clock.ts';
import { sha256 } from '../../infra/secrets/key-crypto.ts';
import { noLogger } from '../../infra/telemetry/no-logger.ts';
import { progressBar, type Terminal } from '../terminal.ts';
import { jsonValues } from './evidence.ts';
import { countText, showCheck, showFinding, tapeAlertText } from './lines.ts';

const LISTED = 20;

export async function verifyTape(
  contents: LogContents,
  { tape, rules: rulesFile }: { readonly tape: string; readonly rules: string | null },
  terminal: Terminal,
): Promise<boolean> {
  const rules = await loadRules(rulesFile);
  const { found, span, isComplete } = await judgeTape(tape, rules, (part) =>
    terminal.progress(progressBar(part)),
  );
  const { equal, missing, surplus, differing } = compareTape(found, contents.alerts.values(), span);
  const isEqual = missing.length + surplus.length + differing.length === 0;
  const period = `${new Date(span.from).toISOString()} to ${new Date(span.until).toISOString()}`;
  const counts = isEqual
    ? ''
    : `, ${missing.length} missing in the log, ${surplus.length} surplus, ${differing.length} differing`;
  const text = `${counted(equal, 'alert')} of ${period} in the log as the detector finds them on the recording${counts}`;
  showCheck(terminal, isEqual ? 'pass' : 'fail', 'tape', text);
  const surplusText = (alert: (typeof surplus)[number]) => `alert ${alert.id}, ${tapeAlertText(alert)}`;
  const differingText = ({ logged, found: { usdc, price, score } }: (typeof differing)[number]) =>
    `${surplusText(logged)}; found ${usdc} USDC at ${price}, score ${score}`;
  list(terminal, 'missing', missing.map(tapeAlertText));
  list(terminal, 'surplus', surplus.map(surplusText));
  list(terminal, 'differs', differing.map(differingText));
  for (const note of tapeNotes(contents, rules, { span, isComplete, isEqual }))
    showCheck(terminal, 'warn', 'tape', note);
  return isEqual;
}

/** Judges a tape from its start by the rules, at its own times. Throws a `UserError` when it holds no trade. */
export async function judgeTape(file: string, rules: DetectionRules, onProgress: (part: number) => void) {
  const deps = { clock: systemClock, logger: noLogger, onDrop() {} };
  const source = await openReplay({ file, speed: 0, shift: null, checkpoint: null }, deps);
  const detector = new Detector(rules, source);
  const found: Candidate[] = [];
  const span = { from: Number.POSITIVE_INFINITY, until: 0 };
  for await (const batch of source.batches(new AbortController().signal)) {
    for (const { row, acceptedAt } of batch) {
      const { candidates, dropped } = detector.judge(row, acceptedAt);
      found.push(...candidates);
      if (row.kind !== 'trade' || dropped !== null) continue;
      span.from = Math.min(span.from, row.at);
      span.until = Math.max(span.until, row.at);
    }
    onProgress(source.status().progress ?? 0);
  }
  if (span.until === 0) throw new UserError(`${file}: no line is a trade in the format of docs/tapes.md.`);
  return { found, span, isComplete: source.isComplete };
}

export async function verifyResolutions(
  contents: LogContents,
  file: string,
  logEnd: EpochMs,
  terminal: Terminal,
): Promise<boolean> {
  const statements = await marketStatements(file);
  const { equal, unstated, notYet, findings } = compareResolutions(contents, statements, logEnd);
  for (const finding of findings.slice(0, LISTED)) showFinding(terminal, 'resolutions', finding);
  const rest = [
    ...countText(findings.length, 'differ'),
    ...countText(notYet, 'resolved too recently to be in the log'),
    ...countText(unstated, 'of the log are not in the file'),
  ];
  const text = [`${counted(equal, 'outcome')} of the log equal to the market’s own`, ...rest].join(', ');
  showCheck(terminal, findings.length === 0 ? 'pass' : 'fail', 'resolutions', text);
  return findings.length === 0;
}

interface TapeRun {
  readonly span: { readonly from: EpochMs; readonly until: EpochMs };
  readonly isComplete: boolean;
  readonly isEqual: boolean;
}

function tapeNotes(
  { rules: logged, alerts }: LogContents,
  rules: DetectionRules,
  { span, isComplete, isEqual }: TapeRun,
): readonly string[] {
  const hash = sha256(canonicalJson(rules as unknown as Json));
  const other = rulesBetween(logged, span).filter((entry) => entry.sha256 !== hash);
  const names = other.map(({ version, sha256: theirs }) => `${version} (sha256 ${theirs})`);
  const notes: string[] = [];
  if (names.length > 0)
    notes.push(
      `the service used rules ${names.join(', ')}, this run ${rules.version} (sha256 ${hash}); pass the service’s with --rules`,
    );
  if (alerts.size > 0 && logged.length === 0) notes.push('the log does not say which rules the service used');
  if (!isComplete && !isEqual)
    notes.push(
      'the recording is not the whole history: alerts that depend on earlier trades or wallets are not found again',
    );
  return notes;
}

function rulesBetween(rules: readonly LoggedRules[], { from, until }: { from: EpochMs; until: EpochMs }) {
  return rules.filter(
    ({ at }, index) => at <= until && (rules[index + 1]?.at ?? Number.POSITIVE_INFINITY) > from,
  );
}

function list(terminal: Terminal, name: string, lines: readonly string[]): void {
  for (const line of lines.slice(0, LISTED)) terminal.line(`      ${name}: ${escapeControls(line)}`);
  if (lines.length > LISTED) terminal.line(`      ${name}: … and ${lines.length - LISTED} more`);
}

const rowSchema = resolutionRowSchema.extend({
  resolved_at: z.iso.datetime({ offset: true }).nullable().catch(null),
});
const answerSchema = z.object({ data: z.array(z.unknown()) });

/** The market's own resolutions as JSON (lines). Throws a `UserError` that names the first odd row. */
async function marketStatements(file: string): Promise<readonly MarketStatement[]> {
  const name = `--resolutions ${file}`;
  const text = await readFile(file, 'utf8').catch((error: Error) => {
    throw new UserError(`${name} cannot be read: ${error.message}`);
  });
  const rows = jsonValues(text, name).flatMap(rowsIn);
  return rows.flatMap((row, index) => {
    const { data } = rowSchema.safeParse(row);
    if (data === undefined)
      throw new UserError(
        `${name}: row ${index + 1} is not a row of /v2/resolutions (condition_id, status, payouts)`,
      );
    const { condition_id: marketId, status, resolved_at } = data;
    const answer = answerOf(data);
    const payouts = answer.payouts ?? answer.pricePayouts;
    if (status === 'resolved' && payouts === null) return [];
    return [{ marketId, status, payouts, resolvedAt: resolved_at === null ? null : Date.parse(resolved_at) }];
  });
}

function rowsIn(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return answerSchema.safeParse(value).data?.data ?? [value];
}
