import { setImmediate } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import type { Clock } from '../../../src/core/base/time/clock.ts';
import type { EpochMs } from '../../../src/core/base/time/duration.ts';
import type { LiveRow } from '../../../src/core/trades/source/source.ts';
import { ChainFeed } from '../../../src/infra/market/polymarket/chain/chain-feed.ts';
import type { PassedSpan } from '../../../src/infra/market/polymarket/chain/chain-follower.ts';
import { EXCHANGES } from '../../../src/infra/market/polymarket/chain/order-filled.ts';
import type { TokenMarket } from '../../../src/infra/market/polymarket/markets/token-catalogue.ts';
import { createFakeClock } from '../clock.ts';
import { createRecordingLogger } from '../recording-logger.ts';
import { startChainNode } from './chain-node.ts';
import { createFaults, NO_FAULTS } from './faults.ts';
import type { MarketTape } from './market-tape.ts';
import { createMarketView } from './market-view.ts';

const STEP_MS = 250;
/** Turns of the loop between two steps of the clock; both ends of a call are in this process. */
const TURNS = 40;

/** A tokens' catalogue that a test fills. */
export interface TestTokens {
  /** What the market answers when it is asked. */
  readonly listed: Map<string, TokenMarket>;
  readonly known: Map<string, TokenMarket>;
  readonly asked: string[];
}

/** A chain source on a simulated node, on one clock that a test moves. */
export async function followChain(
  tape: MarketTape,
  {
    startAt,
    over = 'ws',
    path = '',
    chainId = 137,
    ...given
  }: {
    startAt: EpochMs;
    over?: 'ws' | 'http';
    path?: string;
    chainId?: number;
  } & Partial<Pick<Follow, 'wantedFrom' | 'onBlock'>>,
) {
  const clock = createFakeClock(startAt);
  const view = createMarketView(tape, { clock, faults: createFaults(NO_FAULTS, clock) });
  const node = await startChainNode({ view, clock });
  node.manners.chainId = chainId;
  const url = `${over === 'ws' ? node.wsUrl : node.httpUrl}${path}`;
  const source = followNode(url, { clock, listed: tokensOf(tape), ...given });
  onTestFinished(async () => {
    await source.stop().catch(() => {});
    await node.close();
  });

  async function pass(ms: number): Promise<void> {
    for (const until = clock.now() + ms; clock.now() < until; ) {
      await clock.advance(Math.min(STEP_MS, until - clock.now()));
      node.look();
      for (let turn = 0; turn < TURNS; turn++) await setImmediate();
    }
  }

  return { ...source, clock, node, pass };
}

interface Follow {
  readonly clock: Clock;
  /** Known from the start, until a test takes them out. */
  readonly listed: Map<string, TokenMarket>;
  readonly wantedFrom?: EpochMs | null;
  readonly onBlock?: () => Promise<void>;
}

/** A chain source on any node. */
export function followNode(
  url: string,
  { clock, wantedFrom = null, listed, onBlock = async () => {} }: Follow,
) {
  const logger = createRecordingLogger();
  const tokens: TestTokens = { listed, known: new Map(listed), asked: [] };
  const blocks: { readonly at: EpochMs; readonly rows: readonly LiveRow[] }[] = [];
  const removed: LiveRow[] = [];
  const complete: PassedSpan[] = [];
  const dropped: string[] = [];
  const states: boolean[] = [];
  const feed = new ChainFeed({
    url,
    clock,
    random: () => 0,
    logger,
    metrics: {
      upstreamStream: (_, isOpen) => states.push(isOpen),
      rowDropped: (reason) => dropped.push(reason),
    },
    wantedFrom,
    tokens: {
      get: (tokenId) => tokens.known.get(tokenId) ?? null,
      async lookUp(tokenIds) {
        tokens.asked.push(...tokenIds);
        for (const tokenId of tokenIds) {
          const market = listed.get(tokenId);
          if (market !== undefined) tokens.known.set(tokenId, market);
        }
      },
    },
    async onBlock(block) {
      blocks.push(block);
      await onBlock();
    },
    exchanges: EXCHANGES,
    onShown: () => {},
    onRemoved: async (rows) => void removed.push(...rows),
    onComplete: (span) => void complete.push(span),
  });
  const ending = new AbortController();
  const ended = feed.run(ending.signal);
  ended.catch(() => {});
  return {
    feed,
    logger,
    tokens,
    blocks,
    removed,
    complete,
    dropped,
    states,
    rows: () => blocks.flatMap(({ rows }) => rows),
    ended,
    async stop() {
      ending.abort();
      await ended;
    },
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
