import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import type { EpochMs } from '../../../src/core/base/time/duration.ts';
import type { RouteDeps } from './answer.ts';
import { fixedShare } from './fixed-share.ts';
import { payoutsOf } from './gamma.ts';
import { golden } from './golden.ts';
import { type TapeMarket, type TapeTrade, tokensOf } from './market-tape.ts';

const LOOK_EVERY_MS = 20;
/** Of the time between two looks counts so much: a clock that jumps leaves no time for a PING. */
const MOST_UNPINGED_MS = 10_000;
const RTDS_PATH = '/';
const CLOB_PATH = '/ws/market';

interface Subscriber {
  readonly socket: WebSocket;
  readonly id: string;
  readonly path: string;
  readonly types: Set<string>;
  readonly assets: Set<string>;
  hasCustom: boolean;
  /** For how long no PING came. */
  unpingedMs: number;
  /** It hears nothing more, not even an answer to its PING. */
  isFrozen: boolean;
}

/** The live streams: RTDS at `/`, the order book's at `/ws/market`. */
export class MarketStreams {
  readonly #deps: RouteDeps;
  readonly #server = new WebSocketServer({ noServer: true });
  readonly #subscribers = new Set<Subscriber>();
  readonly #looking: NodeJS.Timeout;
  #lookedAt: EpochMs;
  #connections = 0;

  constructor(deps: RouteDeps) {
    this.#deps = deps;
    this.#lookedAt = deps.view.now();
    this.#looking = setInterval(() => this.look(), LOOK_EVERY_MS);
  }

