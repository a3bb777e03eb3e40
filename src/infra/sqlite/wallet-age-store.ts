import type { DatabaseSync } from 'node:sqlite';
import type { WalletAge, WalletAgeStore } from '../../core/source/wallet-age-store.ts';
import { prepareQuery } from './connection.ts';

export function createSqliteWalletAgeStore(db: DatabaseSync): WalletAgeStore {
  const get = prepareQuery<WalletAge>(
    db,
    'SELECT wallet, created_at AS createdAt, source FROM wallet_ages WHERE wallet = ?',
  );
  const put = db.prepare('INSERT OR IGNORE INTO wallet_ages (wallet, created_at, source) VALUES (?, ?, ?)');
  return {
    async get(wallet) {
      const found = get.get(wallet);
      return found === undefined ? null : { ...found };
    },
    put: async ({ wallet, createdAt, source }) => void put.run(wallet, createdAt, source),
  };
}
