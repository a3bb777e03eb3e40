import type { Container } from '../container.ts';
import { TIERS, type Tier } from '../core/accounts/tier.ts';
import type { Alert } from '../core/alerts/alert.ts';
import { typeInRow, typeInSentence } from '../core/alerts/alert-names.ts';
import { betOf, isRight } from '../core/alerts/bet.ts';
import { describeResult, describeTrade } from '../core/alerts/describe-alert.ts';
import type { Exit } from '../core/alerts/exits/exit.ts';
import { ExitReader } from '../core/alerts/exits/exit-reader.ts';
import { DelayedFeed } from '../core/alerts/ledger/feed.ts';
import { isOfSameOrder, newestOfThreads } from '../core/alerts/ledger/thread.ts';
import { type MarketSettlement, resolutionOf } from '../core/alerts/settlement.ts';
import { allPages } from '../core/base/async/paged.ts';
import { repeat } from '../core/base/async/repeat.ts';
import { counted, scoreBar, shortWallet, signedDollars } from '../core/base/text/formats.ts';
import { ALERT_TYPES } from '../core/detection/candidate.ts';
import type { RecordReport } from '../core/record/record-report.ts';
import { MIDTERMS_TAPE, PROGRAM } from '../infra/process/program.ts';
import { systemClock } from '../infra/process/system-clock.ts';
import { printFigures } from './record-text.ts';
import type { Terminal } from './terminal.ts';

const PAGE = 1_000;
const LOOK_EVERY_MS = 1_000;
const ALL = Number.MAX_SAFE_INTEGER;
const STRONGEST = 3;
const BACKTEST = `${PROGRAM} backtest ${MIDTERMS_TAPE}`;

interface Shown {
  readonly page: string;
  readonly freeDelayMs: number;
  readonly terminal: Terminal;
}

export async function showAlerts(
  { database, feed, ingest }: Container,
  { page, freeDelayMs, terminal }: Shown,
  signal: AbortSignal,
): Promise<void> {
  const { alerts: store, alertIndex, settlements } = database;
  const until = () => systemClock.now() - freeDelayMs;
  const exits = new ExitReader(database);
  const shown: Alert[] = [];
  // Those that are public before are on the page only.
  const known = (await settlements.after(0, ALL)).findLast(({ at }) => at <= until());
  let lastResult = known?.log.seq ?? 0;
  let count = 0;
  const onAlert = (found: Alert) => {
    const alert = alertIndex.asOf(found, until());
    const before = shown.at(-1) ?? null;
    printAlert(alert, { time: clockTime(systemClock.now()), before, exit: null }, terminal);
    shown.push(alert);
    count += 1;
  };
  const delayed = new DelayedFeed({ alerts: store, feed, clock: systemClock, delayMs: freeDelayMs, onAlert });
  await delayed.open();
  shown.push(...(await allAlerts(store)).filter(({ id }) => id <= delayed.newestId));
  terminal.prose(`Each alert: local time, ${LEGEND}.`);
  const showResult = async (settlement: MarketSettlement) => {
    const bets = newestOfThreads(shown.filter(({ marketId }) => marketId === settlement.marketId));
    const exitOf = await exits.ofList(bets, until());
    const text = resultLine(bets, settlement, { time: clockTime(systemClock.now()), exitOf }, terminal);
    if (text !== null) terminal.prose(text, HANG);
  };
  let isOver = false;
  const look = async () => {
    const settled = await settlements.after(lastResult, ALL);
    const due = settled.filter(({ at }) => at <= until());
    for (const settlement of due) {
      await showResult(settlement);
      lastResult = settlement.log.seq;
    }
    if (isOver || ingest?.status().hasEnded !== true) return;
    const [next] = await store.after(delayed.newestId, 1);
    if (next === undefined && settled.length === due.length) {
      isOver = true;
      terminal.prose(
        `The tape has ended, after ${counted(count, 'alert')} here; a new demo plays it again. The page stays until Ctrl+C: ${page}`,
      );
    }
  };
  await repeat(look, { clock: systemClock, signal, intervalMs: LOOK_EVERY_MS });
  delayed.close();
  terminal.line();
  terminal.line(`Stopped after ${counted(count, 'alert')}. What the alerts of this tape were worth:`);
  terminal.line(`  ${BACKTEST}`);
  terminal.line(`The live market, with its own database:`);
  terminal.line(`  ${PROGRAM} start`);
}

export async function printSummary(
  { database }: Container,
  report: RecordReport,
  seconds: string,
  terminal: Terminal,
): Promise<void> {
  const { conclusion } = report;
  const alerts = await allAlerts(database.alerts);
  const counts = ALERT_TYPES.map(
    (type) => `${typeInSentence(type)} ${alerts.filter((alert) => alert.type === type).length}`,
  );
  const settled = alerts.filter(({ resolution }) => resolution !== null).length;
  terminal.prose(terminal.style('bold', conclusion));
  terminal.line();
  terminal.prose(`The strongest of ${counted(alerts.length, 'alert')}: UTC time, ${LEGEND}; the result.`);
  const strongest = strongestOf(alerts);
  const exitOf = await new ExitReader(database).ofList(strongest, Number.POSITIVE_INFINITY);
  for (const alert of strongest) {
    const time = new Date(alert.createdAt).toISOString().slice(5, 19).replace('T', ' ');
    const before = alerts[alert.id - 2] ?? null;
    printAlert(alert, { time, before, exit: exitOf.get(alert.id) ?? null }, terminal);
  }
  terminal.line();
  printFigures(report, terminal);
  terminal.line();
  // On a screen the first line is gone by now.
  terminal.prose(conclusion);
  terminal.line(`The whole record: ${BACKTEST}`);
  terminal.prose(
    `${counted(alerts.length, 'alert')} in ${seconds} s: ${counts.join(', ')}; ${settled} settled.`,
  );
}

