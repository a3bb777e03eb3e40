import type { LogHead } from '../../core/alerts/log/log-entry.ts';
import type { Evidence } from '../../core/alerts/verification/evidence.ts';
import type { LogMismatch } from '../../core/alerts/verification/log-contents.ts';
import type { EpochMs } from '../../core/base/time/duration.ts';
import { LONGEST_DELAY_MS } from '../../infra/log-service/compare-alerts.ts';
import type { VerifiedLog } from '../../infra/log-service/verify-state.ts';

/** The head that an earlier run of this command saved. */
export function savedEvidence(saved: VerifiedLog | null): readonly Evidence[] {
  if (saved === null) return [];
  const { sequence, hash, verified_at, is_delayed: isDelayed } = saved;
  const name = `the head that this machine saved on ${verified_at.slice(0, 10)}`;
  const at = Date.parse(verified_at);
  return [{ kind: 'saved', sequence, hash, name, at, receivedBefore: at, alert: null, isDelayed }];
}

/** Evidence of entries after the end of the log. */
export interface BeyondEnd {
  /** What the free delay may still hold back. */
  readonly notYet: readonly Evidence[];
  /** The first entry that the log had and has lost. */
  readonly finding: LogMismatch | null;
}

/** Judges evidence of entries after the last one that was read. */
export function judgeBeyondEnd(
  beyond: readonly Evidence[],
  {
    isDelayed,
    now,
    end,
  }: { readonly isDelayed: boolean; readonly now: EpochMs; readonly end: LogHead | null },
): BeyondEnd {
  const notYet = beyond.filter((evidence) => isDelayed && mayBeTooNew(evidence, now));
  const [gone] = beyond
    .filter((evidence) => !notYet.includes(evidence))
    .toSorted((a, b) => a.sequence - b.sequence);
  if (gone === undefined) return { notYet, finding: null };
  const { sequence, hash, name, kind } = gone;
  const hint =
    isDelayed && kind === 'head'
      ? '; without a real-time key entries show 5 minutes late, so run again then'
      : '';
  const what = `the log ends before ${name}: entries were removed`;
  const found = `the log ends with entry ${end?.sequence ?? 0}${hint}`;
  return { notYet, finding: { sequence, what, expected: `an entry with hash ${hash}`, found } };
}

/** Seen in real time, less than the longest free delay ago. */
function mayBeTooNew({ isDelayed, at, receivedBefore }: Evidence, now: EpochMs): boolean {
  const latest = Math.min(at ?? now, receivedBefore ?? now);
  return !isDelayed && now - latest < LONGEST_DELAY_MS;
}
