import { FailureLog } from '../../base/async/failure-log.ts';
import { repeat } from '../../base/async/repeat.ts';
import type { Logger } from '../../base/logger.ts';
import type { Clock } from '../../base/time/clock.ts';
import type { AlertStore } from '../alert-store.ts';
import type { SettlementStore } from '../settlement.ts';
import type { Feed } from './feed.ts';

const PAGE = 500;
const POLL_MS = 100;
const POLL_AFTER_FAULT_MS = 1_000;

/** The last alert and outcome that a process knows. */
export interface LedgerEnd {
  readonly id: number;
  readonly seq: number;
}

interface LedgerStores {
  readonly alerts: Pick<AlertStore, 'after' | 'last'>;
  readonly settlements: Pick<SettlementStore, 'after' | 'lastSeq'>;
}

interface FollowerDeps extends LedgerStores {
  readonly feed: Pick<Feed, 'announce' | 'announceResolution' | 'wantsAfter' | 'wantsResolutions'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The current end of the ledger. Call it before anything else reads the ledger, so that nothing is missed in between. */
export async function ledgerEnd({ alerts, settlements }: LedgerStores): Promise<LedgerEnd> {
  const [last, seq] = await Promise.all([alerts.last(), settlements.lastSeq()]);
  return { id: last?.id ?? 0, seq };
}

/**
 * Announces alerts and outcomes that another process writes. Polls the store every 100 ms for those after `from`, one index seek
 * each, and only what the feed has a subscriber for. Ends when the signal aborts; faults of the store are logged and retried.
 */
export async function followLedger(
  { alerts, settlements, feed, clock, logger }: FollowerDeps,
  from: LedgerEnd,
  signal: AbortSignal,
): Promise<void> {
  let { id, seq } = from;
  const failures = new FailureLog(logger, 'ledger unavailable; retrying every second');
  const follow = async () => {
    // A new subscriber reads what is before its own position itself.
    const { wantsAfter } = feed;
    id = Math.max(id, wantsAfter ?? 0);
    for (const alert of wantsAfter === null ? [] : await alerts.after(id, PAGE)) {
      feed.announce(alert);
      id = alert.id;
    }
    for (const resolution of feed.wantsResolutions ? await settlements.after(seq, PAGE) : []) {
      feed.announceResolution(resolution);
      seq = resolution.seq;
    }
  };
  await repeat(follow, { clock, signal, intervalMs: POLL_MS, retryMs: POLL_AFTER_FAULT_MS, failures });
}
