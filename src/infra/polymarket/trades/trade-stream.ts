import type { Clock } from '../../../core/clock.ts';
import type { Logger } from '../../../core/logger.ts';
import type { Metrics } from '../../../core/metrics/metrics.ts';
import type { LiveRow } from '../../../core/source/source.ts';
import { parseJson } from '../../sources/row-schema.ts';
import { createUpstreamSocket } from '../streams/upstream-socket.ts';
import { upstreamTime } from '../upstream-time.ts';
import { throttleLog } from './throttle-log.ts';
import { tradeLine } from './trade-line.ts';

/**
 * Without `action` the market accepts it and sends nothing. Both types show trades; there were weeks in which the one was
 * silent and the other was not. What comes by both is one fill by its key.
 */
const SUBSCRIPTION = JSON.stringify({
  action: 'subscribe',
  subscriptions: [
    { topic: 'activity', type: 'trades' },
    { topic: 'activity', type: 'orders_matched' },
  ],
});
/** Frames of this type show the taker's row alone; `trades` shows those of makers too, and does not tell them apart. */
const TAKER_TYPE = 'orders_matched';
const PING_MS = 5_000;
/** The whole market trades every second: this long without a trade is a frozen stream, whatever else comes. */
export const STREAM_SILENCE_MS = 15_000;
/** A trade is about 1 KB. */
const MAX_PAYLOAD = 1_000_000;
const LOG_EVERY_MS = 60_000;

export interface TradeStreamDeps {
  readonly url: string;
  readonly clock: Clock;
  /** From 0 up to 1. */
  random(): number;
  readonly logger: Logger;
  readonly metrics: Pick<Metrics, 'upstreamStream'>;
  /** A fill may be shown more than once. */
  onTrade(row: LiveRow): void;
}

/** The market's live stream of trades (RTDS): about 2 s after the match, 99.7 % complete while it is pinged (measured 2026-09). */
export interface TradeStream {
  run(signal: AbortSignal): Promise<void>;
  isOpen(): boolean;
}

export function createTradeStream(deps: TradeStreamDeps): TradeStream {
  const { url, clock, random, logger, metrics } = deps;
  const passOver = throttleLog(clock, LOG_EVERY_MS, (frames) =>
    logger.debug({ frames }, 'frames of the stream of trades were passed over'),
  );

  function onFrame(text: string): boolean {
    const trades = payloadsOf(text).map((payload) => tradeLine(inSeconds(payload), clock.now()));
    let isTrade = false;
    for (const trade of trades) {
      if (!('line' in trade)) continue;
      isTrade = true;
      deps.onTrade(trade);
    }
    if (!isTrade && text !== 'PONG') passOver();
    return isTrade;
  }

  const socket = createUpstreamSocket(
    {
      name: 'trades',
      url,
      maxPayload: MAX_PAYLOAD,
      pingMs: PING_MS,
      silenceMs: STREAM_SILENCE_MS,
      subscription: () => SUBSCRIPTION,
      onFrame,
      onState: (isOpen) => metrics.upstreamStream('trades', isOpen),
    },
    { clock, random, logger },
  );
  return { run: socket.run, isOpen: socket.isOpen };
}

/** What the frame carries. Only `payload` is looked at: frames were seen without topic and type. */
function payloadsOf(text: string): readonly unknown[] {
  if (!text.includes('"payload"')) return [];
  const frame = parseJson(text);
  if (typeof frame !== 'object' || frame === null || !('payload' in frame)) return [];
  const payloads: readonly unknown[] = Array.isArray(frame.payload) ? frame.payload : [frame.payload];
  return 'type' in frame && frame.type === TAKER_TYPE ? payloads.map(asTakers) : payloads;
}

function asTakers(payload: unknown): unknown {
  return typeof payload === 'object' && payload !== null ? { ...payload, role: 'taker' } : payload;
}

/** The same fill is the same row wherever it comes from, and polling knows whole seconds. */
function inSeconds(payload: unknown): unknown {
  if (typeof payload !== 'object' || payload === null || !('timestamp' in payload)) return payload;
  const at = upstreamTime(payload.timestamp);
  return at === null ? payload : { ...payload, timestamp: Math.floor(at / 1_000) };
}
