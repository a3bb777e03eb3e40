import type { Alert } from '../../../core/alerts/alert.ts';
import { type AddressEnds, type AlertSummary, SUMMARY_FIELDS } from '../../../core/alerts/alert-store.ts';
import type { EpochMs } from '../../../core/base/time/duration.ts';
import {
  ALERT_FIELDS,
  ALERTS,
  type AlertRow,
  FACETS,
  LISTINGS,
  SEGMENT_RESULTS,
  SEGMENTS,
} from '../stores/alert-rows.ts';
import type { Collection, Filter, FindQuery, OpenCollection } from '../stores/collection.ts';
import { createSettlementStore } from '../stores/settlement-store.ts';

/** Alerts with `after < id <= upto`. A bound in time becomes one in ids, as `createdAt` never decreases with the id. */
export interface IdRange {
  readonly after: number;
  readonly upto: number;
}

/** What filters and figures use of an alert. */
export type ArchiveRow = Pick<AlertRow, (typeof FACETS)[number]>;

/** What the archive reads from a database. Nothing that it returns may be rolled back later. */
export type ArchiveSource = ReturnType<typeof createArchiveSource>;

/**
 * `concurrency`: useful number of concurrent calls of `rows`. `openStored`: opens what the archive stores for later starts; null where it
 * stores nothing.
 */
export function createArchiveSource(
  open: OpenCollection,
  concurrency: number,
  openStored: OpenCollection | null,
) {
  const alerts = open(ALERTS);
  const listings = open(LISTINGS);

  async function lastOf(query: Pick<FindQuery<AlertRow>, 'where' | 'sort'>): Promise<number> {
    return (await alerts.pick(['id'], { ...query, limit: 1, isCommitted: true }))[0]?.id ?? 0;
  }

  return {
    concurrency,
    settlements: createSettlementStore(open),
    ...createSegmentSource(alerts, openStored),
    /** 0 when there is none. */
    lastId: () => lastOf({ sort: ['-id'] }),
    /** The last alert created before the moment, 0 when there is none. */
    lastIdBefore: (at: EpochMs) => lastOf({ where: { createdAt: { lt: at } }, sort: ['-createdAt', '-id'] }),
    /** All alerts of the range, ascending. */
    rows({ after, upto }: IdRange): Promise<readonly ArchiveRow[]> {
      const where = { id: { gt: after, lte: upto } };
      return alerts.pick(FACETS, { where, sort: ['id'], index: 'alerts_facets', isCommitted: true });
    },
    /** In any order. */
    listings: (keys: readonly string[]) => listings.find({ where: { key: { in: keys } } }),
    /** The resolved alerts of these markets, in any order. */
    async settled(markets: readonly string[]) {
      const where = { marketId: { in: markets }, isResolved: true };
      const index = 'alerts_by_market';
      const found = await alerts.pick(['id', 'won'], { where, index, isCommitted: true });
      return found.map(({ id, won }) => ({ id, won: won === true }));
    },
    ...createIdReads(alerts),
    ...createWalletReads(alerts),
    /** The clusters of the range and their members, in any order. */
    async members({ after, upto }: IdRange) {
      const where = { id: { gt: after, lte: upto }, type: 'cluster' } as const;
      const index = 'alerts_facets';
      const found = await alerts.pick(['id', 'details'], { where, index, isCommitted: true });
      return found.map(({ id, details }) => ({ id, wallets: details.wallets ?? [] }));
    },
    /** Both in any order. */
    load: (ids: readonly number[]): Promise<Alert[]> =>
      alerts.pick(ALERT_FIELDS, { where: { id: { in: ids } } }),
    loadSummaries: (ids: readonly number[]): Promise<AlertSummary[]> =>
      alerts.pick(SUMMARY_FIELDS, { where: { id: { in: ids } } }),
  };
}

function createSegmentSource(alerts: Collection<AlertRow>, openStored: OpenCollection | null) {
  return {
    segments: openStored && { columns: openStored(SEGMENTS), results: openStored(SEGMENT_RESULTS) },
    /** The key of an alert; null when there is none. */
    async keyOf(id: number): Promise<string | null> {
      const [found] = await alerts.pick(['key'], { where: { id }, isCommitted: true });
      return found?.key ?? null;
    },
  };
}

/** Ids of alerts, ascending. */
function createIdReads(alerts: Collection<AlertRow>) {
  const idsOf = async (where: Filter<AlertRow>): Promise<readonly number[]> =>
    (await alerts.pick(['id'], { where, sort: ['id'], isCommitted: true })).map(({ id }) => id);
  return {
    ofWallet: (wallet: string, afterId = 0) => idsOf({ wallet, id: { gt: afterId } }),
    ofMarket: (marketId: string) => idsOf({ marketId }),
    ofEvent: (marketEvent: string) => idsOf({ marketEvent }),
    /** In any order. */
    async marketsOfEvent(marketEvent: string, { upto }: Pick<IdRange, 'upto'>): Promise<readonly string[]> {
      return [...(await alerts.countBy('marketId', { marketEvent, id: { lte: upto } })).keys()];
    },
  };
}

/** Rows read at once in the order of their wallets: a wallet has more than one alert. */
const ROWS_PER_READ = 200;
/** A beginning of a few digits is that of every wallet. */
const WALLET_READS_MAX = 25;

function createWalletReads(alerts: Collection<AlertRow>) {
  return {
    /** The wallets of alerts up to an id whose addresses begin and end so, ascending: of the first thousands that begin so. */
    async walletsBetween(
      { start, end }: AddressEnds,
      { upto, limit }: { readonly upto: number; readonly limit: number },
    ): Promise<readonly string[]> {
      const found = new Set<string>();
      let last = '';
      for (let reads = 0; reads < WALLET_READS_MAX && found.size < limit; reads++) {
        const wallet = last === '' ? { gte: start, lt: `${start}g` } : { gt: last, lt: `${start}g` };
        const query = { where: { wallet, id: { lte: upto } }, sort: ['wallet', 'id'] } as const;
        const rows = await alerts.pick(['wallet'], { ...query, limit: ROWS_PER_READ, isCommitted: true });
        for (const row of rows) if (row.wallet.endsWith(end)) found.add(row.wallet);
        if (rows.length < ROWS_PER_READ) break;
        last = rows.at(-1)?.wallet ?? '';
      }
      return [...found].slice(0, limit);
    },
  };
}
