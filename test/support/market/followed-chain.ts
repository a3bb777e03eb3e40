import { setImmediate } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import type { EpochMs } from '../../../src/core/base/time/duration.ts';
import type { LiveRow } from '../../../src/core/trades/source/source.ts';
import { ChainFeed } from '../../../src/infra/market/polymarket/chain/chain-feed.ts';
import { EXCHANGES } from '../../../src/infra/market/polymarket/chain/order-filled.ts';
import type { TokenMarket } from '../../../src/infra/market/polymarket/markets/token-catalogue.ts';
import { createFakeClock, type FakeClock } from '../clock.ts';
import { createRecordingLogger } from '../recording-logger.ts';
import { startChainNode } from './chain-node.ts';
import type { MarketTape } from './market-tape.ts';
import { createMarketView } from './market-view.ts';

const STEP_MS = 250;
/** Turns of the loop between two steps of the clock; both ends of a call are in this process. */
const TURNS = 40;

/** A chain source on a simulated node, on one clock that a test moves. */
export async function followChain(
  tape: MarketTape,
  {
    startAt,
    over = 'ws',
    path = '',
    chainId = 137,
    wantedFrom = null,
    onBlock = async () => {},
  }: {
    startAt: EpochMs;
    over?: 'ws' | 'http';
    path?: string;
    chainId?: number;
    wantedFrom?: EpochMs | null;
    onBlock?: () => Promise<void>;
  },
) {
  const clock = createFakeClock(startAt);
  const view = createMarketView(tape, { clock });
  const node = await startChainNode({ view, clock });
  node.manners.chainId = chainId;
  const logger = createRecordingLogger();
  /** `listed`: what the market answers when it is asked. All are known from the start, until a test takes them out. */
  const tokens = { listed: tokensOf(tape), known: tokensOf(tape), asked: [] as string[] };
  const blocks: { readonly at: EpochMs; readonly rows: readonly LiveRow[] }[] = [];
  const removed: LiveRow[] = [];
  const states: boolean[] = [];
  const feed = new ChainFeed({
    ...{ url: `${over === 'ws' ? node.wsUrl : node.httpUrl}${path}`, clock, logger, wantedFrom },
    random: () => 0,
    metrics: { upstreamStream: (_, isOpen) => states.push(isOpen), rowDropped: () => {} },
    tokens: {
      get: (tokenId) => tokens.known.get(tokenId) ?? null,
      async lookUp(tokenIds) {
        tokens.asked.push(...tokenIds);
        for (const tokenId of tokenIds) {
          const market = tokens.listed.get(tokenId);
          if (market !== undefined) tokens.known.set(tokenId, market);
        }
      },
    },
    async onBlock(block) {
      blocks.push(block);
      await onBlock();
    },
    exchanges: EXCHANGES,
    onRemoved: async (rows) => void removed.push(...rows),
  });
  const ending = new AbortController();
  const ended = feed.run(ending.signal);
  ended.catch(() => {});
  onTestFinished(async () => {
    ending.abort();
    await ended.catch(() => {});
    await node.close();
  });

  const rows = () => blocks.flatMap((block) => block.rows);
  return {
    ...{ feed, clock, node, logger, tokens, removed, states, rows, ended },
    pass: passing(clock, node),
  };
}

/** Lets time pass on the clock, with what a node shows meanwhile. */
export function passing(clock: FakeClock, node: { look(): void }) {
  return async (ms: number): Promise<void> => {
    for (const until = clock.now() + ms; clock.now() < until; ) {
      await clock.advance(Math.min(STEP_MS, until - clock.now()));
      node.look();
      for (let turn = 0; turn < TURNS; turn++) await setImmediate();
    }
  };
}

/** What the market would answer for every token of the tape. */
export function tokensOf(tape: MarketTape): Map<string, TokenMarket> {
  const tokens = new Map<string, TokenMarket>();
  for (let index = 0; index < tape.count; index++) {
    const { asset, conditionId: marketId, title, slug, eventSlug, outcome, outcomeIndex } = tape.trade(index);
    tokens.set(asset, { marketId, title, slug, eventSlug, outcome, outcomeIndex });
  }
  return tokens;
}
