import type { Container } from '../container.ts';
import { ALERT_TYPES, type Alert } from '../core/alerts/alert.ts';
import { counted } from '../core/alerts/alert-words.ts';
import { repeat } from '../core/async/repeat.ts';
import { conclusionOf } from '../core/record/conclusion.ts';
import { summariseRecord } from '../core/record/record.ts';
import { systemClock } from '../infra/system-clock.ts';
import { alertLines, HANG, LEGEND, resultLine } from './alert-lines.ts';
import { PROGRAM } from './program.ts';
import { recordTable } from './record-table.ts';
import type { Terminal } from './terminal.ts';

const PAGE = 1_000;
const STATUS_EVERY_MS = 1_000;
/** Alerts that a summary shows. */
const STRONGEST = 3;
/** All markets of the tape end on the day of the election. */
const EVENT = '2022-11-08';

/** Prints each alert as it comes and each result as it is known, until the signal aborts. */
export async function showAlerts(
  { database, feed, ingest }: Container,
  afterId: number,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<void> {
  const history = (await allAlerts(database.alerts)).filter(({ id }) => id <= afterId);
  const byMarket = Map.groupBy(history, ({ marketId }) => marketId);
  let count = 0;
  let before = history.at(-1) ?? null;
  terminal.prose(`Alerts: ${LEGEND}.`);
  const showStatus = () => {
    const time = new Date(ingest?.status().detector?.time ?? 0).toISOString().slice(0, 16).replace('T', ' ');
    terminal.progress(terminal.style('gray', `tape time ${time} UTC · ${counted(count, 'alert')} so far`));
  };
  const ends = [
    feed.subscribe(afterId, (alerts) => {
      for (const alert of alerts.filter(({ isHistory }) => !isHistory)) {
        count += 1;
        byMarket.set(alert.marketId, [...(byMarket.get(alert.marketId) ?? []), alert]);
        printAlert(alert, before, terminal);
        before = alert;
      }
    }),
    feed.onResolution((resolution) => {
      const text = resultLine(byMarket.get(resolution.marketId) ?? [], resolution, Date.now(), terminal);
      if (text !== null) terminal.prose(text, HANG);
    }),
  ];
  await repeat(showStatus, { clock: systemClock, signal, intervalMs: STATUS_EVERY_MS });
  for (const end of ends) end();
  terminal.line();
  terminal.prose(
    `Stopped after ${counted(count, 'alert')}. To run the service itself: ${PROGRAM} start (README.md).`,
  );
}

/** What can be concluded from a whole replay, and what it found. */
export async function printSummary(
  { database }: Container,
  seconds: string,
  terminal: Terminal,
): Promise<void> {
  const alerts = await allAlerts(database.alerts);
  const record = summariseRecord(alerts, { eventOf: () => EVENT });
  const conclusion = conclusionOf(record, 'night');
  const counts = ALERT_TYPES.map((type) => `${alerts.filter((alert) => alert.type === type).length} ${type}`);
  terminal.prose(terminal.style('bold', conclusion));
  terminal.line();
  terminal.prose(`The strongest of ${counted(alerts.length, 'alert')}: ${LEGEND}; the result.`);
  for (const alert of strongestOf(alerts)) printAlert(alert, alerts[alert.id - 2] ?? null, terminal);
  terminal.line();
  terminal.line(recordTable(record));
  terminal.line();
  // On a screen the first line is gone by now.
  terminal.prose(conclusion);
  terminal.prose(
    `${counted(alerts.length, 'alert')} in ${seconds} s: ${counts.join(', ')}; ${record.all.perAlert.resolved} settled.`,
  );
}

/** Of different threads: a later alert of one is more of the same bet. */
function strongestOf(alerts: readonly Alert[]): readonly Alert[] {
  const byScore = alerts.toSorted((a, b) => b.score - a.score || a.id - b.id);
  const threads = Map.groupBy(byScore, ({ threadId }) => threadId).values();
  return [...threads].flatMap(([strongest]) => strongest ?? []).slice(0, STRONGEST);
}

function printAlert(alert: Alert, before: Alert | null, terminal: Terminal): void {
  for (const text of alertLines(alert, before, terminal)) terminal.prose(text, HANG);
}

async function allAlerts(store: Container['database']['alerts']): Promise<readonly Alert[]> {
  const all: Alert[] = [];
  for (;;) {
    const page = await store.after(all.at(-1)?.id ?? 0, PAGE);
    if (page.length === 0) return all;
    all.push(...page);
  }
}
