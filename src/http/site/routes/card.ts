import { z } from 'zod';
import { isWithdrawalStated } from '../../../core/statements/withdrawal-statement.ts';
import { clientOf } from '../../hooks/client-address.ts';
import { visibleUntil } from '../../query/free-delay.ts';
import { type SitePart, sendNotFound } from '../site.ts';

const ID = /^[1-9]\d{0,14}$/;

const paramsSchema = z.object({ id: z.string() });

/** The picture of an alert, for previews of links. The query of its address does not change it. */
export function registerCard({ app, deps, site }: SitePart): void {
  app.get('/alerts/:id.png', { schema: { hide: true, params: paramsSchema } }, async (request, reply) => {
    const { id } = request.params;
    const alert = ID.test(id) ? await deps.alerts.byId(Number(id)) : null;
    if (alert === null || alert.createdAt > visibleUntil({ isRealtime: false }, deps)) {
      sendNotFound(deps, reply);
      return reply;
    }
    const isWithdrawn = await isWithdrawalStated(site.statements, alert.id);
    const card = await site.cards.get({ alert, isWithdrawn }, clientOf(request.ip));
    void card.send(request, reply);
    return reply;
  });
}
