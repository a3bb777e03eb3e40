import type { DatabaseSync } from 'node:sqlite';
import type { AlertStore } from '../../core/alerts/alert-store.ts';
import { type Archive, archiveMethods } from '../database/archive.ts';
import { ALERT_COLUMNS, type AlertRow, toAlert, toBody } from './alert-row.ts';
import { createAppend } from './append.ts';
import { prepareQuery, transaction } from './connection.ts';
import { createMarketResolver } from './resolve-market.ts';
import { createThreadRead } from './thread.ts';
import { createUnresolvedMarkets } from './unresolved-markets.ts';

/** Reads here are single seeks on the writer's connection; whatever can be long goes to the archive. */
export function createSqliteAlertStore(db: DatabaseSync, archive: Archive): AlertStore {
  const append = createAppend(db);
  const select = (rest: string) => prepareQuery<AlertRow>(db, `SELECT ${ALERT_COLUMNS} FROM alerts ${rest}`);
  const last = select('ORDER BY id DESC LIMIT 1');
  const byId = select('WHERE id = ?');
  const after = select('WHERE id > ? ORDER BY id LIMIT ?');
  const ofMarket = select(
    `WHERE id IN (
       SELECT id FROM alert_facets
       WHERE listing IN (SELECT id FROM listings WHERE market_id = ?) ORDER BY id LIMIT ?
     ) ORDER BY id`,
  );
  const latest = select('ORDER BY id DESC LIMIT ?');
  const latestUntil = select(
    `WHERE id <= (SELECT id FROM alert_facets WHERE created_at <= ? ORDER BY created_at DESC, id DESC LIMIT 1)
     ORDER BY id DESC LIMIT ?`,
  );
  const setBody = db.prepare('UPDATE alerts SET body = ? WHERE id = ?');
  const one = (row: AlertRow | undefined) => (row === undefined ? null : toAlert(row));
  return {
    append: async (alert) => transaction(db, () => append(alert)),
    setLog: async (id, log) =>
      transaction(db, () => {
        const alert = one(byId.get(id));
        if (alert !== null) setBody.run(toBody({ ...alert, log }), id);
      }),
    last: async () => one(last.get()),
    byId: async (id) => one(byId.get(id)),
    thread: createThreadRead(db),
    ofMarket: async (marketId, limit) => ofMarket.all(marketId, limit).map(toAlert),
    after: async (id, limit) => after.all(id, limit).map(toAlert),
    latest: async ({ limit, until }) =>
      (until === undefined ? latest.all(limit) : latestUntil.all(until, limit)).map(toAlert),
    ...archiveMethods(archive, createMarketResolver(db)),
    unresolvedMarkets: createUnresolvedMarkets(db),
  };
}
