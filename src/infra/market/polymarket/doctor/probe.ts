import { type RetryOptions, retry } from '../../../../core/base/async/retry.ts';
import { withTimeout } from '../../../../core/base/async/with-timeout.ts';
import type { Clock } from '../../../../core/base/time/clock.ts';
import { type EpochMs, SECOND_MS } from '../../../../core/base/time/duration.ts';
import { fillKey } from '../../../../core/detection/fill-hash.ts';
import type { Trade } from '../../../../core/trades/trade.ts';
import type { ProxySettings } from '../../../outgoing/proxy.ts';
import { noLogger } from '../../../telemetry/no-logger.ts';
import { isConditionId } from '../../tapes/text-fields.ts';
import { BlockReader } from '../chain/block-reader.ts';
import type { ChainHeader } from '../chain/chain-block.ts';
import { type ChainNode, openNode, RpcFault } from '../chain/chain-node.ts';
import { garbled, type MarketClient, UpstreamFault } from '../client/market-client.ts';
import { tradeLine } from '../trades/trade-line.ts';
import { listTrades, type PageCursor } from '../trades/trade-pages.ts';
import { type ProbeFinding, type ProbeName, type ProbeVerdict, percent } from './doctor-report.ts';

/** Every route of the service, in each form in which it is requested. */
export type RouteName =
  | '/v2/trades'
  | '/v2/trades?user'
  | '/v2/user-stats'
  | '/v2/activity'
  | '/v2/resolutions'
  | '/v2/status'
  | '/markets/keyset?condition_ids'
  | '/markets/keyset?clob_token_ids'
  | '/public-profile';

export interface Examination {
  readonly client: MarketClient;
  readonly clock: Clock;
  /** How far the market's clock is ahead of this host's; null before an answer had a `Date`. */
  readonly skewMs: () => number | null;
  /** The newest page of trades; empty when the route failed. */
  readonly head: HeadPage;
  readonly failed: ReadonlySet<RouteName>;
  readonly streamUrl: string;
  readonly clobUrl: string;
  readonly proxies?: ProxySettings;
  readonly node: ProbedNode | null;
  readonly random: () => number;
}

export interface Probe {
  readonly name: ProbeName;
  readonly action: string;
  /** When one of these routes failed, `routes` reports it and this probe is skipped. */
  readonly needs: readonly RouteName[];
  /** A rejection counts as `fail`. */
  find(examination: Examination, signal: AbortSignal): Promise<ProbeFinding>;
}

export function found(verdict: ProbeVerdict, seen: string, share: number | null = null): ProbeFinding {
  return { verdict, seen, share };
}

export function foundShare(
  verdictOf: (share: number) => ProbeVerdict,
  { count, of, what }: { readonly count: number; readonly of: number; readonly what: string },
): ProbeFinding {
  const share = of === 0 ? 0 : count / of;
  return found(verdictOf(share), `${percent(share)}: ${count} of ${of} ${what}`, share);
}

export function skipped(reason: string): ProbeFinding {
  return { verdict: 'skipped', seen: reason, share: null };
}

export function secondsText(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}

const SAMPLE = 20;

export interface HeadPage {
  readonly trades: readonly Trade[];
  readonly keys: ReadonlySet<string>;
  /** The moment whose state it shows, in the market's time. */
  readonly asOf: EpochMs;
  readonly ageMs: number;
  /** The CDN's `X-Cache`, for example `Miss from cloudfront`. */
  readonly cache?: string;
  readonly next: PageCursor | null;
}

export const EMPTY_PAGE: HeadPage = { trades: [], keys: new Set(), asOf: 0, ageMs: 0, next: null };

/** Reads a page as polling does. Rejects with an `UpstreamFault`, also for a page without a valid trade. */
export async function readPage(
  { client, clock }: { readonly client: MarketClient; readonly clock: Pick<Clock, 'now'> },
  cursor: PageCursor,
  signal: AbortSignal,
): Promise<HeadPage> {
  const { rows, ...answer } = await listTrades(client, cursor, { purpose: 'doctor', signal });
  const trades = rows.flatMap((value) => {
    const live = tradeLine(value, clock.now(), { isLenient: true });
    return 'line' in live && live.row.kind === 'trade' ? [live.row.trade] : [];
  });
  if (trades.length === 0) throw garbled(`/v2/trades answered ${rows.length} rows without a valid trade`);
  return { ...answer, trades, keys: new Set(trades.map(fillKey)) };
}

export function newestAt({ trades }: HeadPage): EpochMs {
  return trades.reduce((newest, { at }) => Math.max(newest, at), 0);
}

/** Distinct wallets (by a trade of each), markets and tokens of the page, newest first. */
export function sampleOf({ trades }: HeadPage) {
  const wallets = [...Map.groupBy(trades, ({ wallet }) => wallet).values()].flatMap(([first]) => first ?? []);
  const ids = [...new Set(trades.map(({ marketId }) => marketId))];
  const tokens = [...new Set(trades.map(({ asset }) => asset))];
  return {
    wallets: wallets.slice(0, SAMPLE),
    marketIds: ids.slice(0, SAMPLE).filter(isConditionId),
    tokens: tokens.slice(0, SAMPLE),
  };
}

const LIMIT_MS = 10 * SECOND_MS;
const metrics = { upstreamStream() {} };

interface ProbedNodeOptions {
  readonly url: string;
  readonly proxies: ProxySettings | undefined;
  readonly exchanges: readonly string[];
  readonly clock: Clock;
  readonly random: () => number;
}

/** The node of one examination: its first block, and a reader of others. */
export class ProbedNode {
  readonly reader: BlockReader;
  readonly #node: ChainNode;
  readonly #clock: Clock;
  readonly #first = Promise.withResolvers<ChainHeader>();

  constructor({ url, proxies, exchanges, clock, random }: ProbedNodeOptions) {
    const onHead = this.#first.resolve;
    this.#node = openNode({ url, proxies, clock, random, logger: noLogger, metrics, onHead });
    this.reader = new BlockReader({ node: this.#node, clock, exchanges, onDrop() {} });
    this.#clock = clock;
  }

  run(signal: AbortSignal): Promise<void> {
    this.#first.promise.catch(() => {});
    signal.addEventListener('abort', () => this.#first.reject(signal.reason), { once: true });
    return this.#node.run(signal);
  }

  head(): Promise<ChainHeader> {
    const timeoutError = () => new RpcFault(`no block within ${LIMIT_MS / SECOND_MS} s`);
    return withTimeout({ clock: this.#clock, timeoutMs: LIMIT_MS, timeoutError }, this.#first.promise);
  }
}

/** The market's client for probes: uses the doctor's share of the budget, and retries once. */
export function probeClient(client: MarketClient, clock: Clock): MarketClient {
  const isFinal = (error: unknown) => !isTransient(error);
  return {
    get: (request, signal) =>
      retryOnce(() => client.get({ ...request, purpose: 'doctor' }, signal), { clock, signal, isFinal }),
  };
}

/** A rate limit, a timeout and a server error may pass; a refusal stays. */
function isTransient(error: unknown): boolean {
  if (!(error instanceof UpstreamFault)) return false;
  return error.status === null || error.status === 429 || error.status >= 500;
}

const BACKOFF = { firstMs: SECOND_MS, mostMs: SECOND_MS };

export function retryOnce<Answer>(
  ask: () => Promise<Answer>,
  options: Pick<RetryOptions, 'clock' | 'signal' | 'isFinal'>,
): Promise<Answer> {
  return retry(ask, { ...options, backoff: BACKOFF, attempts: 2 });
}
