import type { Clock } from '../clock.ts';
import type { AlertStore } from '../ports/alert-store.ts';
import type { Logger } from '../ports/logger.ts';
import type { ResolutionStore } from '../ports/resolution-store.ts';
import type { Feed } from './feed.ts';

const PAGE = 500;
const POLL_MS = 100;
const POLL_AFTER_FAULT_MS = 1_000;

interface FollowerDeps {
  readonly alerts: Pick<AlertStore, 'after' | 'last'>;
  readonly resolutions: Pick<ResolutionStore, 'after' | 'lastSeq'>;
  readonly feed: Pick<Feed, 'announce' | 'announceResolution'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Lets a process that does not write the ledger hear of it: asks the store every 100 ms for what is newer, one
 * index seek each. Ends when the signal aborts; a fault of the store is logged and tried again.
 */
export async function followLedger(deps: FollowerDeps, signal: AbortSignal): Promise<void> {
  const { alerts, resolutions, feed, clock, logger } = deps;
  let id: number | null = null;
  let seq: number | null = null;
  while (!signal.aborted) {
    let pauseMs = POLL_MS;
    try {
      id ??= (await alerts.last())?.id ?? 0;
      seq ??= await resolutions.lastSeq();
      for (const alert of await alerts.after(id, PAGE)) {
        feed.announce(alert);
        id = alert.id;
      }
      for (const resolution of await resolutions.after(seq, PAGE)) {
        feed.announceResolution(resolution);
        seq = resolution.seq;
      }
    } catch (error) {
      logger.error({ err: error }, 'the ledger cannot be followed for now');
      pauseMs = POLL_AFTER_FAULT_MS;
    }
    await clock.sleep(pauseMs, signal);
  }
}
