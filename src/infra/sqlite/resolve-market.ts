import type { DatabaseSync } from 'node:sqlite';
import type { AlertStore } from '../../core/alerts/alert-store.ts';
import { ALERT_COLUMNS, type AlertRow, resolutionValues, toAlert } from './alert-row.ts';
import { prepareQuery, transaction } from './connection.ts';

const CHUNK_SIZE = 200;

type Resolve = Parameters<AlertStore['resolveMarket']>[1];

/** Resolves a market's alerts in id order, a transaction a chunk; other work gets its turn between them. */
export function createMarketResolver(db: DatabaseSync): AlertStore['resolveMarket'] {
  const resolveChunk = createChunkResolver(db);
  return async (marketId, resolve) => {
    const counted = { resolved: 0, won: 0 };
    let after: number | null = 0;
    while (after !== null) {
      const from: number = after;
      const chunk = transaction(db, () => resolveChunk(marketId, from, resolve));
      counted.resolved += chunk.resolved;
      counted.won += chunk.won;
      after = chunk.lastId;
      await new Promise(setImmediate);
    }
    return counted;
  };
}

function createChunkResolver(db: DatabaseSync) {
  const next = prepareQuery<AlertRow>(
    db,
    `SELECT ${ALERT_COLUMNS} FROM alerts WHERE id IN (
       SELECT id FROM alert_facets
       WHERE listing IN (SELECT id FROM listings WHERE market_id = ?) AND id > ? ORDER BY id LIMIT ${CHUNK_SIZE}
     ) ORDER BY id`,
  );
  const setResolution = db.prepare('UPDATE alerts SET payout = ?, won = ?, profit_usdc = ? WHERE id = ?');
  const setResolved = db.prepare(
    'UPDATE alert_facets SET is_resolved = 1, won = ?1 WHERE id = ?2 AND won IS NOT ?1',
  );
  return (marketId: string, after: number, resolve: Resolve) => {
    const alerts = next.all(marketId, after).map(toAlert);
    const counted = { resolved: 0, won: 0 };
    for (const alert of alerts) {
      const computed = resolve(alert);
      if (computed !== null) {
        const values = resolutionValues(computed);
        setResolution.run(...values, alert.id);
        setResolved.run(values[1], alert.id);
      }
      const resolution = computed ?? alert.resolution;
      if (resolution !== null) counted.resolved += 1;
      if (resolution?.won) counted.won += 1;
    }
    return { ...counted, lastId: alerts.length < CHUNK_SIZE ? null : (alerts.at(-1)?.id ?? null) };
  };
}
