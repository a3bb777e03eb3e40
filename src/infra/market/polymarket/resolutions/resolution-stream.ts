import { z } from 'zod';
import { repeat } from '../../../../core/base/async/repeat.ts';
import { MINUTE_MS } from '../../../../core/base/time/duration.ts';
import { conditionIdOf, parseJson } from '../../tapes/text-fields.ts';
import { refusalIn } from '../streams/refusal.ts';
import { type StreamOptions, UpstreamSocket } from '../streams/upstream-socket.ts';

const PING_MS = 10_000;
/** Each PING is answered, so a stream without a frame for this long is frozen. */
const SILENCE_MS = 30_000;
/** The first frame contains the order books of every asset. */
const MAX_PAYLOAD = 8_000_000;
const LOOK_EVERY_MS = MINUTE_MS;
const LONGEST_ID = 100;

export interface ResolutionStreamOptions extends StreamOptions {
  /** Token ids of the markets to watch: as many as one connection takes, 500. */
  readonly assets: () => readonly string[];
  readonly onResolved: (marketId: string) => void;
}

/** Learns of resolutions early from the order book stream (CLOB). Without assets there is no connection. */
export class ResolutionStream {
  readonly #options: ResolutionStreamOptions;
  readonly #socket: UpstreamSocket;
  #assets: readonly string[] = [];
  /** The last refusal, which is logged once. */
  #words: string | null = null;
  #stop: AbortController | null = null;
  #ended = Promise.resolve();

  constructor(options: ResolutionStreamOptions) {
    const { url, proxies, clock, random, logger, metrics } = options;
    this.#options = options;
    this.#socket = new UpstreamSocket({
      name: 'resolutions',
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
        this.#assets = this.#wanted();
        return [subscriptionTo(this.#assets)];
      },
      onFrame: (text) => this.#takeFrame(text),
    });
  }

  async run(signal: AbortSignal): Promise<void> {
    const { clock, metrics } = this.#options;
    metrics.upstreamStream('resolutions', false);
    await repeat(() => this.#look(), { clock, signal, intervalMs: LOOK_EVERY_MS });
    this.#stop?.abort();
    await this.#ended;
  }

  /** The list of a connection cannot be changed: a new connection is made with the new list. */
  #look(): void {
    const assets = this.#wanted();
    if (assets.length === 0) {
      this.#stop?.abort();
      this.#stop = null;
    } else if (this.#stop === null) {
      this.#stop = new AbortController();
      this.#ended = this.#socket.run(this.#stop.signal);
    } else if (String(assets) !== String(this.#assets)) this.#socket.renew();
  }

  #wanted(): readonly string[] {
    return [...new Set(this.#options.assets())].toSorted();
  }

  #takeFrame(text: string): boolean {
    const words = refusalIn(text);
    if (words !== null && words !== this.#words) {
      this.#words = words;
      this.#options.logger.warn(
        { stream: 'resolutions', words },
        'the market refused the subscription to order books; resolutions are known minutes later',
      );
    }
    for (const marketId of resolvedIn(text)) this.#options.onResolved(marketId);
    return true;
  }
}

/** `custom_feature_enabled` subscribes to `market_resolved`. */
function subscriptionTo(assets: readonly string[]): string {
  return JSON.stringify({ assets_ids: assets, type: 'market', custom_feature_enabled: true });
}

const resolvedSchema = z.object({
  event_type: z.literal('market_resolved'),
  market: z.string().min(1).max(LONGEST_ID).transform(conditionIdOf),
});

function resolvedIn(text: string): readonly string[] {
  if (!text.includes('"market_resolved"')) return [];
  return [parseJson(text)].flat().flatMap((event) => resolvedSchema.safeParse(event).data?.market ?? []);
}
