import type { DatabaseSync } from 'node:sqlite';
import type { SecretStore } from '../../core/operations/secret-store.ts';
import { prepareQuery } from './connection.ts';

export function createSqliteSecretStore(db: DatabaseSync): SecretStore {
  const insert = db.prepare('INSERT INTO secrets (name, secret) VALUES (?, ?) ON CONFLICT DO NOTHING');
  const get = prepareQuery<{ secret: string }>(db, 'SELECT secret FROM secrets WHERE name = ?');
  return {
    async getOrCreate(name, candidate) {
      insert.run(name, candidate);
      return get.get(name)?.secret ?? candidate;
    },
  };
}
