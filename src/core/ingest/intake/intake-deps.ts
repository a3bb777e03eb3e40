import type { Logger } from '../../base/logger.ts';
import type { Clock } from '../../base/time/clock.ts';
import type { MarketSource, WalletFactsSource } from '../../trades/source/facts-sources.ts';
import type { Knowledge } from '../../trades/source/source.ts';
import type { IngestMetrics } from '../ingest-deps.ts';

/** Dependencies of `Intake`. */
export interface IntakeDeps {
  readonly facts: WalletFactsSource;
  readonly markets: MarketSource;
  readonly clock: Clock;
  /** From 0 up to 1, spreads the attempts. */
  readonly random: () => number;
  readonly logger: Logger;
  readonly metrics: Pick<IngestMetrics, 'feedTrades' | 'tradesWaiting' | 'factsAsked'>;
}

/** Dependencies of the parts of an intake that serve one run. */
export interface IntakeRunDeps extends IntakeDeps {
  readonly knowledge: Knowledge;
  /** Ends every wait. */
  readonly signal: AbortSignal;
  /** Called when something that orders wait for came, or is not waited for any more. */
  onChange(): void;
}
