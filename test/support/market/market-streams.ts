import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import type { RouteDeps } from './answer.ts';
import { payoutsOf, tokensOf } from './gamma.ts';
import type { TapeMarket } from './market-tape.ts';
import { rowV1 } from './trade-rows.ts';

/** Real time between two looks at what is new. */
const LOOK_EVERY_MS = 20;
const CLOB_PATH = '/ws/market';

interface Subscriber {
  readonly socket: WebSocket;
  readonly id: string;
  /** RTDS: which types of trade it asked for. */
  readonly types: Set<string>;
  /** CLOB: tokens, and whether it asked for `market_resolved` too. */
  readonly assets: Set<string>;
  hasCustom: boolean;
  /** It hears nothing more, not even a PONG. */
  isFrozen: boolean;
}

/** The live streams: RTDS at `/`, the order book's at `/ws/market`. */
export interface MarketStreams {
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  readonly connections: number;
  /** Sends what became known since the last look. */
  look(): void;
  close(): void;
}

export function createMarketStreams({ view, faults }: RouteDeps): MarketStreams {
  const server = new WebSocketServer({ noServer: true });
  const subscribers = new Set<Subscriber>();
  let lookedAt = view.now();
  let connections = 0;

  function join(socket: WebSocket, path: string): void {
    connections += 1;
    const id = `c${connections}`;
    const own: Subscriber = {
      socket,
      id,
      types: new Set(),
      assets: new Set(),
      hasCustom: false,
      isFrozen: false,
    };
    subscribers.add(own);
    socket.on('error', () => {});
    socket.on('close', () => subscribers.delete(own));
    socket.on('message', (data) => {
      const text = String(data);
      if (own.isFrozen) return;
      if (text === 'PING') socket.send('PONG');
      else if (path === CLOB_PATH) takeClobMessage(own, text);
      else takeRtdsMessage(own, text);
    });
  }

  function send(to: Subscriber, frame: string): void {
    if (to.isFrozen) return;
    if (faults.strikes('close')) to.socket.close(1011);
    else if (faults.strikes('freeze')) to.isFrozen = true;
    if (to.isFrozen || to.socket.readyState !== to.socket.OPEN) return;
    to.socket.send(
      faults.strikes('garble') ? frame.slice(0, Math.floor(faults.random() * frame.length)) : frame,
    );
  }

  function look(): void {
    const now = view.now();
    const since = lookedAt;
    lookedAt = subscribers.size === 0 ? now : Math.max(lookedAt, now);
    if (subscribers.size === 0 || now <= since) return;
    for (const index of view.sightedIn(since, now)) {
      const payload = rowV1(view.tape.trade(index));
      for (const to of subscribers)
        for (const type of to.types) send(to, tradeFrame({ type, payload, id: to.id, now, faults }));
    }
    for (const market of view.marketsIn(since, now)) {
      const assets = tokensOf(market);
      if (payoutsOf(market) === null) continue;
      for (const to of subscribers)
        if (to.hasCustom && assets.some((asset) => to.assets.has(asset)))
          send(to, resolvedFrame(market, assets));
    }
  }

  const looking = setInterval(look, LOOK_EVERY_MS);
  return {
    upgrade(request, socket, head) {
      const path = new URL(request.url ?? '', 'http://host').pathname;
      if (path !== '/' && path !== CLOB_PATH) return void socket.end('HTTP/1.1 404 Not Found\r\n\r\n');
      server.handleUpgrade(request, socket, head, (client) => join(client, path));
    },
    get connections() {
      return connections;
    },
    look,
    close() {
      clearInterval(looking);
      for (const client of server.clients) client.terminate();
    },
  };
}

/** Without its action a subscription is taken and nothing is sent for it. */
function takeRtdsMessage(own: Subscriber, text: string): void {
  const message = parsed(text);
  if (message['action'] !== 'subscribe' || !Array.isArray(message['subscriptions'])) return;
  for (const { topic, type } of message['subscriptions'] as { topic?: string; type?: string }[]) {
    if (topic !== 'activity') continue;
    const types = type === '*' ? ['trades', 'orders_matched'] : [type ?? ''];
    for (const known of types) if (known === 'trades' || known === 'orders_matched') own.types.add(known);
  }
}

function takeClobMessage(own: Subscriber, text: string): void {
  const message = parsed(text);
  if (!Array.isArray(message['assets_ids'])) return;
  if (message['type'] !== 'market' && message['operation'] === undefined) return;
  if (message['custom_feature_enabled'] === true) own.hasCustom = true;
  for (const asset of message['assets_ids'] as string[]) {
    if (message['operation'] === 'unsubscribe') own.assets.delete(asset);
    else own.assets.add(asset);
  }
}

function tradeFrame({
  type,
  payload,
  id,
  now,
  faults,
}: {
  type: string;
  payload: unknown;
  id: string;
  now: number;
  faults: RouteDeps['faults'];
}): string {
  if (faults.strikes('bare')) return JSON.stringify({ connection_id: id, payload });
  return JSON.stringify({ topic: 'activity', type, timestamp: now, payload, connection_id: id });
}

function resolvedFrame(market: TapeMarket, assets: readonly string[]): string {
  const winner = (payoutsOf(market) ?? []).indexOf(1);
  const outcomes = JSON.parse(String(market['outcomes'])) as string[];
  return JSON.stringify({
    event_type: 'market_resolved',
    id: market.conditionId.slice(2, 10),
    market: market.conditionId,
    assets_ids: assets,
    winning_asset_id: assets[winner] ?? '',
    winning_outcome: outcomes[winner] ?? '',
    timestamp: String(market.at * 1_000),
  });
}

function parsed(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
