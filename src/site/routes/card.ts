import { z } from 'zod';
import { DELAYED, visibleUntil } from '../../core/alerts/free-delay.ts';
import { cardPath } from '../../core/alerts/site-paths.ts';
import { QueueFullError } from '../../core/base/async/fair-queue.ts';
import { clientOf } from '../../http/hooks/client-address.ts';
import { refuse } from '../../http/hooks/refuse.ts';
import { readCourse } from '../alert-course.ts';
import { CARDS_MAX } from '../cards.ts';
import { sendNotFound } from '../short-pages.ts';
import type { SitePart } from '../site.ts';

const RETRY_SECONDS = 1;
const REFUSAL = `Too many simultaneous requests for pictures from this address: at most ${CARDS_MAX.perCaller}.`;
const ID = /^[1-9]\d{0,14}$/;

const paramsSchema = z.object({ id: z.string() });

export function registerCard({ app, deps, site }: SitePart): void {
  app.get('/alerts/:id.png', { schema: { params: paramsSchema } }, async (request, reply) => {
    const { id } = request.params;
    // Of all callers: one picture is for everyone.
    const until = visibleUntil(DELAYED, deps);
    const alert = ID.test(id) ? await deps.alerts.visible(Number(id), until) : null;
    if (alert === null) {
      sendNotFound(reply, deps, site);
      return reply;
    }
    const [newest = alert] = await deps.alerts.newestOfThreads([alert], until);
    const exit = (await deps.exits.ofThreads([alert.threadId], until)).get(alert.threadId) ?? null;
    const read = async () => {
      const { chart } = await readCourse(alert, { deps, site }, until);
      return { alert, newest, exit, chart };
    };
    const key = `${cardPath(alert, exit)} ${alert.withdrawn !== null} ${newest.id}`;
    try {
      const card = await site.cards.get(key, read, clientOf(request.ip));
      void card.send(request, reply);
      return reply;
    } catch (error) {
      if (!(error instanceof QueueFullError) || error.scope === 'all') throw error;
      return refuse(reply.header('retry-after', RETRY_SECONDS), 'rate_limited', REFUSAL);
    }
  });
}
