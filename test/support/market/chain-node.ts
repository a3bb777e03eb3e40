import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Clock } from '../../../src/core/base/time/clock.ts';
import type { ChainBlocks, Reorganisation } from './chain-blocks.ts';
import { CallError, createChain, headerBody } from './chain-calls.ts';
import type { MarketView } from './market-view.ts';

const LOOK_EVERY_MS = 20;

export interface ChainNodeOptions {
  readonly view: MarketView;
  /** Blocks exist 2.2 s after their time. */
  readonly clock: Pick<Clock, 'now'>;
  readonly tamper?: (body: { result: unknown }) => void;
}

/** A node of Polygon whose exchanges traded what is on a tape: JSON-RPC over HTTP and WebSocket on one port. */
export async function startChainNode({ view, clock, tamper }: ChainNodeOptions) {
  const { chain, manners, logsOf, call } = createChain(view, clock);
  const calls = new Map<string, number>();
  const subscriptions = new Map<string, WebSocket>();
  const sockets = new WebSocketServer({ noServer: true });
  const server = createServer((request, response) => void answerHttp(request, response));
  let made = 0;

  function answer(request: unknown, socket: WebSocket | null): unknown {
    const {
      id = null,
      method = '',
      params = [],
    } = (request ?? {}) as { id?: unknown; method?: string; params?: unknown[] };
    calls.set(method, (calls.get(method) ?? 0) + 1);
    chain.grow();
    try {
      const result = socket === null ? call(method, params) : answerSocket(socket, method, params);
      const body = { jsonrpc: '2.0', id, result };
      if (tamper === undefined) return body;
      const own = structuredClone(body);
      tamper(own);
      return own;
    } catch (error) {
      const { code = -32603, message } = error as CallError;
      return { jsonrpc: '2.0', id, error: { code, message } };
    }
  }

  function answerSocket(socket: WebSocket, method: string, params: readonly unknown[]): unknown {
    if (method !== 'eth_subscribe') return call(method, params);
    const [kind] = params;
    if (kind !== 'newHeads') throw new CallError(-32602, `no "${kind}" subscription in eth namespace`);
    made += 1;
    const id = `0x${made.toString(16).padStart(32, '0')}`;
    subscriptions.set(id, socket);
    return id;
  }

  async function answerHttp(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!standIn.isOn) return void request.socket.resetAndDestroy();
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = answer(parsed(Buffer.concat(chunks).toString()), null);
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  }

  server.on('upgrade', (request, socket, head) => {
    if (!standIn.isOn) return void socket.destroy();
    sockets.handleUpgrade(request, socket, head, (client) => {
      client.on('error', () => {});
      client.on('close', () => {
        for (const [id, own] of subscriptions) if (own === client) subscriptions.delete(id);
      });
      client.on('message', (data) => {
        const body = answer(parsed(String(data)), client);
        if (!standIn.isFrozen) client.send(JSON.stringify(body));
      });
    });
  });

  /** Of blocks that arrive together only the last one's head is shown, as geth does. */
  function tell(blocks: ChainBlocks['blocks']): void {
    const last = blocks.at(-1);
    if (standIn.isFrozen || last === undefined) return;
    const result = headerBody(last, logsOf(last));
    for (const [subscription, socket] of subscriptions)
      if (socket.readyState === socket.OPEN)
        socket.send(
          JSON.stringify({ jsonrpc: '2.0', method: 'eth_subscription', params: { subscription, result } }),
        );
  }

  const looking = setInterval(() => standIn.look(), LOOK_EVERY_MS);
  server.keepAliveTimeout = 60_000;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  let toldUpTo = chain.head.number;
  let isOn = true;

  const dropSockets = () => {
    for (const client of sockets.clients) client.terminate();
  };
  const standIn = {
    httpUrl: `http://${host}`,
    wsUrl: `ws://${host}`,
    chain,
    manners,
    get isOn(): boolean {
      return isOn;
    },
    set isOn(value: boolean) {
      isOn = value;
      if (!isOn) dropSockets();
    },
    /** Sockets stay open, and nothing more is sent on them. */
    isFrozen: false,
    calls: calls as ReadonlyMap<string, number>,
    /** Makes the blocks that are due, and shows them to subscribers. */
    look(): void {
      chain.grow();
      const fresh = chain.blocks.slice(toldUpTo + 1);
      if (fresh.length === 0) return;
      toldUpTo = chain.head.number;
      tell(fresh);
    },
    reorganise(change: Reorganisation): void {
      standIn.look();
      tell(chain.reorganise(change));
    },
    dropSockets,
    async close() {
      clearInterval(looking);
      dropSockets();
      await new Promise((closed) => {
        server.close(closed);
        server.closeAllConnections();
      });
    },
  };
  return standIn;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
