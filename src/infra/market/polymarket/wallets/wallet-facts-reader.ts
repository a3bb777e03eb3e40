import { z } from 'zod';
import type { Clock } from '../../../../core/base/time/clock.ts';
import { DAY_MS, type EpochMs } from '../../../../core/base/time/duration.ts';
import type { Metrics } from '../../../../core/metrics.ts';
import type { WalletFactsAnswer, WalletFactsSource } from '../../../../core/trades/source/facts-sources.ts';
import type { LiveRow } from '../../../../core/trades/source/source.ts';
import type { WalletAge, WalletAges } from '../../../../core/trades/source/wallet-ages.ts';
import { parseWallet } from '../../tapes/row-schema.ts';
import type { MarketClient } from '../client/market-client.ts';
import { isRouteRefusal, type RouteHealth, RouteUnavailable } from '../client/route-health.ts';
import { accountAge, plausible } from './account-age.ts';
import { type Asking, ask, BEHIND_MAX_MS, behindFault, TradeHistory } from './trade-history.ts';

/** A wallet that is older by this than the rules allow is not fresh for any trade that may still come late. */
const AGE_SLACK_DAYS = 2;

interface WalletFactsOptions {
  readonly client: MarketClient;
  readonly ages: Pick<WalletAges, 'get' | 'put'>;
  readonly routes: Pick<RouteHealth, 'outage'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly metrics: Pick<Metrics, 'factsAsked'>;
  readonly maxAgeDays: number;
  /** Time of the newest trade on the list of all trades, in the market's time; null before it was read. */
  readonly listedUntil: () => EpochMs | null;
}

/**
 * Facts of wallets from the market's Data and Gamma APIs, in the order of docs/detection.md. An age that was found is stored
 * permanently; a failure is not. A repeated question about an old wallet costs one read of the store.
 */
export class WalletFactsReader implements WalletFactsSource {
  readonly #options: WalletFactsOptions;

  constructor(options: WalletFactsOptions) {
    this.#options = options;
  }

  async ask(address: string, before: EpochMs, signal: AbortSignal): Promise<WalletFactsAnswer> {
    const { client, metrics } = this.#options;
    const wallet = address.toLowerCase();
    try {
      return await this.#answer({ client, wallet, before, signal });
    } catch (error) {
      if (!signal.aborted) metrics.factsAsked('failed');
      throw error;
    }
  }

  async #answer(asking: Asking): Promise<WalletFactsAnswer> {
    const { ages, maxAgeDays, listedUntil } = this.#options;
    const { wallet, before } = asking;
    const stored = await ages.get(wallet);
    const history = new TradeHistory(asking);
    const oldBefore = before - (maxAgeDays + AGE_SLACK_DAYS) * DAY_MS;
    const known = bounded(stored, before);
    const age = known === null ? await accountAge(asking, history, oldBefore) : { ...known, isWhole: true };
    if ('reason' in age) return this.#unsettled(age.reason);
    const { isWhole, ...oldest } = age;
    if (oldest.createdAt < oldBefore) {
      if (stored === null) await ages.put(oldest);
      return this.#settled(oldest, null);
    }
    const traded = await tradedMarkets(asking, history, listedUntil());
    if (traded === null) return this.#unsettled('markets not known');
    // An account is at least as old as its first trade, whatever other sources say.
    const createdAt = Math.min(oldest.createdAt, history.oldestAt ?? oldest.createdAt);
    const isOlder = createdAt < (stored?.createdAt ?? Number.POSITIVE_INFINITY);
    if (isOlder && isWhole) await ages.put({ ...oldest, createdAt });
    return this.#settled({ ...oldest, createdAt }, traded);
  }

  #settled(age: WalletAge, traded: number | null): WalletFactsAnswer {
    const { clock, metrics } = this.#options;
    metrics.factsAsked(age.source);
    return { kind: 'settled', row: walletLine(age, traded, clock.now()) };
  }

  /** During an outage of the whole API the question fails and is retried, since the wallet may be known. */
  #unsettled(reason: string): WalletFactsAnswer {
    const outage = this.#options.routes.outage('data');
    if (outage !== null) throw outage;
    this.#options.metrics.factsAsked('unsettled');
    return { kind: 'unsettled', reason };
  }
}

/** The stored age, unless a late trade shows that the account is older. */
function bounded(age: WalletAge | null, before: EpochMs): WalletAge | null {
  const createdAt = plausible(age?.createdAt ?? null, before);
  return age === null || createdAt === null ? null : { ...age, createdAt };
}

function walletLine({ wallet, createdAt }: WalletAge, traded: number | null, now: EpochMs): LiveRow {
  const line = JSON.stringify({ proxyWallet: wallet, createdAt: new Date(createdAt).toISOString(), traded });
  const row = parseWallet(JSON.parse(line), now);
  if (row.kind === 'bad') throw new Error(`generated wallet row invalid: ${row.reason} ${row.detail}`);
  return { row, line };
}

const PATH = '/v2/user-stats';

const stats = z.object({ data: z.object({ trades: z.int().min(0) }).nullable() });

/**
 * Number of distinct markets that the wallet traded before the moment, from its trades. When there are too many trades, or
 * their route refuses or is unavailable: the markets of all time, which are at least as many, so that a wallet never looks
 * fresher. Null when neither is known. Rejects when the market fails or its list is old (`listedUntil`: time of the newest
 * trade on the list of all trades).
 */
async function tradedMarkets(
  asking: Asking,
  history: TradeHistory,
  listedUntil: EpochMs | null,
): Promise<number | null> {
  let fault: unknown = null;
  try {
    const counted = await history.markets(listedUntil);
    if (counted !== null) return counted;
  } catch (error) {
    // A limit passes: the count is worth waiting for.
    const isUnavailable = error instanceof RouteUnavailable && error.outcome !== 'limited';
    if (!isRouteRefusal(error) && !isUnavailable) throw error;
    if (!isRouteRefusal(error)) fault = error;
  }
  const ofAllTime = await marketsOfAllTime(asking);
  if (ofAllTime === null && fault !== null) throw fault;
  return ofAllTime === null ? null : Math.max(ofAllTime, history.marketsMet);
}

async function marketsOfAllTime(asking: Asking): Promise<number | null> {
  try {
    const query = { user: asking.wallet };
    const { data: answer, asOf } = await ask(asking, { api: 'data', path: PATH, query }, stats);
    if (asOf < asking.before - BEHIND_MAX_MS) throw behindFault(PATH);
    return answer.data?.trades ?? null;
  } catch (error) {
    if (isRouteRefusal(error)) return null;
    throw error;
  }
}
