import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { TIERS } from '../../core/tier.ts';
import { callerOf } from '../access.ts';
import { protectedReplies } from '../replies.ts';
import type { ServerDeps } from '../server-deps.ts';

const meSchema = z.object({
  name: z.string(),
  tier: z.enum(TIERS),
  rate_limit: z.string(),
  websocket: z.boolean(),
  webhooks: z.boolean(),
  realtime: z.boolean(),
  max_page_size: z.number().int(),
  requests_today: z.number().int(),
});

export function registerMe(app: FastifyInstance, { usage }: Pick<ServerDeps, 'usage'>): void {
  app.withTypeProvider<ZodTypeProvider>().get('/me', {
    schema: { summary: 'The calling key', response: { 200: meSchema, ...protectedReplies } },
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
