import type { Alert } from '../alerts/alert.ts';
import type { WalletReport } from '../alerts/wallet-report.ts';
import { DAY_MS, type EpochMs } from '../base/time/duration.ts';
import { DEFAULT_RULES } from '../detection/rules.ts';

/** What can still be expected from a wallet. */
export interface WalletOutlook {
  /** Whole days; a lower bound where only clusters name the wallet. */
  readonly ageDays: number;
  /** False: it is too old for a new alert under the rules as they are shipped. */
  readonly isFresh: boolean;
  /** Its positions in markets that are not settled, each by its newest alert, newest first. */
  readonly open: readonly Alert[];
}

/** The outlook of a wallet, from what the ledger has about it. */
export function walletOutlook({ alerts, clusters, firstAt }: WalletReport, now: EpochMs): WalletOutlook {
  const [newest] = alerts;
  const ageMs =
    newest === undefined
      ? now - firstAt
      : newest.details.walletAgeDays * DAY_MS + Math.max(0, now - newest.tradedAt);
  const ageDays = Math.floor(ageMs / DAY_MS);
  const open = new Map<string, Alert>();
  for (const alert of [...alerts, ...clusters.newest].toSorted((one, other) => one.id - other.id)) {
    const key = JSON.stringify([alert.marketId, alert.outcome, alert.side]);
    // Inserted again, so that the order follows the newest alerts.
    open.delete(key);
    if (alert.resolution === null) open.set(key, alert);
  }
  return {
    ageDays,
    isFresh: ageDays <= DEFAULT_RULES.fresh.maxAgeDays,
    open: [...open.values()].toReversed(),
  };
}
