import type { EventKind, NumberedEvents } from '../../alerts/numbered-events.ts';
import { FailureLog } from '../../base/async/failure-log.ts';
import { repeat } from '../../base/async/repeat.ts';
import type { Logger } from '../../base/logger.ts';
import type { Clock } from '../../base/time/clock.ts';
import { SECOND_MS } from '../../base/time/duration.ts';
import { type Frame, isWanted, type StreamClient } from './stream-client.ts';
import type { StreamHub } from './stream-hub.ts';

const LOOK_MS = 250;
const LOOK_AFTER_FAULT_MS = SECOND_MS;
const SLICE = 125;

interface EventStreamOptions<Event> {
  readonly kind: EventKind;
  readonly events: NumberedEvents<Event>;
  readonly frameOf: (event: Event) => Frame;
  readonly hub: Pick<StreamHub, 'clientsOf' | 'sendEvent'>;
  readonly clock: Pick<Clock, 'sleep'>;
  readonly logger: Pick<Logger, 'warn'>;
  readonly defer: (task: () => void) => void;
}

/**
 * Sends the events of a kind to the clients that asked for them and whose filter at least one of their alerts passes, in the order
 * of their numbers. A newly connected client reads earlier events over REST.
 */
export class EventStream<Event> {
  readonly #options: EventStreamOptions<Event>;
  #sent = 0;

  constructor(options: EventStreamOptions<Event>) {
    this.#options = options;
  }

  /** Begins after the newest event. Call it before clients are accepted. */
  async open(): Promise<void> {
    this.#sent = await this.#options.events.last();
  }

  /** Looks for new events every 250 ms until the signal aborts. Faults are logged once and retried. */
  async run(signal: AbortSignal): Promise<void> {
    const { kind, clock, logger } = this.#options;
    const failures = new FailureLog(logger, `${kind}s for stream clients unavailable; retrying every second`);
    const pauses = { intervalMs: LOOK_MS, retryMs: LOOK_AFTER_FAULT_MS };
    await repeat(() => this.#look(), { clock, signal, ...pauses, failures });
  }

  async #look(): Promise<void> {
    const { kind, hub, events } = this.#options;
    const last = await events.last();
    while (this.#sent < last) {
      const clients = hub.clientsOf(kind);
      if (clients.length === 0) {
        this.#sent = last;
        return;
      }
      const event = await events.one(this.#sent + 1);
      if (event !== null) await this.#send(event, clients);
      this.#sent += 1;
    }
  }

  async #send(event: Event, clients: readonly StreamClient[]): Promise<void> {
    const { hub, events, frameOf, defer } = this.#options;
    const concerned = await events.concerned(event, clients, ({ filter }, alert) => isWanted(filter, alert));
    const frame = frameOf(event);
    for (let from = 0; from < concerned.length; from += SLICE) {
      await new Promise<void>((resolve) => defer(resolve));
      hub.sendEvent(concerned.slice(from, from + SLICE), frame);
    }
  }
}
