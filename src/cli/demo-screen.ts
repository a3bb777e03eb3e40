import type { Container } from '../container.ts';
import { ALERT_TYPES, type Alert } from '../core/alert.ts';
import { summariseRecord } from '../core/record.ts';
import { untilAborted } from '../core/until-aborted.ts';
import { alertLines, resultLine } from './alert-lines.ts';
import { PROGRAM } from './program.ts';
import { recordTable } from './record-table.ts';
import type { Terminal } from './terminal.ts';

const PAGE = 1_000;
const LEGEND = 'time, score of 100, type, trade; the market; the parts of the score';
const STATUS_EVERY_MS = 1_000;

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
  terminal.line(`Alerts: ${LEGEND}.`);
  const status = setInterval(() => {
    const time = new Date(ingest?.status().detector?.time ?? 0).toISOString().slice(0, 16).replace('T', ' ');
    terminal.progress(terminal.style('gray', `tape time ${time} UTC · ${count} alerts so far`));
  }, STATUS_EVERY_MS);
  const ends = [
    feed.subscribe(afterId, (alerts) => {
      for (const alert of alerts.filter(({ isHistory }) => !isHistory)) {
        count += 1;
        byMarket.set(alert.marketId, [...(byMarket.get(alert.marketId) ?? []), alert]);
        for (const text of alertLines(alert, terminal)) terminal.line(text);
      }
    }),
    feed.onResolution((resolution) => {
      const text = resultLine(byMarket.get(resolution.marketId) ?? [], resolution, Date.now(), terminal);
      if (text !== null) terminal.line(text);
    }),
  ];
  await untilAborted(signal);
  for (const end of ends) end();
  clearInterval(status);
  terminal.line();
  terminal.line(`Stopped after ${count} alerts. To run the service itself: ${PROGRAM} start (README.md).`);
}

/** What a whole replay found and what it would have earned. */
export async function printSummary(
  { database }: Container,
  seconds: string,
  terminal: Terminal,
): Promise<void> {
  const alerts = await allAlerts(database.alerts);
  const counts = ALERT_TYPES.map((type) => `${alerts.filter((alert) => alert.type === type).length} ${type}`);
  const { resolved, won } = await database.resolutions.totals();
  terminal.line(`The last three of ${alerts.length} alerts (${LEGEND}):`);
  for (const alert of alerts.slice(-3)) for (const text of alertLines(alert, terminal)) terminal.line(text);
  terminal.line();
  terminal.line(recordTable(summariseRecord(alerts)));
  terminal.line();
  const rate =
    resolved === 0
      ? 'none resolved'
      : `${resolved} resolved, ${won} right (${Math.round((won / resolved) * 100)} %)`;
  terminal.line(
    'Copies in one market are not independent: the second table is the one to read (docs/detection.md).',
  );
  terminal.line(`${alerts.length} alerts in ${seconds} s: ${counts.join(', ')}; ${rate}.`);
}

async function allAlerts(store: Container['database']['alerts']): Promise<readonly Alert[]> {
  const all: Alert[] = [];
  for (;;) {
    const page = await store.after(all.at(-1)?.id ?? 0, PAGE);
    if (page.length === 0) return all;
    all.push(...page);
  }
}
