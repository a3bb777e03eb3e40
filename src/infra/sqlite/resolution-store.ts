import type { DatabaseSync } from 'node:sqlite';
import type { MarketResolution, ResolutionStore } from '../../core/alerts/resolution-store.ts';
import { prepareQuery } from './connection.ts';

const COLUMNS = 'market_id, seq, outcomes, payouts, resolved, won, log';

interface Row {
  readonly market_id: string;
  readonly seq: number;
  readonly outcomes: string;
  readonly payouts: string;
  readonly resolved: number;
  readonly won: number;
  readonly log: string | null;
}

export function createSqliteResolutionStore(db: DatabaseSync): ResolutionStore {
  const put = db.prepare(
    `INSERT INTO resolutions (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (market_id) DO UPDATE SET
       seq = excluded.seq, outcomes = excluded.outcomes, payouts = excluded.payouts,
       resolved = excluded.resolved, won = excluded.won, log = excluded.log
     WHERE excluded.seq >= seq`,
  );
  const get = prepareQuery<Row>(db, `SELECT ${COLUMNS} FROM resolutions WHERE market_id = ?`);
  const after = prepareQuery<Row>(
    db,
    `SELECT ${COLUMNS} FROM resolutions WHERE seq > ? ORDER BY seq LIMIT ?`,
  );
  const lastSeq = prepareQuery<{ seq: number | null }>(db, 'SELECT MAX(seq) AS seq FROM resolutions');
  const totals = prepareResolutionTotals(db);
  return {
    put: async ({ marketId, seq, outcomes, payouts, resolved, won, log }) => {
      const texts = [JSON.stringify(outcomes), JSON.stringify(payouts)] as const;
      const logText = log === undefined ? null : JSON.stringify(log);
      const { changes } = put.run(marketId, seq, ...texts, resolved, won, logText);
      if (changes === 0) throw new Error(`resolutions: ${marketId} has a newer row than ${seq}`);
    },
    get: async (marketId) => {
      const row = get.get(marketId);
      return row === undefined ? null : toResolution(row);
    },
    after: async (seq, limit) => after.all(seq, limit).map(toResolution),
    lastSeq: async () => lastSeq.get()?.seq ?? 0,
    totals: async () => totals(),
  };
}

export function prepareResolutionTotals(db: DatabaseSync): () => { resolved: number; won: number } {
  const totals = prepareQuery<{ resolved: number | null; won: number | null }>(
    db,
    'SELECT SUM(resolved) AS resolved, SUM(won) AS won FROM resolutions WHERE resolved > 0',
  );
  return () => {
    const row = totals.get();
    return { resolved: row?.resolved ?? 0, won: row?.won ?? 0 };
  };
}

function toResolution({ market_id, outcomes, payouts, log, ...rest }: Row): MarketResolution {
  return {
    marketId: market_id,
    outcomes: JSON.parse(outcomes),
    payouts: JSON.parse(payouts),
    ...rest,
    ...(log === null ? {} : { log: JSON.parse(log) }),
  };
}
