import type { Database } from '../../../core/database.ts';
import type { Archive } from '../archive/archive.ts';
import { SEGMENT_RESULTS, SEGMENTS } from './alert-rows.ts';
import { createAlertStore } from './alert-store.ts';
import type { Declaration, OpenCollection } from './collection.ts';
import { createExitStore } from './exit-store.ts';
import { createLogStore } from './log-store.ts';
import { createSettlementStore } from './settlement-store.ts';

/**
 * Every store, written once for both databases. `openQuick` opens collections whose last writes may be lost in a power cut, so
 * that they do not wait for the disk; `openRestorable` those whose last writes may be lost with a primary as well.
 */
export function createStores(
  { open, openQuick, openRestorable }: Record<'open' | 'openQuick' | 'openRestorable', OpenCollection>,
  archive: Archive,
) {
  return {
    alerts: createAlertStore(open, openQuick, archive),
    exits: createExitStore(open),
    log: createLogStore(open, openRestorable),
    settlements: createSettlementStore(open),
  } satisfies Partial<Database>;
}

/** Every table and collection that both databases have: those that the stores open, and those of the archive. */
export function declarations(): readonly Declaration<Record<string, unknown>>[] {
  const opened = new Map<string, unknown>();
  const open: OpenCollection = (declaration) => {
    opened.set(declaration.name, declaration);
    return {} as never;
  };
  createStores({ open, openQuick: open, openRestorable: open }, {} as Archive);
  for (const stored of [SEGMENTS, SEGMENT_RESULTS]) opened.set(stored.name, stored);
  return [...opened.values()] as Declaration<Record<string, unknown>>[];
}
