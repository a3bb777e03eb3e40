import { LogThrottle } from '../../../../core/base/async/failure-log.ts';
import { MINUTE_MS } from '../../../../core/base/time/duration.ts';
import type { LiveRow } from '../../../../core/trades/source/source.ts';
import { parseJson } from '../../tapes/text-fields.ts';
import { upstreamTime } from '../client/market-clock.ts';
import { type StreamOptions, UpstreamSocket } from '../streams/upstream-socket.ts';
import { tradeLine } from './trade-line.ts';

/**
 * Without `action` the market accepts the subscription and sends nothing. Both types show trades; there were weeks in which
 * only one of them did. A fill that comes by both is one fill by its key.
 */
const SUBSCRIPTION = JSON.stringify({
  action: 'subscribe',
  subscriptions: [
    { topic: 'activity', type: 'trades' },
    { topic: 'activity', type: 'orders_matched' },
  ],
});
/** Frames of this type show the taker's row only. `trades` shows rows of makers too, without telling which is which. */
const TAKER_TYPE = 'orders_matched';
const PING_MS = 5_000;
/** The market trades every second: a stream that shows no trade for this long is frozen, whatever else it sends. */
export const STREAM_SILENCE_MS = 15_000;
const MAX_PAYLOAD = 1_000_000;

export interface TradeStreamOptions extends StreamOptions {
  readonly onTrade: (row: LiveRow) => void;
}

/** The market's live stream of trades (RTDS): about 2 s after the match, 99.7 % complete while it is pinged (measured 2026-09). */
export class TradeStream {
  readonly #options: TradeStreamOptions;
  readonly #socket: UpstreamSocket;
  readonly #ignoredLog: LogThrottle;

  constructor(options: TradeStreamOptions) {
    const { url, proxies, clock, random, logger, metrics } = options;
    this.#options = options;
    this.#ignoredLog = new LogThrottle(clock, MINUTE_MS);
    this.#socket = new UpstreamSocket({
      name: 'trades',
      ...{ url, proxies, clock, random, logger, metrics },
      maxPayload: MAX_PAYLOAD,
      pingMs: PING_MS,
      silenceMs: STREAM_SILENCE_MS,
      subscription: () => SUBSCRIPTION,
      onFrame: (text) => this.#takeFrame(text),
    });
  }

  get isOpen(): boolean {
    return this.#socket.isOpen;
  }

  run(signal: AbortSignal): Promise<void> {
    return this.#socket.run(signal);
  }

  #takeFrame(text: string): boolean {
    const { clock, logger, onTrade } = this.#options;
    let hasTrade = false;
    for (const payload of payloadsOf(text)) {
      const trade = tradeLine(inSeconds(payload), clock.now());
      if (!('line' in trade)) continue;
      hasTrade = true;
      onTrade(trade);
    }
    if (!hasTrade && text !== 'PONG') {
      const frames = this.#ignoredLog.take();
      if (frames !== null) logger.debug({ frames }, 'frames of the trade stream ignored');
    }
    return hasTrade;
  }
}

/** The payloads of a frame. Only `payload` is required: frames were seen without topic and type. */
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

/** Rounds the time down to seconds, as polling shows it: the same fill is the same row in all sources. */
function inSeconds(payload: unknown): unknown {
  if (typeof payload !== 'object' || payload === null || !('timestamp' in payload)) return payload;
  const at = upstreamTime(payload.timestamp);
  return at === null ? payload : { ...payload, timestamp: Math.floor(at / 1_000) };
}
