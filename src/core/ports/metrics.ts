import type { AlertType } from '../alert.ts';
import type { DropReason } from './source.ts';

/** What the domain counts. The adapter names and exposes it (`tipoff_…`). */
export interface Metrics {
  rowDropped(reason: DropReason): void;
  tradesJudged(count: number): void;
  alertAppended(type: AlertType): void;
  marketResolved(): void;
  snapshotWritten(durationMs: number): void;
  keyVerified(result: 'cached' | 'verified' | 'refused' | 'limited'): void;
  argon2Ran(): void;
}
