import { setTimeout as delay } from 'node:timers/promises';
import type { SteadyClock } from '../../src/core/base/time/clock.ts';
import { type EpochMs, SECOND_MS } from '../../src/core/base/time/duration.ts';
import type { Trade, TradeSource } from '../../src/core/trades/trade.ts';
import { HttpMarketClient } from '../../src/infra/market/polymarket/client/http-market-client.ts';
import { MarketClock } from '../../src/infra/market/polymarket/client/market-clock.ts';
import { RequestBudget } from '../../src/infra/market/polymarket/client/request-budget.ts';
import type { TokenMarket } from '../../src/infra/market/polymarket/markets/token-catalogue.ts';
import { PAGE_ROWS } from '../../src/infra/market/polymarket/trades/page-size.ts';
import { LISTED_LATE_MS } from '../../src/infra/market/polymarket/trades/trade-pages.ts';
import { TradeSources } from '../../src/infra/market/polymarket/trades/trade-sources.ts';
import { ENCODINGS } from '../../src/infra/outgoing/answer-text.ts';
import { createFakeClock } from '../../test/support/clock.ts';
import { startChainNode } from '../../test/support/market/chain-node.ts';
import { generatedTape } from '../../test/support/market/generated-tape.ts';
import { AS_MEASURED } from '../../test/support/market/market-profile.ts';
import type { MarketTape } from '../../test/support/market/market-tape.ts';
import { type MarketStandIn, startMarket } from '../../test/support/market/start-market.ts';
import { noMetrics } from '../../test/support/no-metrics.ts';
import { silentLogger } from '../../test/support/silent-logger.ts';
import { TAKERS, withRealIds } from './real-ids.ts';
import type { ProofKit } from './source-proofs.ts';

/** The market's pace in September and October 2026. */
const PER_SECOND = 40;
const SECONDS = 800;
/** In which the sources settle, and the first sweep ends. */
const SETTLING_S = 200;
const DAY_S = 86_400;
const GB = 1e9;
const MOST_A_DAY = 2 * GB;
/** Two hours each hour (see `TradePoll`). */
const TAKER_ROWS_SWEPT_A_DAY = 24 * (LISTED_LATE_MS / SECOND_MS) * PER_SECOND * TAKERS;
const ENCODED = { 'accept-encoding': ENCODINGS };
/** The least of what is asked or shown that counts as a moment of its own. */
const STEP_MS = 250;
const WAYS: readonly (readonly TradeSource[])[] = [['polling'], ['node', 'polling']];

/** What the list of trades costs on the wire, and how old trades are when they pass. */
export async function proveTraffic({ seed, start, verdict }: ProofKit): Promise<void> {
  const from = start - LISTED_LATE_MS / SECOND_MS;
  const trades = (SECONDS + start - from) * PER_SECOND;
  const tape = withRealIds(generatedTape({ trades, perSecond: PER_SECOND, start: from, seed }));
  for (const sources of WAYS) {
    const { bytes, takerRowBytes, ages, missing } = await watch(tape, start * SECOND_MS, sources);
    const rounds = (bytes / (SECONDS - SETTLING_S)) * DAY_S;
    const sweeps = takerRowBytes * TAKER_ROWS_SWEPT_A_DAY;
    const sorted = ages.toSorted((a, b) => a - b);
    const at = (part: number) => sorted[Math.floor(sorted.length * part)];
    verdict(
      `${sources.join(', ')}: ${inGb(rounds + sweeps)} GB a day, ${inGb(rounds)} by rounds and ${inGb(sweeps)} by sweeps; ` +
        `known at ${Math.round(ages.reduce((sum, age) => sum + age, 0) / ages.length)} ms in the mean, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms; ${missing} of ${ages.length} missing`,
      rounds + sweeps <= MOST_A_DAY && missing === 0,
    );
  }
}

const inGb = (bytes: number) => (bytes / GB).toFixed(2);

