import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { LiveRow } from '../../../../../src/core/trades/source/source.ts';
import { BlockReader } from '../../../../../src/infra/market/polymarket/chain/block-reader.ts';
import {
  type BlockFill,
  headerSchema,
} from '../../../../../src/infra/market/polymarket/chain/chain-block.ts';
import { ChainFollower } from '../../../../../src/infra/market/polymarket/chain/chain-follower.ts';
import { RpcFault, resultOf } from '../../../../../src/infra/market/polymarket/chain/chain-node.ts';
import { EXCHANGES } from '../../../../../src/infra/market/polymarket/chain/order-filled.ts';
import { type CallError, createChain, headerBody } from '../../../../support/market/chain-calls.ts';
import { type TapeTrade, tapeOf } from '../../../../support/market/market-tape.ts';
import { createMarketView } from '../../../../support/market/market-view.ts';
import { conditionNo, TAPE_START_S, walletNo } from '../../../../support/market/small-tape.ts';
import { silentLogger } from '../../../../support/silent-logger.ts';

const TOKENS = 5;
const tokenNo = (no: number) => String(1_000 + no);
const signal = new AbortController().signal;

/** Trades of 1 to 4 in a transaction; equal orders in one transaction come often. */
const tapeSchema = fc
  .array(
    fc.record({
      after: fc.nat({ max: 6 }),
      fills: fc.array(fc.record({ wallet: fc.nat({ max: 1 }), price: fc.constantFrom(0.3, 0.31) }), {
        minLength: 1,
        maxLength: 4,
      }),
    }),
    { minLength: 30, maxLength: 120, size: 'max' },
  )
  .map((transactions) => {
    let time = TAPE_START_S;
    const trades = transactions.flatMap(({ after, fills }, number) => {
      time += after;
      return fills.map(
        ({ wallet, price }): TapeTrade => ({
          proxyWallet: walletNo(wallet),
          side: 'BUY',
          asset: tokenNo(number % TOKENS),
          conditionId: conditionNo(number % TOKENS),
          size: 2_000,
          price,
          timestamp: time,
          title: 'A question?',
          slug: 'a-question',
          eventSlug: 'a-question',
          outcome: 'Yes',
          outcomeIndex: 0,
          transactionHash: `0x${(number + 1).toString(16).padStart(64, '0')}`,
        }),
      );
    });
    return tapeOf(trades as never);
  });

const TRANSACTION_GROUPS = 3;
const often = <Kind extends string>(weight: number, kind: Kind) => ({ weight, arbitrary: fc.constant(kind) });
const stepSchema = fc.record({
  kind: fc.oneof(
    often(12, 'live'),
    often(2, 'pass'),
    often(1, 'outage'),
    often(2, 'head'),
    often(4, 'reorganise'),
    often(2, 'fail'),
    often(2, 'lag'),
    often(2, 'learn'),
  ),
  seconds: fc.integer({ min: 1, max: 6 }),
  back: fc.constantFrom(0, 1, 5),
  depth: fc.integer({ min: 1, max: 12 }),
  lose: fc.nat({ max: TRANSACTION_GROUPS }),
  postpone: fc.nat({ max: TRANSACTION_GROUPS }),
  calls: fc.nat({ max: 6 }),
  lag: fc.constantFrom(0, 0, 1, 3),
  token: fc.nat({ max: TOKENS - 1 }),
});
const stepsSchema = fc.array(stepSchema, { minLength: 40, maxLength: 120, size: 'max' });

