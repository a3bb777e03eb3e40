import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Alert } from '../../../core/alerts/alert.ts';
import type { AlertStore } from '../../../core/alerts/alert-store.ts';
import { type Archive, archiveReads } from '../archive/archive.ts';
import {
  ALERT_FIELDS,
  ALERTS,
  type AlertRow,
  LISTINGS,
  type ListingRow,
  resolvedFields,
  toAlertRow,
} from './alert-rows.ts';
import type { Collection, FindQuery, OpenCollection } from './collection.ts';
import { EXITS } from './exit-store.ts';

/**
 * Reads that may take long are left to the archive. Listings and results need not wait for the disk (`openQuick`): a listing is
 * written before its alert, and results before their settlement, and those writes wait for everything before them.
 */
export function createAlertStore(
  open: OpenCollection,
  openQuick: OpenCollection,
  archive: Archive,
): AlertStore {
  const alerts = open(ALERTS);
  const results = openQuick(ALERTS);
  const exits = open(EXITS);
  const insertListings = createListings(openQuick(LISTINGS));
  return {
    async append(...added) {
      const listings = added.map(listingOf);
      await insertListings(listings);
      const rows = added.map((alert, index) => toAlertRow(alert, listings[index]?.key ?? ''));
      return (await alerts.insertInOrder(rows)) ? 'appended' : 'taken';
    },
    known: async (keys) =>
      (await alerts.pick(['key'], { where: { key: { in: keys } } })).map(({ key }) => key),
    setLog: async (id, log) => void (await alerts.update({ id }, { set: { log } })),
    async withdraw(id, withdrawn) {
      await alerts.update({ id, 'withdrawn.at': null }, { set: { withdrawn } });
    },
    marketsWithoutEvent: async () => [...(await alerts.countBy('marketId', { marketEvent: null })).keys()],
    async nameEvent(marketId, marketEvent) {
      for (const each of [alerts, exits])
        await each.update({ marketId, marketEvent: null }, { set: { marketEvent } });
    },
    ...createReads(alerts),
    ...archiveReads((name) => archive[name]),
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
  } satisfies Partial<AlertStore>;
}

const CHUNK_SIZE = 200;

/** Resolves a market's alerts in id order, one write per chunk. */
async function resolveMarket(
  alerts: Collection<AlertRow>,
  marketId: string,
  resolve: Parameters<AlertStore['resolveMarket']>[1],
) {
  const counted = { resolved: 0, won: 0 };
  for (let after: number | null = 0; after !== null; ) {
    const where: FindQuery<AlertRow>['where'] = { marketId, id: { gt: after } };
    const chunk: AlertRow[] = await alerts.find({ where, sort: ['id'], limit: CHUNK_SIZE });
    const computed = chunk.map((row) => ({ row, resolution: resolve(row) }));
    await alerts.updateEach(
      computed.flatMap(({ row: { id }, resolution }) =>
        resolution === null ? [] : [{ where: { id }, change: { set: resolvedFields(resolution) } }],
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

const KNOWN_MAX = 10_000;

/** Inserts listings before their alerts, so that a reader of an alert always finds its listing. */
function createListings(listings: Collection<ListingRow>): (given: readonly ListingRow[]) => Promise<void> {
  const known = new LRUCache<string, true>({ max: KNOWN_MAX });
  return async (given) => {
    const added = new Map(
      given.filter(({ key }) => !known.has(key)).map((listing) => [listing.key, listing]),
    );
    if (added.size > 0) await listings.insertNew([...added.values()]);
    for (const { key } of given) known.set(key, true);
  };
}

function listingOf({ marketId, eventTitle, eventSlug }: Alert): ListingRow {
  const texts = JSON.stringify([marketId, eventTitle, eventSlug]);
  const key = createHash('sha256').update(texts).digest('base64url').slice(0, 16);
  return { key, marketId, title: eventTitle.toLowerCase(), slug: eventSlug.toLowerCase() };
}
