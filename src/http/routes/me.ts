import type { ApiKey } from '../../core/accounts/keys/api-key.ts';
import { iso } from '../../core/base/text/date-time.ts';
import type { EpochMs } from '../../core/base/time/duration.ts';
import { callerOf } from '../hooks/api-key-auth.ts';
import { tier } from '../schemas/enumerations.ts';
import { component, flag, integer, momentOrNull, text } from '../schemas/fields.ts';
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
  key_id: 'key_3fJ9Qd0sXk2LmWvB',
  trial_ends_at: '2026-04-02T09:30:00.000Z',
};

const meSchema = component('KeyInfo', 'The calling key.', EXAMPLE, {
  name: text('Custom label of the key.'),
  tier: tier.describe('Current tier of the key.'),
  rate_limit: text('Limit of the key, such as `300/min`; `unlimited` without one.'),
  websocket: flag('True when the stream is allowed.'),
  webhooks: flag('True when webhook registration is allowed.'),
  realtime: flag('False under the 5-minute free-tier delay.'),
  max_page_size: integer('Largest page size for `GET /alerts`.'),
  requests_today: integer('API calls made since UTC midnight, refused ones included.'),
  key_id: text('Public id of the key, which a rotation keeps.'),
  trial_ends_at: momentOrNull('When the key becomes free; null without a running trial.'),
});

export function registerMe(app: Api, { usage, clock }: ServerDeps): void {
  app.get('/me', {
    schema: {
      operationId: 'getKeyInfo',
      tags: ['Key'],
      summary: 'The calling key',
      description: 'Tier, limits, end of the trial and calls of today of the calling key.',
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
        key_id: key.id,
        trial_ends_at: trialEnd(key, clock.now()),
      };
    },
  });
}

function trialEnd({ trialEndsAt }: Pick<ApiKey, 'trialEndsAt'>, now: EpochMs): string | null {
  return trialEndsAt === null || trialEndsAt <= now ? null : iso(trialEndsAt);
}
