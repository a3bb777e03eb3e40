import type { Clock } from '../../../../core/base/time/clock.ts';
import type { EpochMs } from '../../../../core/base/time/duration.ts';
import { fillKey } from '../../../../core/detection/fill-hash.ts';
import {
  type ProbeFinding,
  type ProbeName,
  type ProbeVerdict,
  percent,
} from '../../../../core/ingest/doctor/doctor-report.ts';
import type { Trade } from '../../../../core/trades/trade.ts';
import { isConditionId } from '../../tapes/text-fields.ts';
import { garbled, type MarketClient } from '../client/market-client.ts';
import type { MarketClock } from '../client/market-clock.ts';
import { tradeLine } from '../trades/trade-line.ts';
import { listTrades, type PageCursor } from '../trades/trade-pages.ts';
import type { ProbedNode } from './probed-node.ts';

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
  readonly clock: MarketClock;
  /** The newest page of trades; empty when the route failed. */
  readonly head: HeadPage;
  readonly failed: ReadonlySet<RouteName>;
  readonly streamUrl: string;
  readonly clobUrl: string;
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
