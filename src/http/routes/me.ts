import { z } from 'zod';
import { TIERS } from '../../core/tier.ts';
import { callerOf } from '../hooks/api-key-auth.ts';
import type { Api, ServerDeps } from '../server-deps.ts';

const EXAMPLE = {
  name: 'My bot',
  tier: 'pro',
  rate_limit: '300/min',
  websocket: true,
  webhooks: false,
  realtime: true,
  max_page_size: 50,
  requests_today: 1204,
};

const meSchema = z
  .object({
    name: z.string().describe('Custom label of the key.'),
    tier: z.enum(TIERS).describe('Tier of the key at this moment.'),
    rate_limit: z.string().describe('Limit of the key, such as `300/min`; `unlimited` without one.'),
    websocket: z.boolean().describe('True when the stream is allowed.'),
    webhooks: z.boolean().describe('True when webhook registration is allowed.'),
    realtime: z.boolean().describe('False under the 5-minute free-tier delay.'),
    max_page_size: z.number().int().describe('Largest page size for `GET /alerts`.'),
    requests_today: z.number().int().describe('API calls made since UTC midnight.'),
  })
  .meta({ id: 'KeyInfo', description: 'The calling key.', examples: [EXAMPLE] });

export function registerMe(app: Api, { usage }: ServerDeps): void {
  app.get('/me', {
    schema: {
      operationId: 'getKeyInfo',
      tags: ['Key'],
      summary: 'The calling key',
      description: 'Tier, limits and calls of the calling key.',
      response: { 200: meSchema },
    },
    async handler(request) {
      const { key, tier, policy } = callerOf(request);
      return {
        name: key.name,
        tier,
        rate_limit: policy.requestsPerMinute === null ? 'unlimited' : `${policy.requestsPerMinute}/min`,
        websocket: policy.hasStream,
        webhooks: policy.hasWebhooks,
        realtime: policy.isRealtime,
        max_page_size: policy.maxPageSize,
        requests_today: await usage.today(key.id),
      };
    },
  });
}
