import { setImmediate } from 'node:timers/promises';
import { createAlertReads } from '../../../core/alerts/alert-index/alert-reads.ts';
import type { Database } from '../../../core/database.ts';
import { ALERTS } from './alert-rows.ts';
import { createAlertStore } from './alert-store.ts';
import type { Declaration, OpenCollection } from './collection.ts';
import { createExitStore, EXITS } from './exit-store.ts';
import { createLogStore, LOG } from './log-store.ts';
import { createSettlementStore, SETTLEMENTS } from './settlement-store.ts';

/**
 * Every store, written once for both databases. `openQuick` opens collections whose last writes may be lost in a power cut, so
 * that they do not wait for the disk; `openRestorable` those whose last writes may be lost with a primary as well.
 */
export function createStores({
  open,
  openQuick,
  openRestorable,
}: Record<'open' | 'openQuick' | 'openRestorable', OpenCollection>) {
  const alerts = createAlertStore(open, openQuick);
  const settlements = createSettlementStore(open);
  const log = createLogStore(open, openRestorable);
  const { index, reads } = createAlertReads({ alerts, settlements, log, pause: () => setImmediate() });
  return {
    alerts: { ...alerts, ...reads },
    alertIndex: index,
    exits: createExitStore(open),
    log,
    settlements,
  } satisfies Partial<Database>;
}

/** Every table and collection that both databases have. */
export const DECLARATIONS = [ALERTS, EXITS, LOG, SETTLEMENTS] as unknown as readonly Declaration<
  Record<string, unknown>
>[];
