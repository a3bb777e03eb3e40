import { EVENT_KINDS } from '../../alerts/numbered-events.ts';
import { endsWithin } from '../../base/async/with-timeout.ts';
import { type EpochMs, SECOND_MS } from '../../base/time/duration.ts';
import { AttemptResults } from './attempt-results.ts';
import { type DeliveryEngineOptions, StoreCalls } from './delivery-engine-options.ts';
import type { WaitingDelivery } from './delivery-queue.ts';
import { DeliverySweeps } from './delivery-sweeps.ts';
import { Dispatch } from './dispatch.ts';
import { FanOut } from './fan-out.ts';
import { MessageMaker } from './message-maker.ts';

/** Time limits of `close`, one after the other: for claims in progress, */
const LAST_CLAIM_MS = SECOND_MS;
/** for attempts in flight (the sender itself takes 5 seconds at most), */
const LAST_SENDS_MS = 5.5 * SECOND_MS;
/** and for the results. A delivery whose result is not written then will be closed as unknown. */
const LAST_WRITE_MS = 2 * SECOND_MS;

/** Deliveries of this process. */
export interface DeliveryStatus {
  readonly waiting: number;
  readonly inFlight: number;
  readonly oldestWaitingAt: EpochMs | null;
}

/**
 * Sends alerts to webhooks: one row for each alert and webhook, and one attempt for each row, which is claimed before. If the process
 * dies at any moment, a row is sent once, or closed as unknown or expired.
 */
export class DeliveryEngine {
  readonly #options: DeliveryEngineOptions;
  readonly #messages: MessageMaker;
  readonly #results: AttemptResults;
  readonly #dispatch: Dispatch;
  readonly #sweeps: DeliverySweeps;
  readonly #stopped = new AbortController();
  #fanningOut: Promise<void> = Promise.resolve();
  #sweeping: Promise<void> = Promise.resolve();

  /** Nothing is read or sent before `start`. */
  constructor(options: DeliveryEngineOptions) {
    const calls = new StoreCalls(options);
    this.#options = options;
    this.#messages = new MessageMaker(options);
    this.#results = new AttemptResults(options, calls, () => this.#dispatch.wake());
    this.#dispatch = new Dispatch(options, calls, this.#messages, this.#results);
    this.#sweeps = new DeliverySweeps(options, {
      dispatch: this.#dispatch,
      results: this.#results,
      calls,
    });
  }

  /** Continues after the last alert and event whose rows are made; the first time after `position`, the ledger's end now. */
  async start(position: number): Promise<void> {
    const { deliveries, events, logger } = this.#options;
    const stored = await deliveries.cursor();
    if (stored === null) await deliveries.advance(position);
    const cursor = stored ?? position;
    const last = { outcome: await events.outcome.numbered.last(), exit: await events.exit.numbered.last() };
    for (const kind of EVENT_KINDS)
      if ((await deliveries.cursor(kind)) === null) await deliveries.advance(last[kind], kind);
    logger.info({ after: cursor, missed: position - cursor }, 'delivering');
    const { signal } = this.#stopped;
    const onAdded = (added: readonly WaitingDelivery[]) => this.#onAdded(added);
    const fanOut = new FanOut(this.#options, this.#messages, { position, last, onAdded });
    this.#fanningOut = fanOut.run(signal, cursor);
    this.#sweeping = this.#sweeps.run(signal);
  }

  /** Ends what is in flight and stores its outcome, within 9 seconds; waiting rows stay for the next start. */
  async close(): Promise<void> {
    const { clock, logger } = this.#options;
    this.#stopped.abort();
    // Each of them logs its own failures.
    const lastWork = Promise.allSettled([this.#dispatch.stop(), this.#fanningOut, this.#sweeping]);
    await endsWithin({ clock, timeoutMs: LAST_CLAIM_MS }, lastWork);
    await endsWithin({ clock, timeoutMs: LAST_SENDS_MS }, this.#dispatch.seal());
    await endsWithin({ clock, timeoutMs: LAST_WRITE_MS }, this.#results.written());
    const { size } = this.#results;
    if (size > 0) logger.warn({ deliveries: size }, 'outcomes of deliveries were not stored');
    this.#results.abandon();
  }

  status(): DeliveryStatus {
    const { queue } = this.#dispatch;
    return { waiting: queue.waiting, inFlight: queue.inFlight, oldestWaitingAt: queue.oldest() };
  }

  #onAdded(added: readonly WaitingDelivery[]): void {
    this.#results.count(added.filter(({ state }) => state === 'expired'));
    this.#dispatch.enqueue(added.filter(({ state }) => state === 'pending'));
  }
}
