import type { AlertStore } from '../../core/alerts/alert-store.ts';
import type { ResolutionStore } from '../../core/alerts/resolution-store.ts';
import { FeedHealth } from '../../core/feed-health/feed-health.ts';
import type { FeedHealthStore } from '../../core/feed-health/feed-health-store.ts';
import { Intake } from '../../core/ingest/intake.ts';
import type { Metrics } from '../../core/metrics/metrics.ts';
import type { Knowledge, LiveFeed, LiveRow, SourceStatus } from '../../core/source/source.ts';
import type { WalletAgeStore } from '../../core/source/wallet-age-store.ts';
import type { Trade } from '../../core/trade.ts';
import type { SourceDeps } from '../sources/source-deps.ts';
import { HttpMarketClient } from './client/http-market-client.ts';
import { MarketClock } from './client/market-clock.ts';
import type { RequestBudget } from './client/request-budget.ts';
import { oldestInHostTime, openInMarketTime } from './feed-health-in-market-time.ts';
import { createMarketCatalogue } from './markets/market-catalogue.ts';
import { GammaTokens, type TokenCatalogue } from './markets/token-catalogue.ts';
import { TokenMemory } from './markets/token-memory.ts';
import { TradeSources } from './merge/trade-sources.ts';
import { ResolutionStream } from './resolutions/resolution-stream.ts';
import { createResolutionWatch } from './resolutions/resolution-watch.ts';
import { createWalletFacts } from './wallets/wallet-facts.ts';

/** How the market is reached. Addresses have no slash at their end. */
interface MarketAccess {
  readonly dataUrl: string;
  readonly gammaUrl: string;
  readonly streamUrl: string;
  readonly clobUrl: string;
  /** Null without a node. A secret: its path may hold a key. */
  readonly rpcUrl: string | null;
}

/** What the live feed is built from. */
export interface PolymarketDeps extends SourceDeps {
  readonly market: MarketAccess;
  readonly alerts: Pick<AlertStore, 'unresolvedMarkets' | 'ofMarket'>;
  readonly resolutions: ResolutionStore;
  readonly feedHealth: FeedHealthStore;
  readonly ages: WalletAgeStore;
  /** The market counts the requests of all parts and runs. */
  readonly budget: RequestBudget;
  readonly metrics: Metrics;
  /** From 0 up to 1, for jitter. */
  readonly random: () => number;
  /** Of a fresh wallet, by the rules. */
  readonly maxAgeDays: number;
}

/** The name under which the feed's checkpoint is kept. */
export const POLYMARKET = 'polymarket';

/** Polymarket as a live feed: the place where its parts meet. */
export function createPolymarketFeed(deps: PolymarketDeps): LiveFeed {
  let run: FeedRun | null = null;
  return {
    name: POLYMARKET,
    async *batches(signal, knowledge) {
      run = await openRun(deps, knowledge, signal);
      try {
        yield* run.batches;
      } finally {
        await run.close();
      }
    },
    status: () => run?.status() ?? { state: 'starting', progress: null, historyProgress: null },
  };
}

/** The parts of one run, at work. */
interface FeedRun {
  /** Throws when a part cannot go on. */
  readonly batches: AsyncIterable<readonly LiveRow[]>;
  status(): SourceStatus;
  close(): Promise<void>;
}

async function openRun(deps: PolymarketDeps, knowledge: Knowledge, signal: AbortSignal): Promise<FeedRun> {
  const { market } = deps;
  const clock = new MarketClock(deps);
  const over = new AbortController();
  const life = AbortSignal.any([signal, over.signal]);
  const client = new HttpMarketClient({ ...deps, ...market, marketClock: clock });
  const intake = new Intake({
    ...deps,
    facts: createWalletFacts({ ...deps, client, listedUntil: () => sources.listedUntil }),
    markets: { describe: (ids, its) => catalogue.describeNew(ids, its) },
  });
  const { enqueue } = intake;
  const { catalogue, tokens, saw: onStreamTrade } = openMarkets({ ...deps, client, enqueue });
  const waiting = [intake.oldestWaiting];
  const oldestWaiting = () => oldestInHostTime(waiting, clock);
  const feedHealth = new FeedHealth({ ...deps, store: deps.feedHealth, oldestWaiting });
  const inMarketTime = await openInMarketTime(feedHealth, clock);
  const knows = (fill: Trade) => knowledge.hasSeen(fill) || intake.isInFlight(fill);
  const sources = new TradeSources({
    ...deps,
    feedHealth: inMarketTime,
    clock,
    client,
    streamUrl: market.streamUrl,
    rpcUrl: market.rpcUrl,
    tokens,
    knows,
    enqueue,
    onTrade: onStreamTrade,
  });
  waiting.push(() => sources.oldestWaiting());
  const watch = createResolutionWatch({ ...deps, client, catalogue, enqueue });
  const resolutions = new ResolutionStream({
    ...deps,
    url: `${market.clobUrl}/ws/market`,
    assets: watch.assets,
    onResolved: watch.resolved,
  });

  const parts = [sources, watch, resolutions, catalogue];
  const work = Promise.all(parts.map((part) => part.run(life).catch((error: unknown) => over.abort(error))));
  // Ends after the others: what they confirm last is written too.
  const end = new AbortController();
  const record = feedHealth.run(end.signal);

  return {
    batches: untilFault(intake.batches(life, knowledge), over.signal),
    status: () => ({ ...sources.status(), waiting: intake.status() }),
    async close() {
      over.abort();
      await work;
      end.abort();
      await record;
      await client.close();
    },
  };
}

/** What is known of markets and of their tokens, which is learnt together. */
function openMarkets(deps: Omit<Parameters<typeof createMarketCatalogue>[0], 'tokens'>) {
  const memory = new TokenMemory();
  const catalogue = createMarketCatalogue({ ...deps, tokens: memory });
  const tokens: TokenCatalogue = new GammaTokens({ ...deps, memory, markets: catalogue });
  /** A source of trades showed one. */
  function onStreamTrade(fill: Trade): void {
    catalogue.touched(fill.marketId);
    tokens.learn(fill);
  }

  return { catalogue, tokens, saw: onStreamTrade };
}

/** A part that cannot go on ends the run with its fault. */
async function* untilFault(
  batches: AsyncIterable<readonly LiveRow[]>,
  fault: AbortSignal,
): AsyncGenerator<readonly LiveRow[]> {
  yield* batches;
  if (fault.aborted) throw fault.reason;
}
