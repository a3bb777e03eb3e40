import type { Clock } from '../../../core/clock.ts';
import { DAY_MS } from '../../../core/duration.ts';
import type { Logger } from '../../../core/logger.ts';
import type { Metrics } from '../../../core/metrics/metrics.ts';
import type { LiveRow } from '../../../core/source/source.ts';
import type { WalletAge, WalletAgeStore } from '../../../core/source/wallet-age-store.ts';
import type { WalletFactsAnswer, WalletFactsSource } from '../../../core/source/wallet-facts-source.ts';
import type { EpochMs } from '../../../core/trade.ts';
import { parseWallet } from '../../sources/wallet-row.ts';
import type { MarketClient } from '../client/market-client.ts';
import { accountAge, plausible } from './account-age.ts';
import type { Asking } from './ask.ts';
import { RouteHealth } from './route-health.ts';
import { TradeHistory } from './trade-history.ts';
import { tradedMarkets } from './traded-markets.ts';

/** A wallet this much older than the rules allow is not fresh for any trade that may still come late. */
const AGE_SLACK_DAYS = 2;

export interface WalletFactsDeps {
  readonly client: Pick<MarketClient, 'get'>;
  readonly ages: WalletAgeStore;
  readonly clock: Pick<Clock, 'now'>;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
  readonly metrics: Pick<Metrics, 'factsAsked'>;
  /** Of a fresh wallet, by the rules. */
  readonly maxAgeDays: number;
  /** The newest trade on the list of all trades, in the market's time; null before it was read. */
  readonly listedUntil: () => EpochMs | null;
}

/**
 * Facts of wallets from the market's Data and Gamma APIs, in the order of docs/detection.md. An age that was found is kept
 * for ever; a failure is not. Asked again and again it costs one read of the store for an old wallet.
 */
export function createWalletFacts(deps: WalletFactsDeps): WalletFactsSource {
  const { client, ages, clock, logger, metrics, maxAgeDays, listedUntil } = deps;
  const routes = new RouteHealth(clock, logger);

  async function answer(asking: Asking): Promise<WalletFactsAnswer> {
    const { wallet, before } = asking;
    const stored = await ages.get(wallet);
    const history = new TradeHistory(asking);
    const age = bounded(stored, before) ?? (await accountAge(asking, history));
    if ('reason' in age) return unsettled(age.reason);
    if ((before - age.createdAt) / DAY_MS > maxAgeDays + AGE_SLACK_DAYS) {
      if (stored === null) await ages.put(age);
      return settled(age, null);
    }
    const traded = await tradedMarkets(asking, history, listedUntil());
    if (traded === null) return unsettled('markets not known');
    // An account is at least as old as its first trade, whatever else is said of it.
    const createdAt = Math.min(age.createdAt, history.oldestAt ?? age.createdAt);
    if (stored === null) await ages.put({ ...age, createdAt });
    return settled({ ...age, createdAt }, traded);
  }

  function settled(age: WalletAge, traded: number | null): WalletFactsAnswer {
    metrics.factsAsked(age.source);
    return { kind: 'settled', row: walletLine(age, traded, clock.now()) };
  }

  /** While the whole API is out it is not the wallet that is unknown: the question fails, and is asked again. */
  function unsettled(reason: string): WalletFactsAnswer {
    if (routes.outage !== null) throw routes.outage;
    metrics.factsAsked('unsettled');
    return { kind: 'unsettled', reason };
  }

  return {
    async ask(address, before, signal) {
      const wallet = address.toLowerCase();
      try {
        return await answer({ client, routes, wallet, before, signal });
      } catch (error) {
        if (!signal.aborted) metrics.factsAsked('failed');
        throw error;
      }
    },
  };
}

/** A stored age, unless a trade that came late shows that the account is older. */
function bounded(age: WalletAge | null, before: EpochMs): WalletAge | null {
  const createdAt = plausible(age?.createdAt ?? null, before);
  return age === null || createdAt === null ? null : { ...age, createdAt };
}

function walletLine({ wallet, createdAt }: WalletAge, traded: number | null, now: EpochMs): LiveRow {
  const line = JSON.stringify({ proxyWallet: wallet, createdAt: new Date(createdAt).toISOString(), traded });
  const row = parseWallet(JSON.parse(line), now);
  if (row.kind === 'bad') throw new Error(`a wallet row of our own making: ${row.reason} ${row.detail}`);
  return { row, line };
}