function strongestOf(alerts: readonly Alert[]): readonly Alert[] {
  return newestOfThreads(alerts)
    .toSorted((a, b) => b.score - a.score || a.id - b.id)
    .slice(0, STRONGEST);
}

function printAlert(alert: Alert, beside: Beside, terminal: Terminal): void {
  for (const text of alertLines(alert, beside, terminal)) terminal.prose(text, HANG);
}

export function allAlerts(store: Container['database']['alerts']): Promise<readonly Alert[]> {
  return allPages((last?: Alert) => store.after(last?.id ?? 0, PAGE), PAGE);
}

const SCORE_STYLES = [
  [80, 'red'],
  [60, 'yellow'],
  [40, 'cyan'],
  [0, 'gray'],
] as const;

/** Indent of the lines below an alert's first: little, so that most trades fit into 80 columns. */
export const HANG = 2;
const LEGEND = 'score of 100, type, number and wallet; the market; the trade; the parts of the score';

interface Beside {
  readonly time: string;
  /** The alert with the id before this one, if known. */
  readonly before: Alert | null;
  /** The last exit of its thread; null without one. */
  readonly exit: Exit | null;
}

/** An alert as a person reads it. */
export function alertLines(
  alert: Alert,
  { time, before, exit }: Beside,
  { style }: Pick<Terminal, 'style'>,
): readonly string[] {
  const score = String(alert.score).padStart(3);
  const bar = scoreBar(alert.score);
  const colour = SCORE_STYLES.find(([from]) => alert.score >= from)?.[1] ?? 'gray';
  const reasons = alert.details.reasons.map(({ note, points }) => `${note} (${points})`).join(' · ');
  const identity = style('gray', `#${alert.id} ${shortWallet(alert.wallet)}${relations(alert, before)}`);
  const result = describeResult(alert, exit);
  const below = [
    alert.eventTitle,
    describeTrade(alert),
    style('gray', reasons),
    ...(result === null ? [] : [result]),
  ];
  return [
    `${time} ${style(colour, `${score} ${bar}`)} ${style('bold', typeInRow(alert).padEnd(18))} ${identity}`,
    ...below.map((text) => `${' '.repeat(HANG)}${text}`),
  ];
}

/** The earlier alert of the thread, and for a cluster the alert of the order that started it. */
function relations(alert: Alert, before: Alert | null): string {
  const more = alert.supersedes === null ? '' : ` · more of #${alert.supersedes}`;
  return isOfSameOrder(alert, before) ? `${more} · includes #${before.id}` : more;
}

/** How a market ended, and its bets: what each won or lost with what was held. Null without one. */
export function resultLine(
  bets: readonly Alert[],
  settlement: MarketSettlement,
  { time, exitOf }: { readonly time: string; readonly exitOf: ReadonlyMap<number, Exit> },
  { style }: Pick<Terminal, 'style'>,
): string | null {
  const [first] = bets;
  if (first === undefined) return null;
  const settled = bets.map((alert) => ({ ...alert, resolution: resolutionOf(alert, settlement) }));
  const won = settled.filter(isRight).length;
  const profit = settled.reduce(
    (sum, alert) => sum + (betOf(alert, exitOf.get(alert.id)).resultUsdc ?? 0),
    0,
  );
  const winner = settlement.outcomes[settlement.payouts.indexOf(1)];
  const outcome = winner === undefined ? 'was split' : `went to ${winner}`;
  const count = `${counted(bets.length, 'bet')}, ${won} right`;
  const sum = style(profit < 0 ? 'red' : 'green', signedDollars(profit));
  return `${time}  ${style('bold', 'RESULT')}  ${first.eventTitle} ${outcome}: ${count}; ${sum} at settlement, before fees`;
}

/** When a line appears, by the clock of the person who reads it. */
function clockTime(at: number): string {
  return new Date(at).toTimeString().slice(0, 8);
}

interface DemoHead {
  readonly address: string;
  readonly secrets: Readonly<Record<Tier, string>>;
}

const LABEL_WIDTH = 14;

/** Addresses, keys and three commands to paste, in 80 columns but for Windows, whose shells share no variables. */
export function demoHead(
  { address, secrets }: DemoHead,
  platform: string = process.platform,
): readonly string[] {
  const table = [
    ['Page', `${address}/`],
    ['API', `${address}/api/v1`],
    ...TIERS.map((tier) => [`${tier} key`, secrets[tier]]),
  ];
  return [
    ...table.map(([label = '', value = '']) => `${label.padEnd(LABEL_WIDTH)}  ${value}`),
    '',
    'In other terminals: a call, the bot, and webhooks.',
    ...(platform === 'win32' ? windowsCall : shellCall)(address, secrets.enterprise),
    `${PROGRAM} chat --demo`,
    `${PROGRAM} listen`,
  ];
}

/** The variables are those that the examples of the documents take. */
function shellCall(address: string, secret: string): readonly string[] {
  return [
    `export TIPOFF_API_KEY=${secret}`,
    `export TIPOFF_URL=${address}`,
    'curl -H "Authorization: Bearer $TIPOFF_API_KEY" $TIPOFF_URL/api/v1/alerts/latest',
  ];
}

function windowsCall(address: string, secret: string): readonly string[] {
  return [`curl.exe -H "Authorization: Bearer ${secret}" "${address}/api/v1/alerts/latest"`];
}
