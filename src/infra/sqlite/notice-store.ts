import type { DatabaseSync } from 'node:sqlite';
import type { Notice, NoticeStore } from '../../core/ports/notice-store.ts';
import { prepareQuery } from './connection.ts';

interface Row {
  readonly id: string;
  readonly key_id: string;
  readonly kind: Notice['kind'];
  readonly facts: string;
  readonly created_at: number;
}

export function createSqliteNoticeStore(db: DatabaseSync): NoticeStore {
  const insert = db.prepare('INSERT OR IGNORE INTO notices VALUES (?, ?, ?, ?, ?)');
  const list = prepareQuery<Row>(db, 'SELECT * FROM notices ORDER BY created_at, id LIMIT ?');
  return {
    add: async ({ id, keyId, kind, facts, createdAt }) =>
      insert.run(id, keyId, kind, JSON.stringify(facts), createdAt).changes === 1,
    list: async (limit) =>
      list.all(limit).map(({ id, key_id, kind, facts, created_at }) => ({
        id,
        keyId: key_id,
        kind,
        facts: JSON.parse(facts) as Notice['facts'],
        createdAt: created_at,
      })),
  };
}