function harness(tape: ReturnType<typeof tapeOf>) {
  let now = (TAPE_START_S - 60) * 1_000;
  const clock = { now: () => now, sleep: async () => {} };
  const { chain, manners, logsOf, call } = createChain(createMarketView(tape, { clock }), clock);
  let failing = 0;
  const node = {
    async call(method: string, params: readonly unknown[]) {
      if (failing > 0 && failing-- > 0) throw new RpcFault('connection lost');
      try {
        return call(method, params);
      } catch (error) {
        return resultOf({ error: { message: (error as CallError).message } }, 'ws://node.test');
      }
    },
  };
  const knownTokens = new Set([tokenNo(0), tokenNo(1)]);
  const waiting = new Set<BlockFill>();
  const handed: string[] = [];
  const removed: string[] = [];
  const handOn = (fill: BlockFill) => {
    fill.row = {} as LiveRow;
    handed.push(fill.fill.key);
  };
  const reader = new BlockReader({
    ...{ node, clock, exchanges: EXCHANGES },
    onDrop: () => expect.unreachable('no row may be dropped'),
  });
  const follower = new ChainFollower({
    ...{ reader, wantedFrom: (TAPE_START_S - 30) * 1_000, logger: silentLogger },
    async onBlock(_at, fills) {
      for (const fill of fills)
        if (knownTokens.has(fill.fill.tokenId)) handOn(fill);
        else waiting.add(fill);
    },
    onReorged: async (fills) => void removed.push(...fills.map(({ fill }) => fill.key)),
    onDropped: (fill) => void waiting.delete(fill),
  });

  return {
    handed,
    removed,
    chain,
    manners,
    pass(seconds: number) {
      now += seconds * 1_000;
      chain.grow();
    },
    fail(calls: number) {
      failing = calls;
    },
    learn(token: string) {
      knownTokens.add(token);
      for (const fill of waiting) {
        if (fill.fill.tokenId !== token) continue;
        waiting.delete(fill);
        handOn(fill);
      }
    },
    reorganise({ depth, lose, postpone }: { depth: number; lose: number; postpone: number }) {
      const isOf = (index: number, group: number) =>
        Number(tape.trade(index).transactionHash) % TRANSACTION_GROUPS === group - 1;
      chain.reorganise({
        depth: Math.min(depth, chain.head.number - 100),
        lose: (index) => isOf(index, lose),
        postpone: (index) => isOf(index, postpone),
      });
    },
    async showHead(back = 0) {
      const block = chain.blocks.at(-1 - back);
      if (block === undefined) return;
      await follower
        .follow(headerSchema.parse(headerBody(block, logsOf(block))), signal)
        .catch((error: unknown) => {
          if (!(error instanceof RpcFault)) throw error;
        });
    },
    /** The fills of the chain as it is, by reading it whole. */
    async finalFills(): Promise<readonly string[]> {
      manners.lagBlocks = 0;
      failing = 0;
      const keys: string[] = [];
      for await (const { fills } of reader.range(0, chain.head.number, signal))
        keys.push(...fills.map(({ key }) => key));
      return keys;
    },
  };
}

test('whatever the order of heads, failures, lagging answers and reorganisations, each fill of the final chain is passed on exactly once, and exactly those that vanished are taken back', async () => {
  await fc.assert(
    fc.asyncProperty(tapeSchema, stepsSchema, async (tape, steps) => {
      const run = harness(tape);
      await run.showHead();
      for (const one of steps) {
        if (one.kind === 'live' || one.kind === 'pass') run.pass(one.seconds);
        if (one.kind === 'outage') run.pass(one.seconds * 25);
        if (one.kind === 'live') await run.showHead();
        if (one.kind === 'head') await run.showHead(one.back);
        if (one.kind === 'fail') run.fail(one.calls);
        if (one.kind === 'lag') run.manners.lagBlocks = one.lag;
        if (one.kind === 'learn') run.learn(tokenNo(one.token));
        if (one.kind === 'reorganise') run.reorganise(one);
      }
      run.manners.lagBlocks = 0;
      run.fail(0);
      for (let token = 0; token < TOKENS; token++) run.learn(tokenNo(token));
      for (let minute = 0; minute < 12; minute++) {
        run.pass(60);
        await run.showHead();
      }
      const final = await run.finalFills();
      const { handed, removed } = run;
      const gone = new Set(removed);
      expect(new Set(handed).size).toBe(handed.length);
      expect(gone.size).toBe(removed.length);
      expect(removed.filter((key) => !handed.includes(key))).toEqual([]);
      expect(handed.filter((key) => !gone.has(key)).toSorted()).toEqual(final.toSorted());
    }),
    { numRuns: 15 },
  );
});
