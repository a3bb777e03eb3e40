import type { EpochMs } from '../../base/time/duration.ts';
import type { Alert } from '../alert.ts';
import type { AddressEnds, ReportQuery } from '../alert-store.ts';
import { type MarketReport, marketFigures } from '../market-report.ts';
import { type WalletReport, walletPositions, walletRecord } from '../wallet-report.ts';
import type { AlertIndex } from './alert-index.ts';
import { ALWAYS, type AlertReader } from './alert-reader.ts';
import { settlementAsOf } from './settlement-history.ts';
import { rangeOf } from './walk.ts';

/** Alerts that the figures of a market, and the record of a wallet, are made of: the newest ones. */
const COUNTED_MAX = 1_000;
const CLUSTERS_MAX = 20;
const POSITIONS_MAX = 50;

interface Source {
  readonly index: AlertIndex;
  readonly alerts: Pick<AlertReader, 'read'>;
}

/** Everything known about a wallet (lower case); null if no alert names it. */
export async function walletReport(
  source: Source,
  wallet: string,
  query: ReportQuery,
): Promise<WalletReport | null> {
  const { visible } = rangeOf(source.index, query);
  const own = upTo(source.index.wallets.get(wallet), visible);
  const joined = upTo(source.index.members.get(wallet), visible);
  const first = Math.min(own[0] ?? Number.POSITIVE_INFINITY, joined[0] ?? Number.POSITIVE_INFINITY);
  if (first === Number.POSITIVE_INFINITY) return null;
  const { page, hasMore } = pageOf(own, query);
  const [counted, clusters] = [own.slice(-COUNTED_MAX), joined.slice(-CLUSTERS_MAX)];
  const known = await readAsOf(source, [first, ...own.slice(0, 1), ...page, ...counted, ...clusters], query);
  const positions = walletPositions(known(counted));
  return {
    firstAt: known([first])[0]?.createdAt ?? 0,
    ageDaysAtFirst: known(own.slice(0, 1))[0]?.details.walletAgeDays ?? null,
    total: own.length,
    alerts: known(page).toReversed(),
    hasMore,
    record: walletRecord(positions),
    positions: { total: positions.length, newest: positions.slice(0, POSITIONS_MAX) },
    clusters: { total: joined.length, newest: known(clusters).toReversed() },
  };
}

/** Everything known about a market; null if it has no alert. */
export async function marketReport(
  source: Source,
  marketId: string,
  query: ReportQuery,
): Promise<MarketReport | null> {
  const { visible } = rangeOf(source.index, query);
  const market = source.index.settlements.market(marketId);
  const ids = upTo(market?.alertIds, visible);
  const counted = ids.slice(-COUNTED_MAX);
  const { page, hasMore } = pageOf(ids, query);
  const known = await readAsOf(source, [...page, ...counted], query);
  const newest = known(counted).at(-1);
  if (market === null || newest === undefined) return null;
  return {
    total: ids.length,
    counted: counted.length,
    alerts: known(page).toReversed(),
    hasMore,
    newest,
    ...marketFigures(known(counted)),
    resolution: settlementAsOf(market, momentOf(query)),
  };
}

/** The wallets with such an address that an alert up to an id names, ascending. */
export function walletsNamed(
  index: AlertIndex,
  { start, end }: AddressEnds,
  { visible, limit }: { readonly visible: number; readonly limit: number },
): readonly string[] {
  const named = new Set<string>();
  const find = (wallets: Iterable<readonly [string, readonly number[]]>) => {
    for (const [wallet, [first = 0]] of wallets)
      if (first <= visible && wallet.startsWith(start) && wallet.endsWith(end)) named.add(wallet);
  };
  find(index.wallets);
  find(index.members);
  return [...named].sort().slice(0, limit);
}

function upTo(ids: readonly number[] | undefined, visible: number): readonly number[] {
  return (ids ?? []).filter((id) => id <= visible);
}

function pageOf(ids: readonly number[], { beforeId = Number.POSITIVE_INFINITY, limit }: ReportQuery) {
  const older = ids.filter((id) => id < beforeId);
  const page = older.slice(-limit);
  return { page, hasMore: older.length > page.length };
}

/** Reads alerts as the caller knows them; returns a function that gives some of them in the order of their ids. */
async function readAsOf(
  { alerts }: Source,
  ids: readonly number[],
  query: ReportQuery,
): Promise<(ids: readonly number[]) => Alert[]> {
  const found = await alerts.read([...new Set(ids)], momentOf(query));
  const byId = new Map(found.map((alert) => [alert.id, alert]));
  return (some) => some.flatMap((id) => byId.get(id) ?? []);
}

function momentOf({ until = ALWAYS }: ReportQuery): EpochMs {
  return until;
}
