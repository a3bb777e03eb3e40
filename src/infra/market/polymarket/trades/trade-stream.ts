import { type EpochMs, MINUTE_MS } from '../../../../core/base/time/duration.ts';
import { isObject, parseJson } from '../../tapes/text-fields.ts';
import { refusalIn } from '../streams/refusal.ts';
import { type StreamOptions, UpstreamSocket } from '../streams/upstream-socket.ts';

/** Both types show trades. There were weeks in which only one of them did. */
const TYPES = ['trades', 'orders_matched'] as const;
const PING_MS = 5_000;
/** The market trades every second: a stream that shows no trade for this long is frozen, whatever else it sends. */
const SILENCE_MS = 15_000;
/** A connection whose subscriptions were all refused is kept for this long before they are sent again on a new one. */
const REFUSED_MS = 10 * MINUTE_MS;
const MAX_PAYLOAD = 1_000_000;

export interface TradeStreamOptions extends StreamOptions {
  /** The stream showed a trade: the list has it within 11 s, unless its transaction failed. */
  readonly onTrade: () => void;
}

/**
 * The market's live stream of trades (RTDS). It shows matches about 2 s after they are made, before they are mined, and some
 * of them never are. So none of its trades is passed on: it only tells that it is time to read the list.
 */
export class TradeStream {
  readonly #options: TradeStreamOptions;
  readonly #socket: UpstreamSocket;
  #refusals = 0;
  #refusedAt: EpochMs = Number.NEGATIVE_INFINITY;
  #words: string | null = null;

  constructor(options: TradeStreamOptions) {
    const { url, proxies, clock, random, logger, metrics } = options;
    this.#options = options;
    this.#socket = new UpstreamSocket({
      name: 'trades',
      url,
      proxies,
      clock,
      random,
      logger,
      metrics,
      maxPayload: MAX_PAYLOAD,
      pingMs: PING_MS,
      silenceMs: SILENCE_MS,
      subscriptions: () => {
        this.#refusals = 0;
        return TYPES.map(subscriptionTo);
      },
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
    if (showsTrade(text)) {
      this.#refusals = 0;
      this.#options.onTrade();
      return true;
    }
    const words = refusalIn(text);
    if (words !== null) this.#refused(words);
    // No trade can come on this connection.
    return this.#refusals >= TYPES.length && this.#options.clock.now() - this.#refusedAt < REFUSED_MS;
  }

  /** The market does not name the type that it refuses. */
  #refused(words: string): void {
    const { clock, logger } = this.#options;
    if (this.#refusals === 0) this.#refusedAt = clock.now();
    this.#refusals += 1;
    if (words === this.#words) return;
    this.#words = words;
    logger.warn({ stream: 'trades', words }, 'the market refused a subscription to trades');
  }
}

/**
 * One type, since the market refuses a frame as a whole when it does not know one of its types. Without `action` it accepts
 * the subscription and sends nothing.
 */
function subscriptionTo(type: string): string {
  return JSON.stringify({ action: 'subscribe', subscriptions: [{ topic: 'activity', type }] });
}

/** Only `payload` is required: frames were seen without topic and type. */
function showsTrade(text: string): boolean {
  if (!text.includes('"payload"')) return false;
  const frame = parseJson(text);
  if (!isObject(frame)) return false;
  return [frame['payload']].flat().some((payload) => isObject(payload) && 'transactionHash' in payload);
}
