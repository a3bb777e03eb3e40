import type { Logger } from '../logger.ts';
import type { Delivery } from './delivery.ts';
import { type CountDeps, countEnded, type EndedDelivery } from './delivery-counts.ts';
import type { DeliveryOutcome, DeliveryStore } from './delivery-store.ts';

/** How many outcomes one write holds. */
const WRITTEN_AT_ONCE = 500;

/** An outcome, and whose it is. */
export type ClaimedOutcome = DeliveryOutcome & Pick<Delivery, 'webhookId' | 'alertId'>;

/** What writing stands on. */
export interface OutcomeDeps extends CountDeps {
  readonly deliveries: Pick<DeliveryStore, 'finish'>;
  readonly owner: string;
  readonly yieldToLoop: () => Promise<void>;
  /** A name that no other change has. */
  readonly nextCall: () => string;
  readonly logger: Pick<Logger, 'warn' | 'error'>;
  /** Told when something was written: there is room again. */
  readonly onWritten: () => void;
}

/**
 * Writes outcomes, those that came during one write together in the next, and keeps them until the store has them.
 */
export interface Outcomes {
  /** Of this process's own claim. */
  add(outcome: ClaimedOutcome): void;
  /** Ended in the store already, and to be counted. */
  count(ended: readonly EndedDelivery[]): void;
  /** Whether this delivery has ended here and is not written. */
  holds(id: string): boolean;
  /** How many are not written. */
  readonly size: number;
  /** Resolves when all that was added is written, or given up. */
  written(): Promise<void>;
  /** Writes no more. */
  abandon(): void;
}

/** Nothing to write. */
export function createOutcomes(deps: OutcomeDeps): Outcomes {
  const { deliveries, owner, nextCall, retryUntilAnswered } = deps;
  const unwritten = new Map<string, ClaimedOutcome>();
  let uncounted: EndedDelivery[] = [];
  let isWriting = false;
  let writing: Promise<void> = Promise.resolve();
  const end = new AbortController();

  async function finish(): Promise<void> {
    const batch = [...unwritten.values()].slice(0, WRITTEN_AT_ONCE);
    if (batch.length === 0) return;
    const call = nextCall();
    const rows = batch.map(({ id, state, finishedAt, result }) => ({ id, state, finishedAt, result }));
    const ended = await retryUntilAnswered(() => deliveries.finish(owner, rows, call), {
      signal: end.signal,
    });
    if (ended === null) return;
    const isEnded = new Set(ended);
    uncounted.push(...batch.filter(({ id }) => isEnded.has(id)));
    for (const { id } of batch) unwritten.delete(id);
    deps.onWritten();
  }

  async function write(): Promise<void> {
    isWriting = true;
    try {
      while ((unwritten.size > 0 || uncounted.length > 0) && !end.signal.aborted) {
        await finish();
        const counted = uncounted;
        uncounted = [];
        await countEnded(deps, counted, end.signal);
        await deps.yieldToLoop();
      }
    } catch (error) {
      deps.logger.error({ err: error }, 'outcomes of deliveries cannot be counted');
    } finally {
      isWriting = false;
    }
  }

  function begin(): void {
    if (!isWriting && !end.signal.aborted) writing = write();
  }

  return {
    add(outcome) {
      unwritten.set(outcome.id, outcome);
      begin();
    },
    count(ended) {
      uncounted.push(...ended);
      begin();
    },
    holds: (id) => unwritten.has(id),
    get size() {
      return unwritten.size;
    },
    async written() {
      while (isWriting) await writing;
    },
    abandon: () => end.abort(),
  };
}
