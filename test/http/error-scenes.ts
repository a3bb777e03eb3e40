import type { AddressInfo } from 'node:net';
import type { KeyRefusal } from '../../src/core/accounts/keys/key-check.ts';
import { ArchiveScheduler } from '../../src/core/alerts/archive/archive-scheduler.ts';
import { QueueFullError } from '../../src/core/base/async/fair-queue.ts';
import type { RedeliveryRefusal } from '../../src/core/delivery/webhooks/redeliveries.ts';
import type { ErrorCode } from '../../src/http/schemas/error-codes.ts';
import type { ServerDeps } from '../../src/http/server-deps.ts';
import { systemClock } from '../../src/infra/process/system-clock.ts';
import { type ApiServer, ask, FREE_DELAY_MS } from '../support/api-server.ts';
import { appendDrafts, outcomesAt } from '../support/log-entries.ts';
import { answersIn, sendRaw } from '../support/raw-http.ts';
import { START } from '../support/rows.ts';
import { connectStream } from '../support/stream-client.ts';

export interface Refusal {
  readonly status: number;
  readonly link: string | null | undefined;
  readonly body: { readonly detail: unknown; readonly code: string };
}

/** What a test looks at in an error. */
export async function refusalOf(url: string, init: RequestInit = {}): Promise<Refusal> {
  const { status, headers, body } = await ask(url, init);
  return { status, link: headers.get('link'), body };
}

async function rawRefusal({ app }: ApiServer, text: string): Promise<Refusal> {
  const { port } = app.server.address() as AddressInfo;
  const { status, head, body } = answersIn(await sendRaw(port, text)).at(-1) as ReturnType<
    typeof answersIn
  >[0];
  return { status, link: /^link: (.*)$/im.exec(head)?.[1]?.trim(), body: JSON.parse(body) };
}

const OLD = START - FREE_DELAY_MS;
const PRESET = { name: 'x', filters: {} };
const UPGRADE = 'Host: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n';

const refusing = (refusal: KeyRefusal): Partial<ServerDeps> => ({
  keyCheck: { recall: () => null, holds: () => false, check: async () => refusal },
});

export interface Scene {
  /** The tier of the key; enterprise unless given. */
  readonly tier?: 'free' | 'pro';
  readonly limits?: { readonly requestsPerMinute: number | null; readonly maxSockets: number | null };
  readonly deps?: (api: ApiServer) => Partial<ServerDeps>;
  run(api: ApiServer, key: { readonly id: string; readonly secret: string }): Promise<Refusal>;
}

const asked =
  (path: string, method = 'GET', body?: string, type = 'application/json'): Scene['run'] =>
  ({ baseUrl }, { secret }) =>
    refusalOf(baseUrl + path, {
      method,
      headers: { authorization: `Bearer ${secret}`, ...(body !== undefined && { 'content-type': type }) },
      ...(body !== undefined && { body }),
    });
const raw =
  (text: string): Scene['run'] =>
  (api) =>
    rawRefusal(api, text);
const failing =
  (fault: Error): NonNullable<Scene['deps']> =>
  ({ database }) => ({
    alerts: { ...database.alerts, search: () => Promise.reject(fault) },
  });
const post = (body: unknown) => asked('/api/v1/presets', 'POST', JSON.stringify(body));

const REDELIVER = '/api/v1/webhooks/x/deliveries/y/redeliver';
const redelivering = (answer: RedeliveryRefusal) => () => ({
  redeliveries: { request: async () => answer },
});

