import type { SettledAlerts, SettlementReader } from '../../alerts/settlements/settlement-reader.ts';
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

interface SettlementStreamOptions {
  readonly hub: Pick<StreamHub, 'outcomeClients' | 'sendOutcome'>;
  readonly settlements: Pick<SettlementReader, 'sequence' | 'one' | 'concerned'>;
  readonly frameOf: (settled: SettledAlerts) => Frame;
  readonly clock: Pick<Clock, 'sleep'>;
  readonly logger: Pick<Logger, 'warn'>;
  readonly defer: (task: () => void) => void;
}

/**
 * Sends outcomes to the clients that asked for them and whose filter at least one of the settled alerts passes, in the order of
 * their numbers. A client that connects reads earlier ones by REST.
 */
export class SettlementStream {
  readonly #options: SettlementStreamOptions;
  #sent = 0;

  constructor(options: SettlementStreamOptions) {
    this.#options = options;
  }

  /** Begins after the newest outcome. Call it before clients are accepted. */
  async open(): Promise<void> {
    const { sequence } = this.#options.settlements;
    await sequence.refresh();
    this.#sent = sequence.last;
  }

  /** Looks for new outcomes every 250 ms until the signal aborts. Faults are logged once and retried. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, logger } = this.#options;
    const failures = new FailureLog(logger, 'outcomes for stream clients unavailable; retrying every second');
    const pauses = { intervalMs: LOOK_MS, retryMs: LOOK_AFTER_FAULT_MS };
    await repeat(() => this.#look(), { clock, signal, ...pauses, failures });
  }

  async #look(): Promise<void> {
    const { hub, settlements } = this.#options;
    await settlements.sequence.refresh();
    while (this.#sent < settlements.sequence.last) {
      const clients = hub.outcomeClients();
      if (clients.length === 0) {
        this.#sent = settlements.sequence.last;
        return;
      }
      const settled = await settlements.one(this.#sent + 1);
      if (settled !== null) await this.#send(settled, clients);
      this.#sent += 1;
    }
  }

  async #send(settled: SettledAlerts, clients: readonly StreamClient[]): Promise<void> {
    const { hub, settlements, frameOf, defer } = this.#options;
    const wants = ({ filter }: StreamClient, alert: SettledAlerts['alerts'][number]) =>
      isWanted(filter, alert);
    const concerned = await settlements.concerned(settled, clients, wants);
    const frame = frameOf(settled);
    for (let from = 0; from < concerned.length; from += SLICE) {
      await new Promise<void>((resolve) => defer(resolve));
      hub.sendOutcome(concerned.slice(from, from + SLICE), frame);
    }
  }
}
