import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { Category } from '../../src/core/trades/trade.ts';
import { alertOf } from '../support/alerts.ts';
import { NOON } from '../support/archive.ts';
import { createAuthority, trust } from '../support/tls/authority.ts';
import { bodyOf, startHttpsServer, type TestHttpsServer } from '../support/tls/https-server.ts';
import { onRunningService } from './service.ts';

interface Post {
  readonly method: string | undefined;
  readonly path: string;
  readonly type: string | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: a body is whatever was sent
  readonly body: any;
}

const ANSWERS: Readonly<Record<string, number>> = { '/created': 201, '/error': 500, '/late': 0 };

onRunningService(
  'contract, delivery of webhooks',
  (service) => {
    let receiver: TestHttpsServer;
    let distrust: () => void;
    let posts: Post[] = [];
    let nextId = 1_000;
    beforeAll(async () => {
      const authority = await createAuthority();
      distrust = trust(authority);
      receiver = await startHttpsServer(
        await authority.issue({ names: ['127.0.0.1'] }),
        async (request, reply) => {
          const { method, url: path = '', headers } = request;
          posts.push({
            method,
            path,
            type: headers['content-type'],
            body: JSON.parse((await bodyOf(request)).toString()),
          });
          const status = ANSWERS[path] ?? 200;
          // The sender cuts off a late one.
          if (status !== 0) reply.writeHead(status).end();
        },
      );
      nextId = ((await service().container.database.alerts.last())?.id ?? 0) + 1;
    });
    beforeEach(() => {
      posts = [];
    });
    afterAll(async () => {
      await receiver.close();
      distrust();
    });

    const received = (path: string) => posts.filter((post) => post.path === path);
    const publish = async (given: { category?: Category; score?: number } = {}) => {
      const alert = alertOf({ id: nextId, createdAt: NOON, publishedAt: NOON, ...given });
      nextId += 1;
      await service().publish(alert);
      return alert.id;
    };
    const registered = async (path: string, rest: object = {}) => {
      const { call, key } = service();
      const secret = await key('enterprise');
      const url = `https://127.0.0.1:${receiver.port}${path}`;
      const { status, body } = await call('/webhooks', {
        key: secret,
        method: 'POST',
        body: { url, ...rest },
      });
      expect(status).toBe(201);
      return { id: String(body.id), key: secret };
    };
    const logOf = async ({ id, key }: { id: string; key: string }) =>
      (await service().call(`/webhooks/${id}/deliveries`, { key })).body.deliveries;

    test("Webhook push delivery to a customer HTTPS address. Available to Enterprise. When an alert passes the webhook's `categories` and `min_signal` criteria, the service sends an HTTP POST to the registered `url`. The body is the alert object as JSON. Webhook bodies and WebSocket alert data carry at least `id`, `alert_type`, `side`, `outcome`, `entry_price`, `usdc_value`, `signal_score`, `event_title`, `category`. Webhook bodies also carry `created_at`.", async () => {
      const hook = await registered('/matching', { categories: 'politics,crypto', min_signal: 70 });
      await publish({ category: 'tech', score: 99 });
      await publish({ category: 'politics', score: 69 });
      const matching = [
        await publish({ category: 'politics', score: 70 }),
        await publish({ category: 'crypto', score: 71 }),
      ];

      await vi.waitFor(() => expect(received('/matching')).toHaveLength(2));
      for (const { method, type, body } of received('/matching')) {
        const stored = await service().call(`/alerts/${body.id}`, { key: hook.key });
        expect([method, type]).toEqual(['POST', expect.stringContaining('application/json')]);
        // What became of the position is known later.
        const { exits, ...details } = stored.body.details;
        expect(body).toEqual({ ...stored.body, details });
        expect(body.created_at).toBe('2026-01-02 12:00:00');
      }
      expect(new Set(received('/matching').map(({ body }) => body.id))).toEqual(new Set(matching));
    });

    test('The receiver must reply with status 200 within 5 seconds. Failed deliveries are not retried.', async () => {
      const hooks = {
        delivered: await registered('/good'),
        created: await registered('/created'),
        error: await registered('/error'),
        late: await registered('/late'),
      };
      const first = await publish();
      const outcome = async (hook: { id: string; key: string }) =>
        (await logOf(hook)).map((one: Record<string, unknown>) => [
          one['alert_id'],
          one['status'],
          one['error'],
        ]);

      const { late, ...quick } = hooks;
      await vi.waitFor(async () => {
        expect(await outcome(quick.delivered)).toEqual([[first, 'delivered', null]]);
        expect(await outcome(quick.created)).toEqual([[first, 'failed', 'status']]);
        expect(await outcome(quick.error)).toEqual([[first, 'failed', 'status']]);
        expect(await outcome(late)).toEqual([[first, 'failed', 'timeout']]);
      });
      const [{ duration_ms: waited }] = await logOf(late);
      expect(waited).toBeGreaterThanOrEqual(4_900);
      expect(waited).toBeLessThan(10_000);

      // Once a later alert has come everywhere, the first would have been repeated if it ever were.
      const second = await publish();
      for (const path of ['/good', '/created', '/error', '/late'])
        await vi.waitFor(() => expect(received(path).map(({ body }) => body.id)).toEqual([first, second]));
    });

    test("Removes the webhook so that deliveries stop. When an alert passes the webhook's `categories` and `min_signal` criteria, the service sends an HTTP POST to the registered `url`. The body is the alert object as JSON.", async () => {
      const gone = await registered('/gone');
      await registered('/stays');
      const before = await publish();
      await vi.waitFor(() => expect([...received('/gone'), ...received('/stays')]).toHaveLength(2));
      await service().call(`/webhooks/${gone.id}`, { key: gone.key, method: 'DELETE' });
      const after = await publish();

      await vi.waitFor(() => expect(received('/stays').map(({ body }) => body.id)).toEqual([before, after]));
      expect(received('/gone').map(({ body }) => body.id)).toEqual([before]);
    });

    test.each(['free', 'pro'] as const)(
      '| Webhook delivery | no | no | yes | after a fall to %s',
      async (tier) => {
        const hook = await registered(`/${tier}`);
        await registered(`/beside-${tier}`);
        const { keys, database } = service().container;
        const [own] = await database.webhooks.byIds([hook.id]);
        await keys.setTier(own?.keyId ?? '', tier);
        await publish();

        await vi.waitFor(() => expect(received(`/beside-${tier}`)).toHaveLength(1));
        expect(received(`/${tier}`)).toEqual([]);
        await keys.setTier(own?.keyId ?? '', 'enterprise');
        expect(await logOf(hook)).toEqual([]);
      },
    );
  },
  { ROLES: 'all', WEBHOOK_ALLOW_PRIVATE: 'true' },
);
