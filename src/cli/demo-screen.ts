import type { Container } from '../container.ts';
import { ALERT_TYPES, type Alert } from '../core/alert.ts';
import { summariseRecord } from '../core/record.ts';
import { alertLines, resultLine } from './alert-lines.ts';
import { recordTable } from './record-table.ts';
import type { Terminal } from './terminal.ts';

const PAGE = 1_000;

/** Prints each alert as it comes and each result as it is known, until the signal aborts. */
export async function showAlerts(
  { database, feed }: Container,
  afterId: number,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<void> {
  const history = (await allAlerts(database.alerts)).filter(({ id }) => id <= afterId);
  const byMarket = Map.groupBy(history, ({ marketId }) => marketId);
  const ends = [
    feed.subscribe(afterId, (alerts) => {
      for (const alert of alerts.filter(({ isHistory }) => !isHistory)) {
        byMarket.set(alert.marketId, [...(byMarket.get(alert.marketId) ?? []), alert]);
        for (const text of alertLines(alert, terminal)) terminal.line(text);
      }
    }),
    feed.onResolution((resolution) => {
      const text = resultLine(byMarket.get(resolution.marketId) ?? [], resolution, Date.now(), terminal);
      if (text !== null) terminal.line(text);
    }),
  ];
  await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
  for (const end of ends) end();
  terminal.line();
  terminal.line('Stopped.');
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
  for (const alert of alerts.slice(-3)) for (const text of alertLines(alert, terminal)) terminal.line(text);
  terminal.line();
  terminal.line(recordTable(summariseRecord(alerts)));
  terminal.line();
  const rate =
    resolved === 0
      ? 'none resolved'
      : `${resolved} resolved, ${won} right (${Math.round((won / resolved) * 100)} %)`;
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
