import { z } from 'zod';
import { visibleUntil } from '../../core/alerts/free-delay.ts';
import { refuse } from '../hooks/refuse.ts';
import { errorSchema } from '../schemas/replies.ts';
import { invalidValue } from '../schemas/validation.ts';
import type { Api, ServerDeps } from '../server-deps.ts';
import { alertSchema, alertView } from '../views/alert-view.ts';

const INTEGER = /^[+-]?\d+$/;

/** Kept as text: integers beyond the safe range are valid too. */
const paramsSchema = z.object({
  id: z
    .string()
    .superRefine((text, context) => {
      if (INTEGER.test(text)) return;
      context.addIssue(
        invalidValue('int_parsing', 'Input should be a valid integer, unable to parse string as an integer'),
      );
    })
    .meta({ type: 'integer', description: 'Identifier of the alert.', examples: [4821] }),
});

export function registerAlertById(app: Api, deps: ServerDeps): void {
  app.get('/alerts/:id', {
    schema: {
      operationId: 'getAlert',
      tags: ['Alerts'],
      summary: 'One alert',
      description: 'The full alert. For a free key, an alert younger than 5 minutes is a 404.',
      params: paramsSchema,
      response: { 200: alertSchema, 404: errorSchema },
    },
    async handler(request, reply) {
      const { id: text } = request.params;
      const id = Number(text);
      const alert = Number.isSafeInteger(id) && id > 0 ? await deps.alerts.byId(id) : null;
      if (alert === null || alert.createdAt > visibleUntil(request.audience, deps)) {
        return refuse(reply, 'alert_not_found', `Alert ${text} was not found.`);
      }
      return alertView(alert);
    },
  });
}
