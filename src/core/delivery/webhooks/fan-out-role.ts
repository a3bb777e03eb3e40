import { FailureLog } from '../../base/async/failure-log.ts';
import { repeat } from '../../base/async/repeat.ts';
import { untilAborted } from '../../base/async/until-aborted.ts';
import { holdLease } from '../../base/lease/lease.ts';
import { SECOND_MS } from '../../base/time/duration.ts';
import type { DeliveryEngineOptions } from './delivery-engine-options.ts';
import { FanOut } from './fan-out.ts';
import type { AddedDelivery } from './new-rows.ts';
import { OutcomeFanOut } from './outcome-fan-out.ts';
import { Targets } from './targets.ts';

const RETRY_MS = SECOND_MS;
/** Pause between two looks for new outcomes. */
const OUTCOMES_EVERY_MS = SECOND_MS;

interface FanOutStart {
  /** The ledger's last alert and outcome when this process started. */
  readonly position: number;
  readonly lastOutcome: number;
  readonly onAdded: (added: readonly AddedDelivery[]) => void;
}

/**
 * Makes the rows of each alert and outcome in one process: the holder of the lease. The others stand by. The rows do not depend on the
 * lease: two holders at a time would make the same ones.
 */
export class FanOutRole {
  readonly #options: DeliveryEngineOptions;
  readonly #start: FanOutStart;
  #state: 'starting' | 'holder' | 'standby' = 'starting';

  constructor(options: DeliveryEngineOptions, start: FanOutStart) {
    this.#options = options;
    this.#start = start;
  }

  /** Whether this process makes the rows now. */
  get isHolder(): boolean {
    return this.#state === 'holder';
  }

  /** Ends when the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, logger } = this.#options;
    const { lease, owner, isGone } = this.#options;
    const deps = { store: lease('fan-out'), clock, logger, owner, isGone };
    const failures = new FailureLog(logger, 'fan-out of alerts to webhooks failed; retrying every second');
    const attempt = async () => {
      const outcome = await holdLease(deps, signal, (_, held) => this.#work(held));
      if (outcome === 'refused') this.#standBy();
    };
    await repeat(attempt, { clock, signal, intervalMs: RETRY_MS, failures });
  }

  #standBy(): void {
    if (this.#state !== 'standby')
      this.#options.logger.info(
        {},
        'another process makes the deliveries of alerts; sending a share of them',
      );
    this.#state = 'standby';
  }

  /** Continues after the last alert whose rows are made. */
  async #work(signal: AbortSignal): Promise<void> {
    const { deliveries, feed, clock, logger } = this.#options;
    const { position, lastOutcome, onAdded } = this.#start;
    const cursor = (await deliveries.cursor()) ?? position;
    logger.info({ after: cursor }, 'making the deliveries of alerts');
    this.#state = 'holder';
    const targets = new Targets(this.#options);
    const fanOut = new FanOut(this.#options, targets);
    const outcomes = new OutcomeFanOut(this.#options, targets);
    let making: Promise<void> = Promise.resolve();
    const unsubscribe = feed.subscribe(cursor, (alerts) => {
      making = fanOut.make(alerts, { missedUntil: position, onAdded, signal });
      return making;
    });
    const following = repeat(() => outcomes.make({ missedUntil: lastOutcome, onAdded, signal }), {
      ...{ clock, signal, intervalMs: OUTCOMES_EVERY_MS },
      failures: new FailureLog(logger, 'fan-out of outcomes to webhooks failed; retrying every second'),
    });
    await untilAborted(signal);
    unsubscribe();
    this.#state = 'starting';
    // The feed has logged a failure.
    await making.catch(() => {});
    await following;
  }
}
