import {
  EMPTY_LOG,
  type LogDraft,
  type LogEntry,
  type LogHead,
} from '../../src/core/alerts/log/log-entry.ts';
import type { LogStore } from '../../src/core/alerts/log/log-store.ts';
import { sealEntry } from '../../src/core/alerts/log/seal.ts';
import type { EpochMs } from '../../src/core/base/time/duration.ts';
import { sha256 } from '../../src/infra/secrets/key-crypto.ts';

export function settlementsAt(...times: readonly EpochMs[]): LogDraft[] {
  return times.map((at, index) => ({
    kind: 'settlement',
    key: `settlement:0xm${index}:0`,
    at,
    body: {
      market_id: `0xm${index}`,
      outcomes: ['Yes', 'No'],
      payouts: [1, 0],
      settled_at: new Date(at).toISOString(),
    },
  }));
}

export function sealed(drafts: readonly LogDraft[], head: LogHead = EMPTY_LOG): LogEntry[] {
  const entries: LogEntry[] = [];
  for (const draft of drafts) entries.push(sealEntry({ ...draft, epoch: 1 }, entries.at(-1) ?? head, sha256));
  return entries;
}

/** Appends drafts as the one writer does, and returns their entries. */
export async function appendDrafts(
  log: Pick<LogStore, 'append' | 'last'>,
  drafts: readonly LogDraft[],
): Promise<LogEntry[]> {
  const entries = sealed(drafts, (await log.last()) ?? EMPTY_LOG);
  if ((await log.append(entries)) === 'taken') throw new Error('a number or a key is taken');
  return entries;
}

export function memoryLog(entries: LogEntry[] = []) {
  const calls = { count: 0 };
  const counted = async <T>(answer: T): Promise<T> => {
    calls.count += 1;
    return answer;
  };
  return {
    entries,
    calls,
    after: (seq: number, limit: number) => counted(entries.slice(seq, seq + limit)),
    headAt: (until: EpochMs) => counted(entries.findLast(({ at }) => at <= until) ?? null),
  };
}