  get connections(): number {
    return this.#connections;
  }

  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const path = new URL(request.url ?? '', 'http://host').pathname;
    if (path !== RTDS_PATH && path !== CLOB_PATH) return void socket.end('HTTP/1.1 404 Not Found\r\n\r\n');
    this.#server.handleUpgrade(request, socket, head, (client) => this.#join(client, path));
  }

  /** Sends what became known since the last look. */
  look(): void {
    const { view, faults } = this.#deps;
    const now = view.now();
    const since = this.#lookedAt;
    this.#lookedAt = this.#subscribers.size === 0 ? now : Math.max(this.#lookedAt, now);
    if (this.#subscribers.size === 0 || now <= since) return;
    this.#muteUnpinged(now - since);
    if (!faults.isOn('rtds-silent'))
      for (const message of rtdsMessages(this.#deps, since, now)) this.#sendTrade(message, now);
    for (const market of view.marketsIn(since, now)) this.#sendResolution(market);
  }

  close(): void {
    clearInterval(this.#looking);
    for (const client of this.#server.clients) client.terminate();
  }

  #join(socket: WebSocket, path: string): void {
    this.#connections += 1;
    const own: Subscriber = {
      ...{ socket, path, id: `c${this.#connections}` },
      ...{ types: new Set(), assets: new Set(), hasCustom: false },
      ...{ unpingedMs: 0, isFrozen: false },
    };
    this.#subscribers.add(own);
    socket.on('error', () => {});
    socket.on('close', () => this.#subscribers.delete(own));
    socket.on('message', (data) => this.#take(own, String(data)));
    // As captured on 2026-08-19 and 2026-09-05: the first frame is an empty text.
    if (this.#isMeasured(own)) socket.send('');
  }

  #take(own: Subscriber, text: string): void {
    if (own.isFrozen) return;
    if (text === 'PING') this.#answerPing(own);
    else if (own.path === CLOB_PATH) takeClobMessage(own, text);
    else takeRtdsMessage(own, text);
  }

  #answerPing(own: Subscriber): void {
    if (own.path === RTDS_PATH && this.#deps.faults.isOn('rtds-silent')) return;
    own.unpingedMs = 0;
    own.socket.send(this.#isMeasured(own) ? '' : 'PONG');
  }

  #isMeasured({ path }: Subscriber): boolean {
    return path === RTDS_PATH && this.#deps.profile.rtds === 'measured';
  }

  #muteUnpinged(passedMs: number): void {
    for (const to of this.#subscribers) {
      to.unpingedMs += Math.min(passedMs, MOST_UNPINGED_MS);
      if (this.#isMeasured(to) && to.unpingedMs >= MUTE_AFTER_MS) to.isFrozen = true;
    }
  }

  #sendTrade({ type, payload }: RtdsMessage, now: EpochMs): void {
    for (const to of this.#subscribers) {
      if (!to.types.has(type)) continue;
      const frame = this.#deps.faults.strikes('bare')
        ? { connection_id: to.id, payload }
        : { connection_id: to.id, payload, timestamp: now, topic: 'activity', type };
      this.#send(to, JSON.stringify(frame));
    }
  }

  #sendResolution(market: TapeMarket): void {
    const assets = tokensOf(market);
    if (payoutsOf(market) === null) return;
    for (const to of this.#subscribers)
      if (to.hasCustom && assets.some((asset) => to.assets.has(asset)))
        this.#send(to, resolvedFrame(market, assets));
  }

  #send(to: Subscriber, frame: string): void {
    const { faults } = this.#deps;
    if (to.isFrozen) return;
    if (faults.strikes('close')) to.socket.close(1011);
    else if (faults.strikes('freeze')) to.isFrozen = true;
    if (to.isFrozen || to.socket.readyState !== to.socket.OPEN) return;
    const isGarbled = faults.strikes('garble');
    to.socket.send(isGarbled ? frame.slice(0, Math.floor(faults.random() * frame.length)) : frame);
  }
}

/**
 * Without its action a subscription is taken and nothing is sent for it. A frame that subscribes to another type is refused as
 * a whole, as observed in September 2026.
 */
function takeRtdsMessage(own: Subscriber, text: string): void {
  const message = parsed(text);
  if (message['action'] !== 'subscribe' || !Array.isArray(message['subscriptions'])) return;
  const asked = message['subscriptions'] as { topic?: string; type?: string }[];
  const types = asked.flatMap(({ topic, type = '' }) => (topic === 'activity' ? [type] : []));
  if (types.every((type) => RTDS_TYPES.some((known) => known === type)))
    for (const type of types) own.types.add(type);
  else
    own.socket.send(
      JSON.stringify({
        ...{ connectionId: own.id, statusCode: 401 },
        body: { message: 'unknown subscription type' },
      }),
    );
}

function takeClobMessage(own: Subscriber, text: string): void {
  const message = parsed(text);
  if (!Array.isArray(message['assets_ids'])) return;
  if (message['type'] !== 'market') return;
  if (message['custom_feature_enabled'] === true) own.hasCustom = true;
  for (const asset of message['assets_ids'] as string[]) own.assets.add(asset);
}

/** Who won is as in the captured frame: it is not read. */
function resolvedFrame({ conditionId: market }: TapeMarket, assets: readonly string[]): string {
  return JSON.stringify({ ...golden('clob-market-resolved'), market, assets_ids: assets });
}

function parsed(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/** After the second of the match. All as measured on 2026-09-25. */
const MATCHED_AFTER_MS = 1_900;
const TRADES_AFTER_MS = 2_100;
const TRADES_SPREAD_MS = 400;
const SHARE_OF_ROWS = 0.997;
const SHARE_A_SECOND_LESS = 0.75;
/** So long without a PING, and nothing is sent any more. */
const MUTE_AFTER_MS = 6 * 60_000;

const RTDS_TYPES = ['trades', 'orders_matched'] as const;
type RtdsType = (typeof RTDS_TYPES)[number];

interface RtdsMessage {
  readonly type: RtdsType;
  readonly payload: object;
}

/** What RTDS has to send for the span after `since` up to `now`, in order. */
function rtdsMessages({ view, profile }: RouteDeps, since: EpochMs, now: EpochMs): RtdsMessage[] {
  if (profile.rtds === 'immediate')
    return view.listedIn(since, now).flatMap((index) => {
      const payload = rtdsPayload(view.tape.trade(index));
      return RTDS_TYPES.map((type) => ({ type, payload }));
    });
  const due: (RtdsMessage & { readonly at: EpochMs })[] = [];
  for (const index of view.tradedIn(since - TRADES_AFTER_MS - TRADES_SPREAD_MS, now)) {
    const { transactionHash: transaction } = view.tape.trade(index);
    if (fixedShare(`${transaction} ${index}`, 'rtds row') >= SHARE_OF_ROWS) continue;
    const matchedAt = view.tape.timeOf(index) * 1_000;
    const spread = fixedShare(transaction, 'rtds delay') * TRADES_SPREAD_MS;
    const times = {
      orders_matched: view.roleOf(index) === 'taker' ? matchedAt + MATCHED_AFTER_MS : null,
      trades: matchedAt + TRADES_AFTER_MS + spread,
    };
    for (const type of RTDS_TYPES) {
      const at = times[type];
      if (at === null || at <= since || at > now) continue;
      due.push({ type, payload: measuredPayload(view.tape.trade(index)), at });
    }
  }
  return due.sort((a, b) => a.at - b.at);
}

function measuredPayload(trade: TapeTrade): object {
  const isLess = fixedShare(trade.transactionHash, 'rtds second') < SHARE_A_SECOND_LESS;
  return rtdsPayload(isLess ? { ...trade, timestamp: trade.timestamp - 1 } : trade);
}

const PAYLOAD = golden('rtds-trades').payload;

/** As a captured frame (test/fixtures/upstream), with its mixed case in the wallet. */
function rtdsPayload(trade: TapeTrade): object {
  return { ...PAYLOAD, ...trade, proxyWallet: mixedCase(trade.proxyWallet) };
}

/** Like a checksummed address, without being one. */
function mixedCase(wallet: string): string {
  return wallet.replace(/(?<=..)[a-f](?=.?[0-7])/g, (letter) => letter.toUpperCase());
}
