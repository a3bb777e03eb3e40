import type { DatabaseSync } from 'node:sqlite';
import type { Lease } from '../../core/lease/lease-store.ts';
import { prepareQuery } from './connection.ts';

/** Checks that an ingest lease is still current. Must run in the transaction that writes under it. */
export function createHolderCheck(db: DatabaseSync): (lease: Lease) => boolean {
  const holder = prepareQuery<{ epoch: number; owner: string | null }>(
    db,
    `SELECT epoch, owner FROM lease WHERE name = 'ingest'`,
  );
  return ({ epoch }) => {
    const row = holder.get();
    return row !== undefined && row.epoch === epoch && row.owner !== null;
  };
}
