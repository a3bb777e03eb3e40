import { WebSocket } from 'ws';
import { createAuthority, writeCaFile } from '../../test/support/tls/authority.ts';
import { bodyOf, startHttpsServer } from '../../test/support/tls/https-server.ts';
import { repeatedly } from '../support/repeatedly.ts';

const RECONNECT_MS = 250;

export interface SentAlert {
  readonly id: number;
  readonly at: number;
  readonly body: unknown;
}

export type StreamConsumer = ReturnType<typeof createStreamConsumer>;

/** A client of the stream that connects again where it was. */
export function createStreamConsumer(addressNow: () => string, key: string) {
  const received: SentAlert[] = [];
  let stop = async () => {};
  let connections = 0;
  async function connect(signal: AbortSignal): Promise<void> {
    const since = received.at(-1)?.id ?? 0;
    const address = addressNow().replace('http', 'ws');
    const socket = new WebSocket(`${address}/ws/alerts?api_key=${key}&since_id=${since}`);
    socket.on('open', () => {
      connections += 1;
    });
    socket.on('message', (data) => {
      const { type, data: body } = JSON.parse(String(data)) as { type: string; data: { id: number } };
      if (type === 'alert') received.push({ id: body.id, at: performance.now(), body });
    });
    socket.on('error', () => {});
    const end = () => socket.terminate();
    signal.addEventListener('abort', end, { once: true });
    await new Promise<void>((closed) => socket.on('close', () => closed()));
    signal.removeEventListener('abort', end);
  }
  return {
    received: received as readonly SentAlert[],
    get connections(): number {
      return connections;
    },
    start(): void {
      stop = repeatedly(RECONNECT_MS, connect);
    },
    stop: () => stop(),
  };
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
