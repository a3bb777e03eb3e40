import { backoffMs } from '../../backoff.ts';
import type { Clock } from '../../clock.ts';
import { MINUTE_MS, SECOND_MS } from '../../duration.ts';
import type { Logger } from '../../ports/logger.ts';
import type { LiveRow } from '../../ports/source.ts';
import type { WalletFactsSource } from '../../ports/wallet-facts-source.ts';
import type { EpochMs } from '../../trade.ts';
import { createPlaces } from './places.ts';

/** Wallets asked about at once: at half a second each, more than the market has new wallets that matter. */
const AT_ONCE = 16;
const AFTER_FAILURE = { firstMs: SECOND_MS, mostMs: MINUTE_MS };
const AFTER_UNSETTLED = { firstMs: 15 * SECOND_MS, mostMs: 10 * MINUTE_MS };

/** Attempts for one wallet that failed in a row, most of an hour: its facts may never come, whatever others' do. */
const MANY_FAILURES = 60;

/** Whose facts are wanted: as of the moment, and until it is too late for them. */
export interface FactsQuestion {
  readonly wallet: string;
  readonly before: EpochMs;
  /** Looked at between two attempts. */
  isTooLate(): boolean;
  /** The market answered and knows no age, or failed to answer for most of an hour: it is asked again, which may take long. */
  onUnsettled(): void;
}

/** Asks about wallets until there is an answer. */
export interface FactsDesk {
  /** The wallet's row; null when it grew too late, or the signal aborted. Never rejects. */
  ask(question: FactsQuestion): Promise<LiveRow | null>;
  /** Questions that have no answer yet. */
  readonly asking: number;
}

/** What the desk stands on. `random`: from 0 up to 1, spreads the attempts. */
export interface FactsDeskDeps {
  readonly facts: WalletFactsSource;
  readonly clock: Clock;
  readonly random: () => number;
  readonly logger: Logger;
}

/** A desk that asks about 16 wallets at once, and ends with the signal. */
export function createFactsDesk(
  { facts, clock, random, logger }: FactsDeskDeps,
  signal: AbortSignal,
): FactsDesk {
  const places = createPlaces(AT_ONCE);
  let asking = 0;
  let isFailing = false;

  async function attempt({
    wallet,
    before,
  }: FactsQuestion): Promise<LiveRow | 'failed' | 'unsettled' | null> {
    if (signal.aborted) return null;
    try {
      const answer = await facts.ask(wallet, before, signal);
      if (isFailing) logger.info({}, 'facts of wallets come again');
      isFailing = false;
      if (answer.kind === 'settled') return answer.row;
      logger.debug({ wallet, reason: answer.reason }, 'the facts of a wallet are not settled');
      return 'unsettled';
    } catch (error) {
      if (!isFailing && !signal.aborted)
        logger.warn({ err: error }, 'facts of wallets fail; their trades wait');
      isFailing = true;
      return 'failed';
    }
  }

  async function insist(question: FactsQuestion): Promise<LiveRow | null> {
    let failures = 0;
    let unsettled = 0;
    while (!signal.aborted && !question.isTooLate()) {
      const answer = await places(() => attempt(question));
      if (answer === null || typeof answer === 'object') return answer;
      failures = answer === 'failed' ? failures + 1 : 0;
      unsettled += answer === 'unsettled' ? 1 : 0;
      if (answer === 'unsettled' || failures === MANY_FAILURES) question.onUnsettled();
      const waitMs =
        answer === 'failed'
          ? backoffMs(AFTER_FAILURE, failures, random)
          : backoffMs(AFTER_UNSETTLED, unsettled, random);
      await clock.sleep(waitMs, signal);
    }
    return null;
  }

  return {
    async ask(question) {
      asking += 1;
      const row = await insist(question);
      asking -= 1;
      return row;
    },
    get asking() {
      return asking;
    },
  };
}
