import type { Alert } from '../../../core/alerts/alert.ts';
import { FACETS } from '../../../core/alerts/alert-index/facets.ts';
import type { StoredAlerts } from '../../../core/alerts/alert-store.ts';
import { ALERT_FIELDS, ALERTS, type AlertRow, resolvedFields, toAlertRow } from './alert-rows.ts';
import type { Collection, FindQuery, OpenCollection } from './collection.ts';
import { EXITS } from './exit-store.ts';

/** Results need not wait for the disk (`openQuick`): their settlement is written after them, and that write waits for everything before it. */
export function createAlertStore(open: OpenCollection, openQuick: OpenCollection): StoredAlerts {
  const alerts = open(ALERTS);
  const results = openQuick(ALERTS);
  const exits = open(EXITS);
  return {
    append: async (...added) => ((await alerts.insertInOrder(added.map(toAlertRow))) ? 'appended' : 'taken'),
    known: async (keys) =>
      (await alerts.pick(['key'], { where: { key: { in: keys } } })).map(({ key }) => key),
    setLog: async (id, log) => void (await alerts.update({ where: { id }, set: { log } })),
    async withdraw(id, withdrawn) {
      await alerts.update({ where: { id, 'withdrawn.at': null }, set: { withdrawn } });
    },
    marketsWithoutEvent: () => alerts.distinct('marketId', { marketEvent: null }),
    async nameEvent(marketId, marketEvent) {
      for (const each of [alerts, exits])
        await each.update({ where: { marketId, marketEvent: null }, set: { marketEvent } });
    },
    ...createReads(alerts),
    ...createIndexReads(alerts),
    resolveMarket: (marketId, resolve) => resolveMarket(results, marketId, resolve),
  };
}

/** What a caller was shown, and what the next alert follows from, must never be rolled back. */
function createReads(alerts: Collection<AlertRow>) {
  const find = (query: FindQuery<AlertRow>): Promise<Alert[]> =>
    alerts.pick(ALERT_FIELDS, { ...query, isCommitted: true });
  const one = async (query: FindQuery<AlertRow>) => (await find({ ...query, limit: 1 }))[0] ?? null;
  return {
    last: () => one({ sort: ['-id'] }),
    byId: (id) => one({ where: { id } }),
    threads: (keys) =>
      alerts.pick(['id', 'key', 'tradedAt', 'createdAt', 'thread'], {
        where: { thread: { in: keys } },
        sort: ['id'],
        isCommitted: true,
      }),
    ofMarket: (marketId, limit, afterId = 0) =>
      find({ where: { marketId, id: { gt: afterId } }, sort: ['id'], limit }),
    after: (id, limit) => find({ where: { id: { gt: id } }, sort: ['id'], limit }),
    latest: ({ limit, until }) =>
      until === undefined
        ? find({ sort: ['-id'], limit })
        : find({ where: { createdAt: { lte: until } }, sort: ['-createdAt', '-id'], limit }),
    async unresolvedMarkets({ afterId, limit }) {
      const where = { isResolved: false, id: { gt: afterId } };
      const query = { where, sort: ['id'], limit, index: 'alerts_unresolved' } as const;
      const found = await alerts.pick(['id', 'marketId'], query);
      return {
        marketIds: [...new Set(found.map(({ marketId }) => marketId))],
        lastId: found.length < limit ? null : (found.at(-1)?.id ?? null),
      };
    },
  } satisfies Partial<StoredAlerts>;
}

const INDEX_FACETS = [...FACETS, 'putInUsdc', 'toWinUsdc', 'won'] as const;

/** What the alert index is filled with, and reads for a page. */
function createIndexReads(alerts: Collection<AlertRow>) {
  return {
    some: (ids) => alerts.pick(ALERT_FIELDS, { where: { id: { in: ids } } }),
    async facets(afterId, limit) {
      const query = { where: { id: { gt: afterId } }, sort: ['id'], limit, isCommitted: true } as const;
      const found = await alerts.pick(INDEX_FACETS, query);
      const last = found.at(-1)?.id ?? afterId;
      const clusters = found.some(({ type }) => type === 'cluster')
        ? await alerts.pick(['id', 'details'], {
            where: { type: 'cluster', id: { gt: afterId, lte: last } },
            isCommitted: true,
          })
        : [];
      const members = new Map(clusters.map(({ id, details }) => [id, details.wallets ?? []]));
      return found.map((facets) => ({ ...facets, members: members.get(facets.id) ?? [] }));
    },
    async results(marketIds) {
      const where = { marketId: { in: marketIds }, isResolved: true };
      const found = await alerts.pick(['id', 'won'], { where, index: 'alerts_by_market', isCommitted: true });
      return found.map(({ id, won }) => ({ id, won: won === true }));
    },
    marketsOf: (event) => alerts.distinct('marketId', { marketEvent: event }),
  } satisfies Partial<StoredAlerts>;
}

const CHUNK_SIZE = 200;

/** Resolves a market's alerts in id order, one write per chunk. */
async function resolveMarket(
  alerts: Collection<AlertRow>,
  marketId: string,
  resolve: Parameters<StoredAlerts['resolveMarket']>[1],
) {
  const counted = { resolved: 0, won: 0 };
  for (let after: number | null = 0; after !== null; ) {
    const where: FindQuery<AlertRow>['where'] = { marketId, id: { gt: after } };
    const chunk: AlertRow[] = await alerts.find({ where, sort: ['id'], limit: CHUNK_SIZE });
    const computed = chunk.map((row) => ({ row, resolution: resolve(row) }));
    await alerts.updateEach(
      computed.flatMap(({ row: { id }, resolution }) =>
        resolution === null ? [] : [{ where: { id }, set: resolvedFields(resolution) }],
      ),
    );
    for (const { row, resolution } of computed) {
      const { won } = resolution ?? row;
      if (won !== null) counted.resolved += 1;
      if (won === true) counted.won += 1;
    }
    after = chunk.length < CHUNK_SIZE ? null : (chunk.at(-1)?.id ?? null);
  }
  return counted;
}