/** Lets the tape pass on a clock that waits for every answer: a busy machine changes no figure. */
async function watch(tape: MarketTape, startAt: EpochMs, sources: readonly TradeSource[]) {
  const clock = createFakeClock(startAt);
  const market = await startMarket({ tape, clock, profile: { ...AS_MEASURED, isCompressed: true } });
  const node = sources.includes('node') ? await startChainNode({ view: market.view, clock }) : null;
  const marketClock = new MarketClock({ clock, logger: silentLogger, metrics: noMetrics });
  const budget = countedBudget(clock);
  const client = new HttpMarketClient({
    ...{ clock, marketClock, metrics: noMetrics, budget },
    market: { dataUrl: market.url, gammaUrl: market.url },
  });
  const ages: number[] = [];
  const passed = new Set<string>();
  // What was before the start is known.
  const knows = (fill: Fill) => fill.at < startAt || passed.has(keyOf(fill));
  const isSettled = () => clock.now() >= startAt + SETTLING_S * SECOND_MS;
  const watched = new TradeSources({
    ...{ client, clock: marketClock, random: Math.random, logger: silentLogger, metrics: noMetrics },
    market: {
      streamUrl: market.settings.POLYMARKET_STREAM_URL,
      rpcUrl: node?.wsUrl ?? null,
      extraExchanges: [],
    },
    coverage: { wantedFrom: () => startAt, fresh() {}, confirmed() {}, failed() {}, provisional() {} },
    tokens: tokensIn(tape),
    knows,
    async enqueue(rows) {
      for (const { row } of rows) {
        if (row.kind !== 'trade' || knows(row.trade)) continue;
        passed.add(keyOf(row.trade));
        if (isSettled()) ages.push(clock.now() - row.trade.at);
      }
    },
    onTrade() {},
    onDrop() {},
  });
  const stop = new AbortController();
  const ended = watched.run(stop.signal);
  const sentBytes = () => market.sent.get('/v2/trades') ?? 0;
  let before = 0;
  for (const until = startAt + SECONDS * SECOND_MS; clock.now() < until; ) {
    await clock.advance(STEP_MS);
    node?.look();
    market.streams.look();
    for (let idle = 0; idle < 3; idle = budget.unanswered > 0 ? 0 : idle + 1) await delay(1);
    if (!isSettled()) before = sentBytes();
  }
  const bytes = sentBytes() - before;
  const takerRowBytes = await bytesOfTakerRow(market);
  stop.abort();
  await ended;
  await Promise.all([client.close(), node?.close(), market.close()]);
  const listed = market.view.listedIn(startAt, clock.now() - 2 * SECOND_MS);
  const missing = listed.filter((index) => !knows(fillOf(tape, index))).length;
  return { bytes, takerRowBytes, ages, missing };
}

/** A budget of requests that knows how many are not answered. */
function countedBudget(clock: SteadyClock) {
  const budget = new RequestBudget(clock, silentLogger);
  return {
    routes: budget.routes,
    unanswered: 0,
    async take(...given: Parameters<RequestBudget['take']>) {
      const answered = await budget.take(...given);
      this.unanswered += 1;
      return () => {
        this.unanswered -= 1;
        answered();
      };
    },
  };
}

type Fill = Pick<Trade, 'at' | 'transaction' | 'wallet' | 'shares'>;

function fillOf(tape: MarketTape, index: number): Fill {
  const { transactionHash: transaction, proxyWallet: wallet, size: shares } = tape.trade(index);
  return { at: tape.timeOf(index) * SECOND_MS, transaction, wallet, shares };
}

const keyOf = ({ transaction, wallet, shares }: Fill) => `${transaction} ${wallet} ${shares}`;

async function bytesOfTakerRow({ url, sent }: MarketStandIn): Promise<number> {
  const before = sent.get('/v2/trades') ?? 0;
  const query = `limit=${PAGE_ROWS}&taker_only=true&filter_type=TOKENS&filter_amount=0.01`;
  const page = await fetch(`${url}/v2/trades?${query}`, { headers: ENCODED });
  await page.text();
  return ((sent.get('/v2/trades') ?? 0) - before) / PAGE_ROWS;
}

/** After so many a trade of each token has come. */
const TRADES_PER_MARKET = 100;

function tokensIn(tape: MarketTape) {
  const tokens = new Map<string, TokenMarket>();
  for (let index = 0; index < tape.markets.length * TRADES_PER_MARKET; index++) {
    const { asset, conditionId: marketId, ...words } = tape.trade(index);
    tokens.set(asset, { marketId, ...words });
  }
  return { get: (id: string) => tokens.get(id) ?? null, lookUp: async () => {} };
}
