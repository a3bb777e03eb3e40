import { LEASE_TTL_MS } from '../../../core/base/lease/lease.ts';
import { UserError } from '../../../core/base/user-error.ts';
import { isOwnerGone } from '../../process/process-owner.ts';
import type { BuildLog } from '../mongo/schema.ts';
import { copyRows, type TableReport, type TransferWatch } from './copy-rows.ts';
import { openRowSource, openRowTarget, type RowDatabase } from './open-rows.ts';
import { LEASE_TABLE, type RowSource } from './transfer-table.ts';

/** Moves a database on which no service runs into an empty one, or continues to. */
export async function moveDatabase(
  { from, to }: { readonly from: RowDatabase; readonly to: RowDatabase },
  watch: TransferWatch,
  log: BuildLog,
): Promise<readonly TableReport[]> {
  const source = await openRowSource(from, log, { isFrozen: false, isChecked: true });
  try {
    await refuseRunning(source, log.clock.now());
    const target = await openRowTarget(to, log);
    try {
      await refuseRunning(target, log.clock.now());
      return await copyRows({ source, target, isStill: true, watch });
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

/** Throws a `UserError` while a process of the service runs on the database. */
export async function refuseRunning(database: RowSource, now: number): Promise<void> {
  const [lease] = await database.read(LEASE_TABLE, null);
  const { owner, expiresAt } = { ...lease };
  if (typeof owner !== 'string' || Number(expiresAt) <= now || isOwnerGone(owner)) return;
  const holder = owner.split('/').slice(0, 2).join('/');
  throw new UserError(
    `The service runs on ${database.name} (${holder}). Stop it first; a process that was killed counts as stopped after ${LEASE_TTL_MS / 1_000} s.`,
  );
}
