import { z } from 'zod';
import { alertJsonPath, alertPath } from '../../core/alerts/site-paths.ts';
import { pageInTurn } from '../../http/hooks/read-turn.ts';
import { refuse } from '../../http/hooks/refuse.ts';
import { TOPICS } from '../../http/views/page-cache.ts';
import { jsonAnswer } from '../../http/views/ready-answer.ts';
import { alertReportJson } from '../alert-json.ts';
import { readAlertReport } from '../alert-report.ts';
import { alertPage } from '../pages/alert.ts';
import { runningBots } from '../service-report.ts';
import { publicAfter } from '../short-pages.ts';
import { pageRoute, type SitePart } from '../site.ts';

const DIGITS = /^\d{1,15}$/;
const ID = /^[1-9]\d{0,14}$/;
/** Kept, and asked for again each time: the tag decides. */
const CACHE = 'public, no-cache';

export const registerAlert = pageRoute({
  url: '/alerts/:id',
  path: ({ id = '' }) => (DIGITS.test(id) && Number(id) > 0 ? alertPath(Number(id)) : null),
  async read(part, { params }) {
    const report = await readAlertReport(Number(params['id']), part);
    if (report === null) return null;
    const bots = await runningBots(part);
    return () => alertPage(report, bots);
  },
});

const paramsSchema = z.object({ id: z.string() });

/** Not in the OpenAPI document: it describes what every service has, and the site can be left out. */
export function registerAlertJson(part: SitePart): void {
  const { app, deps, site } = part;
  app.get('/alerts/:id.json', { schema: { params: paramsSchema } }, async (request, reply) => {
    const { id } = request.params;
    const found = ID.test(id)
      ? await site.pages.get(alertJsonPath(Number(id)), () =>
          pageInTurn(request, deps, async () => {
            const report = await readAlertReport(Number(id), part);
            if (report === null) return null;
            const text = alertReportJson(report, deps.publicUrl);
            const topics = [TOPICS.market(report.alert.marketId)];
            return { answer: jsonAnswer(text, CACHE), bytes: text.length, topics };
          }),
        )
      : null;
    if (found !== null) return found.send(request, reply);
    return refuse(reply, 'alert_not_found', `Alert ${id} was not found. ${publicAfter(deps.freeDelayMs)}`);
  });
}
