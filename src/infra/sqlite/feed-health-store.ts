import type { DatabaseSync } from 'node:sqlite';
import type { BlindCause, BlindWindow } from '../../core/feed-health/blind-window.ts';
import {
  type FeedHealthStore,
  type FeedPosition,
  UNSETTLED_WINDOWS_MAX,
} from '../../core/feed-health/feed-health-store.ts';
import { prepareQuery } from './connection.ts';

interface WindowRow {
  readonly id: string;
  readonly started_at: number;
  readonly ended_at: number | null;
  readonly cause: string;
  readonly backfilled_at: number | null;
}

interface PositionRow {
  readonly since: number;
  readonly confirmed_until: number;
  readonly oldest_waiting: number | null;
}

const POSITION = 'polymarket';

export function createSqliteFeedHealthStore(db: DatabaseSync): FeedHealthStore {
  const put = db.prepare('INSERT OR REPLACE INTO blind_windows VALUES (?, ?, ?, ?, ?)');
  const overlapping = prepareQuery<WindowRow>(
    db,
    `SELECT * FROM blind_windows WHERE started_at <= ? AND (ended_at IS NULL OR ended_at >= ?)
     ORDER BY started_at DESC, id DESC LIMIT ?`,
  );
  const unsettled = prepareQuery<WindowRow>(
    db,
    `SELECT * FROM blind_windows
     WHERE (ended_at IS NULL OR backfilled_at IS NULL) AND (started_at >= ? OR ended_at IS NULL)
     ORDER BY started_at DESC, id DESC LIMIT ?`,
  );
  const read = prepareQuery<PositionRow>(
    db,
    'SELECT since, confirmed_until, oldest_waiting FROM feed_position WHERE name = ?',
  );
  const write = db.prepare('INSERT OR REPLACE INTO feed_position VALUES (?, ?, ?, ?)');
  return {
    putWindow: async ({ id, startedAt, endedAt, cause, backfilledAt }) => {
      put.run(id, startedAt, endedAt, cause, backfilledAt);
    },
    windows: async ({ since, until, limit }) => overlapping.all(until, since, limit).map(toWindow),
    unsettled: async (since) => unsettled.all(since, UNSETTLED_WINDOWS_MAX).map(toWindow),
    readPosition: async () => {
      const row = read.get(POSITION);
      return row === undefined ? null : toPosition(row);
    },
    writePosition: async ({ since, confirmedUntil, oldestWaiting }) => {
      write.run(POSITION, since, confirmedUntil, oldestWaiting);
    },
  };
}

function toWindow({ id, started_at, ended_at, cause, backfilled_at }: WindowRow): BlindWindow {
  return {
    id,
    startedAt: started_at,
    endedAt: ended_at,
    cause: cause as BlindCause,
    backfilledAt: backfilled_at,
  };
}

function toPosition({ since, confirmed_until, oldest_waiting }: PositionRow): FeedPosition {
  return { since, confirmedUntil: confirmed_until, oldestWaiting: oldest_waiting };
}
