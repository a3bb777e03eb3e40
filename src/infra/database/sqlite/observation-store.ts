import type { DatabaseSync } from 'node:sqlite';
import type {
  ObservationStore,
  ObservedMarket,
} from '../../../core/record/observations/observation-store.ts';
import { hourKey, hourKeys, hourOfKey, packText, unpackText } from '../observed-hours.ts';
import { prepareQuery, transactionUnsynced } from './connection.ts';
import { createHolderCheck } from './ingest-store.ts';

interface MarketRow {
  readonly body: string;
}

export function createSqliteObservationStore(db: DatabaseSync): ObservationStore {
  const number = prepareQuery<{ number: number }>(
    db,
    'SELECT number FROM observed_markets WHERE market_id = ?',
  );
  const market = prepareQuery<MarketRow>(db, 'SELECT body FROM observed_markets WHERE market_id = ?');
  const markets = prepareQuery<MarketRow>(
    db,
    'SELECT body FROM observed_markets WHERE market_id > ? ORDER BY market_id LIMIT ?',
  );
  const open = prepareQuery<MarketRow>(
    db,
    'SELECT body FROM observed_markets WHERE is_open = 1 AND market_id > ? ORDER BY market_id LIMIT ?',
  );
  const hours = prepareQuery<{ key: number; text: Uint8Array }>(
    db,
    'SELECT key, text FROM observed_hours WHERE key >= ? AND key < ? ORDER BY key LIMIT ?',
  );
  const numberOf = (marketId: string) => number.get(marketId)?.number;

  return {
    write: createWrite(db, numberOf),
    async market(marketId) {
      const row = market.get(marketId);
      return row === undefined ? null : toMarket(row);
    },
    markets: async ({ after = '', limit }) => markets.all(after, limit).map(toMarket),
    open: async ({ after = '', limit }) => open.all(after, limit).map(toMarket),
    async hours(marketId, { limit, ...range }) {
      const known = numberOf(marketId);
      if (known === undefined) return [];
      const { first, end } = hourKeys(known, range);
      return hours
        .all(first, end, limit)
        .map(({ key, text }) => ({ marketId, hour: hourOfKey(key), text: unpackText(text) }));
    },
  };
}

function createWrite(
  db: DatabaseSync,
  numberOf: (marketId: string) => number | undefined,
): ObservationStore['write'] {
  const isHeld = createHolderCheck(db);
  const putMarket = db.prepare(
    `INSERT INTO observed_markets (market_id, is_open, body) VALUES (?, ?, ?)
     ON CONFLICT (market_id) DO UPDATE SET is_open = excluded.is_open, body = excluded.body`,
  );
  const putHour = db.prepare(
    'INSERT INTO observed_hours (key, text) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET text = excluded.text',
  );
  // Synced with the next snapshot, which is written after the observations up to it: from there all is read again.
  return async (lease, batch) =>
    transactionUnsynced(db, () => {
      if (!isHeld(lease)) return false;
      for (const each of batch.markets)
        putMarket.run(each.marketId, each.isOpen ? 1 : 0, JSON.stringify(each));
      for (const [marketId, hours] of Map.groupBy(batch.hours, (each) => each.marketId)) {
        const known = numberOf(marketId);
        if (known === undefined) throw new Error(`hours of a market that is not observed: ${marketId}`);
        for (const { hour, text } of hours) putHour.run(hourKey(known, hour), packText(text));
      }
      return true;
    });
}

function toMarket({ body }: MarketRow): ObservedMarket {
  return JSON.parse(body);
}
