import { allOrNone } from '../../../../core/base/async/all-or-none.ts';
import { backoffMs } from '../../../../core/base/async/backoff.ts';
import { FailureLog } from '../../../../core/base/async/failure-log.ts';
import { repeat } from '../../../../core/base/async/repeat.ts';
import { SECOND_MS } from '../../../../core/base/time/duration.ts';
import { UpstreamFault } from '../client/market-client.ts';
import { PollRound } from './poll-round.ts';
import { createTradePages } from './trade-pages.ts';
import { POLL_BACKOFF, type TradePollOptions, type TradePollStatus } from './trade-poll-options.ts';
import { TradeSweep } from './trade-sweep.ts';

/** Time between the starts of two rounds. The list is rebuilt every 4 s: more often shows nothing sooner. */
const ROUND_EVERY_MS = SECOND_MS;

/** Polls the market's list of trades: the source that confirms trades without a node. */
export class TradePoll {
  readonly #options: TradePollOptions;
  readonly #round: PollRound;
  readonly #sweep: TradeSweep;

  constructor(options: TradePollOptions) {
    const readPage = createTradePages(options);
    this.#options = options;
    this.#round = new PollRound(options, readPage);
    this.#sweep = new TradeSweep(options, readPage, () => this.#round.liveUntil);
  }

  /** Until the signal aborts. Rejects only when `enqueue` does. */
  run(signal: AbortSignal): Promise<void> {
    return allOrNone(signal, [(life) => this.#poll(life), (life) => this.#sweep.run(life)]);
  }

  status(): TradePollStatus {
    return this.#round.status();
  }

  #poll(signal: AbortSignal): Promise<void> {
    const { clock, random, logger } = this.#options;
    let startedAt = clock.now();
    const round = () => {
      startedAt = clock.now();
      return this.#round.run(signal);
    };
    return repeat(round, {
      clock,
      signal,
      // A clock that is set back delays no round.
      intervalMs: () => Math.min(startedAt + ROUND_EVERY_MS - clock.now(), ROUND_EVERY_MS),
      retryMs: (failures) => backoffMs(POLL_BACKOFF, failures, random),
      failures: new FailureLog(logger, 'polling round failed; retrying'),
      isFatal: (error) => !signal.aborted && !(error instanceof UpstreamFault),
    });
  }
}
