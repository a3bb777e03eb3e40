import type { Clock } from '../../../core/clock.ts';
import { MINUTE_MS } from '../../../core/duration.ts';
import type { Logger } from '../../../core/logger.ts';
import type { Metrics } from '../../../core/metrics/metrics.ts';
import { conditionIdOf } from '../../sources/condition-id.ts';
import { parseJson } from '../../sources/row-schema.ts';
import { inBatches } from '../in-batches.ts';
import { createUpstreamSocket, type UpstreamSocket } from '../streams/upstream-socket.ts';

const PING_MS = 10_000;
/** Each PING is answered, so this long without a frame is a frozen stream. */
const SILENCE_MS = 30_000;
/** The first frame holds the order books of every asset. */
const MAX_PAYLOAD = 8_000_000;
const ASSETS_A_SOCKET = 500;
const MOST_SOCKETS = 10;
const REARRANGE_MS = MINUTE_MS;
const LONGEST_ID = 100;

export interface ResolutionStreamDeps {
  /** With its path, `…/ws/market`. */
  readonly url: string;
  readonly clock: Clock;
  /** From 0 up to 1. */
  random(): number;
  readonly logger: Logger;
  readonly metrics: Pick<Metrics, 'upstreamStream'>;
  /** Token ids of the markets to watch, those that matter most first: the first 5,000 are watched. */
  assets(): readonly string[];
  /** The market says that this one is resolved. It may be told more than once. */
  onResolved(marketId: string): void;
}

/** Hears early of resolutions on the order book stream (CLOB). Without assets there is no connection. */
export interface ResolutionStream {
  run(signal: AbortSignal): Promise<void>;
  /** Whether every asset (of the first 5,000) is watched, and there is one. */
  isOpen(): boolean;
}

/** One socket, and the assets it is to watch. */
interface Watch {
  assets: readonly string[];
  readonly socket: UpstreamSocket;
  readonly stop: AbortController;
  readonly ended: Promise<void>;
}

export function createResolutionStream(deps: ResolutionStreamDeps): ResolutionStream {
  const { clock, metrics } = deps;
  const watches: Watch[] = [];
  const isOpen = () => watches.length > 0 && watches.every(({ socket }) => socket.isOpen());
  const notify = () => metrics.upstreamStream('resolutions', isOpen());

  /** Lists cannot be changed on a connection: a new one is made with the new list. */
  function rearrange(connecting?: Watch): void {
    const groups = groupsOf(deps.assets());
    for (const [index, assets] of groups.entries()) {
      const watch = watches[index];
      if (watch === undefined) watches.push(startWatch(assets));
      else if (!isSame(watch.assets, assets)) {
        watch.assets = assets;
        if (watch !== connecting) watch.socket.renew();
      }
    }
    for (const { stop } of watches.splice(groups.length)) stop.abort();
    notify();
  }

  function startWatch(assets: readonly string[]): Watch {
    const stop = new AbortController();
    const socket = createUpstreamSocket(
      {
        name: 'resolutions',
        url: deps.url,
        maxPayload: MAX_PAYLOAD,
        pingMs: PING_MS,
        silenceMs: SILENCE_MS,
        subscription() {
          rearrange(watch);
          return watches.includes(watch) ? subscriptionTo(watch.assets) : null;
        },
        onFrame(text) {
          for (const marketId of resolvedIn(text)) deps.onResolved(marketId);
          return true;
        },
        onState: notify,
      },
      deps,
    );
    const watch: Watch = { assets, socket, stop, ended: socket.run(stop.signal) };
    return watch;
  }

  return {
    isOpen,
    async run(signal) {
      while (!signal.aborted) {
        rearrange();
        await clock.sleep(REARRANGE_MS, signal);
      }
      const last = watches.splice(0);
      for (const { stop } of last) stop.abort();
      await Promise.all(last.map(({ ended }) => ended));
    },
  };
}

function groupsOf(assets: readonly string[]): readonly (readonly string[])[] {
  const watched = [...new Set(assets)].slice(0, ASSETS_A_SOCKET * MOST_SOCKETS).toSorted();
  return inBatches(watched, ASSETS_A_SOCKET);
}

function isSame(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((asset, index) => asset === others[index]);
}

/** `custom_feature_enabled` is what asks for `market_resolved`. */
export function subscriptionTo(assets: readonly string[]): string {
  return JSON.stringify({ assets_ids: assets, type: 'market', custom_feature_enabled: true });
}

/** Ids of the markets that the frame, one event or many, says are resolved. Books and prices are not even parsed. */
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
