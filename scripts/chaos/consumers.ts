import { setTimeout as delay } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { createAuthority, writeCaFile } from '../../test/support/tls/authority.ts';
import { bodyOf, startHttpsServer } from '../../test/support/tls/https-server.ts';

const RECONNECT_MS = 250;

export interface SentAlert {
  readonly id: number;
  readonly at: number;
  readonly body: unknown;
}

export class StreamConsumer {
  readonly received: SentAlert[] = [];
  readonly #address: () => string;
  readonly #key: string;
  readonly #stop = new AbortController();
  #running: Promise<void> = Promise.resolve();
  #connections = 0;

  constructor(address: () => string, key: string) {
    this.#address = address;
    this.#key = key;
  }

  get connections(): number {
    return this.#connections;
  }

  start(): void {
    this.#running = this.#run();
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      await this.#connect();
      await delay(RECONNECT_MS, undefined, { signal }).catch(() => {});
    }
  }

  async #connect(): Promise<void> {
    const since = this.received.at(-1)?.id ?? 0;
    const address = this.#address().replace('http', 'ws');
    const socket = new WebSocket(`${address}/ws/alerts?api_key=${this.#key}&since_id=${since}`);
    const { promise: closed, resolve: close } = Promise.withResolvers<void>();
    socket.on('open', () => {
      this.#connections += 1;
    });
    socket.on('message', (data) => {
      const { type, data: body } = JSON.parse(String(data)) as { type: string; data: { id: number } };
      if (type === 'alert') this.received.push({ id: body.id, at: performance.now(), body });
    });
    socket.on('error', () => {});
    socket.on('close', () => close());
    const end = () => socket.terminate();
    this.#stop.signal.addEventListener('abort', end, { once: true });
    await closed;
    this.#stop.signal.removeEventListener('abort', end);
  }
}

export interface SentWebhook extends SentAlert {
  readonly webhookId: string;
}

export type WebhookConsumer = Awaited<ReturnType<typeof startWebhookConsumer>>;

export async function startWebhookConsumer() {
  const authority = await createAuthority();
  const ca = await writeCaFile(authority);
  const received: SentWebhook[] = [];
  const certificate = await authority.issue({ names: ['127.0.0.1'] });
  const server = await startHttpsServer(certificate, async (request, response) => {
    const body = JSON.parse((await bodyOf(request)).toString()) as { id: number };
    const webhookId = String(request.headers['webhook-id']);
    received.push({ webhookId, id: body.id, at: performance.now(), body });
    response.end();
  });
  return {
    received: received as readonly SentWebhook[],
    url: `https://127.0.0.1:${server.port}/alerts`,
    settings: { WEBHOOK_ALLOW_PRIVATE: 'true', NODE_EXTRA_CA_CERTS: ca.path },
    async close() {
      await server.close();
      await ca.remove();
    },
  };
}
