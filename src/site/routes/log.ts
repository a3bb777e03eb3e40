import { z } from 'zod';
import type { CallerSchedule } from '../../core/alerts/archive/archive-scheduler.ts';
import { DELAYED, visibleUntil } from '../../core/alerts/free-delay.ts';
import type { LogEntry } from '../../core/alerts/log/log-entry.ts';
import { LogMonths } from '../../core/alerts/log/log-months.ts';
import { entryLine } from '../../core/alerts/log/seal.ts';
import { LOG_PATH, logEntryJsonPath, logEntryPath } from '../../core/alerts/site-paths.ts';
import { schedulePage } from '../../http/hooks/archive-schedule.ts';
import { refuse } from '../../http/hooks/refuse.ts';
import { jsonAnswer } from '../../http/views/ready-answer.ts';
import { logPath, logQuerySchema } from '../list-query.ts';
import { LOG_PAGE_ENTRIES, logPage } from '../pages/log.ts';
import { logEntryPage } from '../pages/log-entry.ts';
import { type LogContext, marketIdOf } from '../parts/log-words.ts';
import { pageRoute, type SitePart } from '../site.ts';

const DIGITS = /^\d{1,15}$/;
const NUMBER = /^[1-9]\d{0,14}$/;
/** What is public of an entry never changes. */
const FOREVER = 'public, max-age=31536000, immutable';

export function registerLogPage(part: SitePart): void {
  const months = new LogMonths(part.deps.log);
  pageRoute({
    url: LOG_PATH,
    isForPeopleOnly: true,
    query: logQuerySchema,
    name: (_path, query) => logPath(query),
    async read({ deps }, { query }, schedule) {
      const head = await deps.logHeads.read(DELAYED);
      const through = Math.min(query.through ?? head.sequence, head.sequence);
      const after = Math.max(0, through - LOG_PAGE_ENTRIES);
      const [entries, spans] = await Promise.all([
        readEntries(part, schedule, { after, through }),
        schedule.searches(() => months.all(head)),
      ]);
      const context = await contextOf(entries, part, schedule);
      const { publicUrl, freeDelayMs } = deps;
      return () => logPage({ query, head, entries, months: spans, context, publicUrl, freeDelayMs });
    },
  })(part);
}

export const registerLogEntry = pageRoute({
  url: '/log/:sequence',
  path: ({ sequence = '' }) =>
    DIGITS.test(sequence) && Number(sequence) > 0 ? logEntryPath(Number(sequence)) : null,
  async read(part, { params }, schedule) {
    const sequence = Number(params['sequence']);
    const head = await part.deps.logHeads.read(DELAYED);
    if (sequence > head.sequence) return null;
    const after = Math.max(0, sequence - 2);
    const through = Math.min(sequence + 1, head.sequence);
    const entries = await readEntries(part, schedule, { after, through });
    const entry = entries.find((one) => one.sequence === sequence) as LogEntry;
    const next = entries.find((one) => one.sequence === sequence + 1) ?? null;
    const context = await contextOf([entry], part, schedule);
    return () => logEntryPage({ entry, next, context, publicUrl: part.deps.publicUrl });
  },
});

const paramsSchema = z.object({ sequence: z.string() });

/** Not in the OpenAPI document: it describes what every service has, and the site can be left out. */
export function registerLogEntryJson(part: SitePart): void {
  const { app, deps, site } = part;
  const schema = { hide: true, params: paramsSchema };
  app.get('/log/:sequence.json', { schema }, async (request, reply) => {
    const { sequence } = request.params;
    const make = async (schedule: CallerSchedule) => {
      const number = Number(sequence);
      const head = await deps.logHeads.read(DELAYED);
      if (number > head.sequence) return null;
      const [entry] = await readEntries(part, schedule, { after: number - 1, through: number });
      const text = entryLine(entry as LogEntry);
      return { answer: jsonAnswer(text, FOREVER), bytes: text.length, topics: [] };
    };
    const found = NUMBER.test(sequence)
      ? await site.pages.get(logEntryJsonPath(Number(sequence)), () => schedulePage(request, deps, make))
      : null;
    if (found !== null) return found.send(request, reply);
    return refuse(reply, 'log_file_not_found', `The log has no public entry ${sequence}.`);
  });
}

/** The entries after one number and up to another, ascending. */
async function readEntries(
  { deps }: SitePart,
  { searches }: CallerSchedule,
  { after, through }: { readonly after: number; readonly through: number },
): Promise<readonly LogEntry[]> {
  if (through <= after) return [];
  const entries = await searches(() => deps.log.after(after, { limit: through - after }));
  if (entries.length < through - after) throw new Error(`the log has no entry ${after + entries.length + 1}`);
  return entries;
}

async function contextOf(
  entries: readonly LogEntry[],
  { deps, site }: SitePart,
  { searches }: CallerSchedule,
): Promise<LogContext> {
  const marketIds = [...new Set(entries.flatMap((entry) => marketIdOf(entry) ?? []))];
  const until = visibleUntil(DELAYED, deps);
  const [hidden, { markets }] = await Promise.all([
    site.statements.hiddenWallets(),
    marketIds.length === 0
      ? { markets: [] }
      : searches(() => deps.alerts.matching({ until }, { ids: [], marketIds })),
  ]);
  const alerts = await Promise.all(markets.map(({ newest }) => deps.alerts.byId(newest)));
  const found = alerts.flatMap((alert) => (alert === null ? [] : [[alert.marketId, alert] as const]));
  return { hidden: new Set(hidden), markets: new Map(found) };
}
