import { LRUCache } from 'lru-cache';
import type { EpochMs } from '../../base/time/duration.ts';
import type { Alert } from '../alert.ts';
import { alertOfEntry } from '../alert-entry.ts';
import type { LogStore } from '../log/log-store.ts';
import type { Markets } from '../markets.ts';
import type { AlertIndex } from './alert-index.ts';

/** About 2 kB each. */
const KEPT = 2_000;

/** Moment of a caller who knows everything. */
export const ALWAYS = Number.POSITIVE_INFINITY;

interface Options {
  readonly index: AlertIndex;
  readonly log: Pick<LogStore, 'some'>;
  readonly markets: Pick<Markets, 'eventsOf'>;
}

/** Reads alerts that the index has. Their entries never change, so that some are kept. */
export class AlertReader {
  readonly #options: Options;
  readonly #kept = new LRUCache<number, Alert>({ max: KEPT });

  constructor(options: Options) {
    this.#options = options;
  }

  /** The alerts with these ids, in their order, as they were known at a moment; without those that do not exist. */
  async read(ids: readonly number[], moment: EpochMs = ALWAYS): Promise<readonly Alert[]> {
    const { index, log, markets } = this.#options;
    const existing = ids.filter((id) => id >= 1 && id <= index.columns.length);
    const missing = existing.filter((id) => !this.#kept.has(id));
    const found = new Map<number, Alert>();
    const sequences = missing.map((id) => index.columns.sequences[id - 1] as number);
    for (const entry of sequences.length === 0 ? [] : await log.some(sequences)) {
      const alert = alertOfEntry(entry);
      found.set(alert.id, alert);
      this.#kept.set(alert.id, alert);
    }
    const alerts = existing.flatMap((id) => found.get(id) ?? this.#kept.get(id) ?? []);
    const eventOf = await knownEvents({ index, markets }, alerts);
    return alerts.map((alert) => ({
      ...index.asOf(alert, moment),
      marketEvent: alert.marketEvent ?? eventOf(alert),
    }));
  }
}

/** The slug of the event of each of these markets: as an alert has it, or as it became known later; null while it is unknown. */
export async function knownEvents(
  { index, markets }: Pick<Options, 'index' | 'markets'>,
  of: readonly { readonly marketId: string }[],
): Promise<(of: { readonly marketId: string }) => string | null> {
  const indexed = ({ marketId }: { readonly marketId: string }) =>
    index.settlements.market(marketId)?.event ?? null;
  const unnamed = of.filter((each) => indexed(each) === null);
  const later = await markets.eventsOf(unnamed.map(({ marketId }) => marketId));
  return (each) => indexed(each) ?? later.get(each.marketId) ?? null;
}
