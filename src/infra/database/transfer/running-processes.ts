import { UserError } from '../../../core/base/user-error.ts';
import { HEARTBEAT_TIMEOUT_MS } from '../../../core/operations/heartbeat.ts';
import { isOwnerGone } from '../../process/process-owner.ts';
import type { RowSource } from './row-store.ts';
import { HEARTBEAT_TABLE, HELD_LEASE_TABLE } from './transfer-table.ts';

/** Throws a `UserError` while a process of the service runs on the database. */
export async function refuseRunning(database: RowSource, now: number): Promise<void> {
  const beats = await database.read(HEARTBEAT_TABLE, null);
  const beating = beats.filter(({ at }) => now - Number(at) < HEARTBEAT_TIMEOUT_MS);
  const leases = await database.read(HELD_LEASE_TABLE, null);
  const held = leases.filter(({ expiresAt }) => Number(expiresAt) > now);
  const owners = [...beating, ...held].flatMap(({ owner }) => (typeof owner === 'string' ? [owner] : []));
  const running = owners.filter((owner) => !isOwnerGone(owner));
  if (running.length === 0) return;
  const processes = [...new Set(running)].map((owner) => owner.split('/').slice(0, 2).join('/'));
  throw new UserError(
    `The service runs on ${database.name} (${processes.join(', ')}). Stop it first; a process that was killed counts as stopped after ${HEARTBEAT_TIMEOUT_MS / 1_000} s.`,
  );
}