/** How each code comes about: a code without an entry does not compile. */
export const SCENES: Readonly<Record<ErrorCode, Scene>> = {
  bad_request: { run: asked('/%zz') },
  invalid_handshake: { run: raw(`GET /ws/alerts?api_key=x HTTP/1.1\r\n${UPGRADE}\r\n`) },
  key_missing: { run: ({ baseUrl }) => refusalOf(`${baseUrl}/api/v1/me`) },
  key_invalid: {
    run: ({ baseUrl }) => refusalOf(`${baseUrl}/api/v1/me`, { headers: { authorization: 'Bearer x' } }),
  },
  operator_only: {
    run: ({ baseUrl }) => refusalOf(`${baseUrl}/metrics`, { headers: { 'x-forwarded-for': '203.0.113.7' } }),
  },
  tier_required: { tier: 'pro', run: asked('/api/v1/webhooks') },
  alert_not_found: { run: asked('/api/v1/alerts/1') },
  wallet_not_found: { run: asked(`/api/v1/wallets/0x${'1'.repeat(40)}`) },
  market_not_found: { run: asked(`/api/v1/markets/0x${'1'.repeat(64)}`) },
  outcome_not_found: { run: asked('/api/v1/outcomes/1') },
  preset_not_found: { run: asked('/api/v1/presets/x') },
  webhook_not_found: { run: asked('/api/v1/webhooks/x/deliveries') },
  delivery_not_found: {
    deps: redelivering({ ok: false, reason: 'no_delivery' }),
    run: asked(REDELIVER, 'POST'),
  },
  delivery_not_repeatable: {
    deps: redelivering({ ok: false, reason: 'used_up' }),
    run: asked(REDELIVER, 'POST'),
  },
  log_file_not_found: {
    async run(api, key) {
      await appendDrafts(api.database.log, outcomesAt(OLD));
      return asked('/log/2020-01.jsonl')(api, key);
    },
  },
  path_not_found: { run: asked('/api/v1/nothing') },
  method_not_allowed: { run: asked('/api/v1/me', 'DELETE') },
  request_timeout: {
    run(api) {
      // Node looks for late requests at intervals; what it then emits is emitted here.
      api.app.server.once('connection', (socket) => {
        const late = Object.assign(new Error('late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
        api.app.server.emit('clientError', late, socket);
      });
      return rawRefusal(api, 'GET /healthz HTTP/1.1\r\nHost:');
    },
  },
  preset_limit_reached: {
    run(api, key) {
      api.database.presets.insert = async () => false;
      return post(PRESET)(api, key);
    },
  },
  webhook_limit_reached: {
    run(api, key) {
      api.database.webhooks.insert = async () => false;
      return asked('/api/v1/webhooks', 'POST', '{"url":"https://example.com/hook"}')(api, key);
    },
  },
  body_too_large: { run: post({ ...PRESET, name: 'x'.repeat(70_000) }) },
  address_too_long: { run: asked(`/api/v1/alerts/${'1'.repeat(2_000)}`) },
  unsupported_media_type: { run: asked('/api/v1/presets', 'POST', 'a,b', 'text/csv') },
  expectation_failed: { run: raw('GET /healthz HTTP/1.1\r\nHost: x\r\nExpect: x\r\n\r\n') },
  invalid_request: { run: asked('/api/v1/alerts?page=x') },
  idempotency_key_reused: {
    deps: () => ({ idempotency: { create: async () => ({ ok: false, reason: 'reused' }) } }),
    run: post(PRESET),
  },
  idempotency_resource_changed: {
    deps: () => ({ idempotency: { create: async () => ({ ok: false, reason: 'missing', id: 'preset_x' }) } }),
    run: post(PRESET),
  },
  upgrade_required: { run: asked('/ws/alerts') },
  rate_limited: {
    limits: { requestsPerMinute: 1, maxSockets: null },
    async run(api, key) {
      await asked('/api/v1/me')(api, key);
      return asked('/api/v1/me')(api, key);
    },
  },
  too_many_failures: {
    deps: () => refusing({ ok: false, reason: 'limited', why: 'failures', retryAfterSeconds: 1 }),
    run: asked('/api/v1/me'),
  },
  key_check_busy: {
    deps: () => refusing({ ok: false, reason: 'limited', why: 'busy', retryAfterSeconds: 1 }),
    run: asked('/api/v1/hot-markets'),
  },
  archive_busy: { deps: failing(new QueueFullError('caller')), run: asked('/api/v1/alerts') },
  too_many_downloads: {
    deps: () => ({ archive: new ArchiveScheduler({ archiveConcurrency: 8 }, systemClock) }),
    async run(api, key) {
      // Pages of several entries are held.
      await appendDrafts(api.database.log, outcomesAt(OLD, OLD));
      const { after } = api.database.log;
      const { promise: gate, resolve: open } = Promise.withResolvers<void>();
      const { promise: both, resolve: begun } = Promise.withResolvers<void>();
      let reading = 0;
      api.database.log.after = async (...query) => {
        if (query[1].limit > 1) {
          reading += 1;
          if (reading === 2) begun();
          await gate;
        }
        return after(...query);
      };
      const file = asked('/log/2026-01.jsonl');
      const downloads = [1, 2].map(() => fetch(`${api.baseUrl}/log/2026-01.jsonl`));
      await both;
      const refused = await file(api, key);
      open();
      await Promise.all(downloads.map(async (download) => (await download).text()));
      return refused;
    },
  },
  too_many_sockets: {
    limits: { requestsPerMinute: null, maxSockets: 1 },
    async run(api, { secret }) {
      await connectStream(api.baseUrl, `api_key=${secret}`).received(1);
      const key = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n';
      return rawRefusal(api, `GET /ws/alerts?api_key=${secret} HTTP/1.1\r\n${UPGRADE}${key}\r\n`);
    },
  },
  too_many_tests: {
    deps: () => ({ webhookTester: { test: async () => ({ ok: false, reason: 'limited', resetMs: 1_000 }) } }),
    run: asked('/api/v1/webhooks/x/test', 'POST'),
  },
  too_many_redeliveries: {
    deps: redelivering({ ok: false, reason: 'limited', resetMs: 1_000 }),
    run: asked(REDELIVER, 'POST'),
  },
  headers_too_large: { run: raw(`GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`) },
  internal_error: { deps: failing(new Error('inside')), run: asked('/api/v1/alerts') },
  unavailable: {
    deps: (api) => ({ ...failing(new Error('away'))(api), isOutage: () => true }),
    run: asked('/api/v1/alerts'),
  },
};
