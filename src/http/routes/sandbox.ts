import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { component, flag, listOf } from '../schemas/fields.ts';
import { sandboxAlertSchema } from '../views/alert-view.ts';
import { jsonAnswer, notModifiedReply } from '../views/ready-answer.ts';
import { SAMPLE_ALERTS, SAMPLE_DAY } from '../views/sample-day.ts';

const sandboxSchema = component(
  'SandboxAlerts',
  'A sample day.',
  { sample: true, day: SAMPLE_DAY, alerts: SAMPLE_ALERTS.slice(0, 1).map((text) => JSON.parse(text)) },
  {
    sample: flag('Always true. These are samples: real alerts of a past day, for trying out a client.'),
    day: z.iso.date().describe('The UTC day of the alerts.'),
    alerts: listOf(sandboxAlertSchema, 'Its alerts, oldest first.'),
  },
);

export function registerSandbox(app: FastifyInstance): void {
  const answer = jsonAnswer(
    `{"sample":true,"day":"${SAMPLE_DAY}","alerts":[${SAMPLE_ALERTS.join(',')}]}`,
    'public, max-age=86400',
  );
  app.get('/sandbox/alerts.json', {
    schema: {
      operationId: 'getSandboxAlerts',
      tags: ['Documents'],
      summary: 'A sample day',
      description:
        'Public: no key is needed. The alerts of the day before the election of 2022, each complete with its outcome and marked with `"sample": true`. The answer never changes within a version.',
      security: [],
      response: { 200: sandboxSchema, ...notModifiedReply },
    },
    handler: (request, reply) => answer.send(request, reply),
  });
}
