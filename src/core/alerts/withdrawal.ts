import type { WithdrawalMark } from './alert.ts';
import type { LogDraft, LogEntry } from './log/log-entry.ts';
import type { LogStore } from './log/log-store.ts';
import { LedgerConflict, LogWriter, type LogWriterDeps } from './log/log-writer.ts';

/** An operator withdrew an alert. */
export interface Withdrawal extends WithdrawalMark {
  readonly alertId: number;
}

function withdrawalDraft({ alertId, at, reason }: Withdrawal): LogDraft {
  return { kind: 'withdrawal', key: `withdrawal:${alertId}`, at, body: { alert_id: alertId, reason } };
}

const ATTEMPTS = 5;

type WithdrawalDeps = LogWriterDeps & { readonly log: Pick<LogStore, 'known'> };

/**
 * Enters it in the log, between what the holder of the lease writes; an alert is withdrawn once. Throws a `LedgerConflict` if that leaves
 * no gap.
 */
export async function enterWithdrawal(deps: WithdrawalDeps, withdrawal: Withdrawal): Promise<void> {
  const draft = withdrawalDraft(withdrawal);
  for (let attempt = 1; ; attempt++)
    try {
      const writer = new LogWriter(deps);
      await writer.open();
      const known = await deps.log.known([draft.key]);
      if (known.length === 0) await writer.append([draft]);
      return;
    } catch (error) {
      if (!(error instanceof LedgerConflict) || attempt === ATTEMPTS) throw error;
    }
}

/** The withdrawal of an entry of that kind. */
export function withdrawalOfEntry({ at, body }: LogEntry): Withdrawal {
  const { alert_id: alertId, reason } = body as {
    readonly alert_id: number;
    readonly reason: string | null;
  };
  return { alertId, at, reason };
}
