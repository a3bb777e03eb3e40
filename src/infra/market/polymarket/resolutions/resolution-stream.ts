import { repeat } from '../../../../core/base/async/repeat.ts';
import { MINUTE_MS } from '../../../../core/base/time/duration.ts';
import { conditionIdOf, parseJson } from '../../tapes/text-fields.ts';
import { inBatches } from '../batches.ts';
import { type StreamOptions, UpstreamSocket } from '../streams/upstream-socket.ts';

const PING_MS = 10_000;
/** Each PING is answered, so a stream without a frame for this long is frozen. */
const SILENCE_MS = 30_000;
/** The first frame contains the order books of every asset. */
const MAX_PAYLOAD = 8_000_000;
const ASSETS_A_SOCKET = 500;
const MOST_SOCKETS = 10;
const REARRANGE_MS = MINUTE_MS;
const LONGEST_ID = 100;

export interface ResolutionStreamOptions extends StreamOptions {
  /** Token ids of the markets to watch, the most important first. The first 5,000 are watched. */
  readonly assets: () => readonly string[];
  /** The stream reports a market as resolved, perhaps more than once. */
  readonly onResolved: (marketId: string) => void;
}

/** One socket and the assets it watches. */
interface Watch {
  assets: readonly string[];
  readonly socket: UpstreamSocket;
  readonly stop: AbortController;
  readonly ended: Promise<void>;
}

/** Learns of resolutions early from the order book stream (CLOB). Without assets there is no connection. */
export class ResolutionStream {
  readonly #options: ResolutionStreamOptions;
  readonly #watches: Watch[] = [];

  constructor(options: ResolutionStreamOptions) {
    this.#options = options;
  }

  /** Whether there are assets and all of them (the first 5,000) are watched. */
  get isOpen(): boolean {
    return this.#watches.length > 0 && this.#watches.every(({ socket }) => socket.isOpen);
  }

  async run(signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    await repeat(() => this.#rearrange(), { clock, signal, intervalMs: REARRANGE_MS });
    const last = this.#watches.splice(0);
    for (const { stop } of last) stop.abort();
    await Promise.all(last.map(({ ended }) => ended));
  }

  /** The list of a connection cannot be changed: a new connection is made with the new list, unless this one just connects. */
  #rearrange(connecting?: Watch): void {
    const groups = groupsOf(this.#options.assets());
    for (const [index, assets] of groups.entries()) {
      const watch = this.#watches[index];
      if (watch === undefined) this.#watches.push(this.#startWatch(assets));
      else if (!isSame(watch.assets, assets)) {
        watch.assets = assets;
        if (watch !== connecting) watch.socket.renew();
      }
    }
    for (const { stop } of this.#watches.splice(groups.length)) stop.abort();
    this.#reportState();
  }

  #startWatch(assets: readonly string[]): Watch {
    const { url, clock, random, logger } = this.#options;
    const stop = new AbortController();
    const socket = new UpstreamSocket({
      name: 'resolutions',
      ...{ url, clock, random, logger },
      maxPayload: MAX_PAYLOAD,
      pingMs: PING_MS,
      silenceMs: SILENCE_MS,
      subscription: () => this.#subscriptionOf(watch),
      onFrame: (text) => this.#takeFrame(text),
      onState: () => this.#reportState(),
    });
    const watch: Watch = { assets, socket, stop, ended: socket.run(stop.signal) };
    return watch;
  }

  #subscriptionOf(watch: Watch): string | null {
    this.#rearrange(watch);
    return this.#watches.includes(watch) ? subscriptionTo(watch.assets) : null;
  }

  /** Any frame counts as a sign of life. */
  #takeFrame(text: string): boolean {
    for (const marketId of resolvedIn(text)) this.#options.onResolved(marketId);
    return true;
  }

  #reportState(): void {
    this.#options.metrics.upstreamStream('resolutions', this.isOpen);
  }
}

function groupsOf(assets: readonly string[]): readonly (readonly string[])[] {
  const watched = [...new Set(assets)].slice(0, ASSETS_A_SOCKET * MOST_SOCKETS).toSorted();
  return inBatches(watched, ASSETS_A_SOCKET);
}

function isSame(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((asset, index) => asset === others[index]);
}

/** `custom_feature_enabled` subscribes to `market_resolved`. */
export function subscriptionTo(assets: readonly string[]): string {
  return JSON.stringify({ assets_ids: assets, type: 'market', custom_feature_enabled: true });
}

/** Ids of the markets that a frame (one event or many) reports as resolved. Books and prices are not parsed. */
function resolvedIn(text: string): readonly string[] {
  if (!text.includes('"market_resolved"')) return [];
  const found = parseJson(text);
  return (Array.isArray(found) ? found : [found]).flatMap((event) => {
    if (typeof event !== 'object' || event === null || event.event_type !== 'market_resolved') return [];
    const { market } = event;
    const isId = typeof market === 'string' && market !== '' && market.length <= LONGEST_ID;
    return isId ? conditionIdOf(market) : [];
  });
}
