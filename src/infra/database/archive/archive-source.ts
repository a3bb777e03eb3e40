import type { Alert } from '../../../core/alerts/alert.ts';
import type { EpochMs } from '../../../core/base/time/duration.ts';
import { ALERT_FIELDS, ALERTS, type AlertRow, FACETS, LISTINGS } from '../stores/alert-rows.ts';
import type { Filter, FindQuery, OpenCollection } from '../stores/collection.ts';
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

/** `concurrency`: useful number of concurrent calls of `rows`. */
export function createArchiveSource(open: OpenCollection, concurrency: number) {
  const alerts = open(ALERTS);
  const listings = open(LISTINGS);

  async function lastOf(query: Pick<FindQuery<AlertRow>, 'where' | 'sort'>): Promise<number> {
    return (await alerts.pick(['id'], { ...query, limit: 1, isCommitted: true }))[0]?.id ?? 0;
  }

  /** Ids, ascending. */
  async function idsOf(where: Filter<AlertRow>): Promise<readonly number[]> {
    return (await alerts.pick(['id'], { where, sort: ['id'] })).map(({ id }) => id);
  }

  return {
    concurrency,
    settlements: createSettlementStore(open),
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
    ofWallet: (wallet: string) => idsOf({ wallet }),
    ofMarket: (marketId: string) => idsOf({ marketId }),
    /** The clusters of the range and their members, in any order. */
    async members({ after, upto }: IdRange) {
      const where = { id: { gt: after, lte: upto }, type: 'cluster' } as const;
      const index = 'alerts_facets';
      const found = await alerts.pick(['id', 'details'], { where, index, isCommitted: true });
      return found.map(({ id, details }) => ({ id, wallets: details.wallets ?? [] }));
    },
    /** In any order. */
    load: (ids: readonly number[]): Promise<Alert[]> =>
      alerts.pick(ALERT_FIELDS, { where: { id: { in: ids } } }),
  };
}
