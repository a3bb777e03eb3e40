import type { DatabaseSync } from 'node:sqlite';
import type { Alert } from '../../core/alerts/alert.ts';
import type { AppendOutcome } from '../../core/alerts/alert-store.ts';
import { threadKey } from '../../core/ledger/thread.ts';
import { entryOf } from '../../core/record/record.ts';
import { resolutionValues, toBody } from './alert-row.ts';
import { prepareQuery } from './connection.ts';

/** Writes one alert with its facets. Must run within a transaction. */
export function createAppend(db: DatabaseSync): (alert: Alert) => AppendOutcome {
  const insertAlert = db.prepare(
    `INSERT INTO alerts (id, key, wallet, thread, thread_id, supersedes, body, payout, won, profit_usdc)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
  );
  const insertFacets = db.prepare(
    `INSERT INTO alert_facets (id, created_at, listing, category, side, type, score, usdc, is_resolved, won, entry)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const byKey = prepareQuery<object>(db, 'SELECT 1 FROM alerts WHERE key = ?');
  const listingOf = createListings(db);
  return (alert) => {
    const { id, key, wallet, createdAt, category, side, type, score, usdc, resolution } = alert;
    const values = resolutionValues(resolution);
    const place = [threadKey(alert), alert.threadId, alert.supersedes] as const;
    const { changes } = insertAlert.run(id, key, wallet, ...place, toBody(alert), ...values);
    if (changes === 0) return byKey.get(key) === undefined ? 'taken' : 'duplicate';
    const [isResolved, won] = [resolution === null ? 0 : 1, values[1]];
    const sought = [category, side, type, score, usdc, isResolved] as const;
    insertFacets.run(id, createdAt, listingOf(alert), ...sought, won, entryOf(alert));
    return 'appended';
  };
}

/** A listing is a market under one question and slug: texts that many alerts share, and that text searches read. */
function createListings(db: DatabaseSync): (alert: Alert) => number {
  const find = prepareQuery<{ id: number }>(
    db,
    'SELECT id FROM listings WHERE market_id = ? AND title = ? AND slug = ?',
  );
  const insert = db.prepare(
    'INSERT INTO listings (market_id, title, slug, title_lower, slug_lower) VALUES (?, ?, ?, ?, ?)',
  );
  return ({ marketId, eventTitle, eventSlug }) => {
    const known = find.get(marketId, eventTitle, eventSlug);
    if (known !== undefined) return known.id;
    const lower = [eventTitle.toLowerCase(), eventSlug.toLowerCase()] as const;
    return Number(insert.run(marketId, eventTitle, eventSlug, ...lower).lastInsertRowid);
  };
}
