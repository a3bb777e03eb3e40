import { setImmediate } from 'node:timers/promises';
import { type CheckResult, examineMarket } from '../../../../../src/infra/market/polymarket/doctor/doctor.ts';
import { createFakeClock } from '../../../../support/clock.ts';
import { startChainNode } from '../../../../support/market/chain-node.ts';
import type { Fault } from '../../../../support/market/faults.ts';
import { generatedTape } from '../../../../support/market/generated-tape.ts';
import { AS_MEASURED, type MarketProfile } from '../../../../support/market/market-profile.ts';
import { startMarket, type Tampering } from '../../../../support/market/start-market.ts';

const STEP_MS = 100;
/** Turns of the loop between two steps of the clock: all ends of a request are in this process. */
const TURNS = 40;
const START_S = Date.UTC(2026, 10, 22) / 1_000;
const TAPE = generatedTape({
  trades: 20 * 400,
  perSecond: 20,
  start: START_S - 250,
  wallets: 500,
  markets: 50,
});

/** What is wrong with the market; nothing by default. */
export interface Ailment extends Tampering {
  readonly profile?: Partial<MarketProfile>;
  readonly faults?: readonly Fault[];
  readonly isOrderBookOff?: boolean;
  readonly node?: 'http' | 'ws' | null;
  readonly nodeBehindMs?: number;
  /** Address of the node; by default the simulator's. */
  readonly rpcUrl?: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test changes whatever was answered
  readonly nodeResult?: (body: { result: any }) => void;
}

export async function examine({
  profile = {},
  faults = [],
  isOrderBookOff = false,
  node = 'http',
  nodeBehindMs = 0,
  rpcUrl,
  nodeResult,
  ...tamper
}: Ailment): Promise<readonly CheckResult[]> {
  const clock = createFakeClock(START_S * 1_000);
  const market = await startMarket({
    tape: TAPE,
    clock,
    profile: { ...AS_MEASURED, ...profile },
    faults: { seed: 1, faults },
    tamper,
  });
  const { url } = market;
  const streams = market.url.replace('http', 'ws');
  const nodeClock = { now: () => market.view.now() - nodeBehindMs };
  const chain = await startChainNode({
    view: market.view,
    clock: nodeClock,
    ...(nodeResult !== undefined && { tamper: nodeResult }),
  });
  const rpcUrls = { http: chain.httpUrl, ws: chain.wsUrl };
  const examination = examineMarket({
    market: {
      dataUrl: url,
      gammaUrl: url,
      streamUrl: streams,
      clobUrl: isOrderBookOff ? streams.replace(/\d+$/, '1') : streams,
      extraExchanges: [],
      rpcUrl: node === null ? null : (rpcUrl ?? rpcUrls[node]),
    },
    clock,
    random: () => 0,
  });
  try {
    return await during(examination, async () => {
      await clock.advance(STEP_MS);
      market.streams.look();
      chain.look();
    });
  } finally {
    await Promise.all([chain.close(), market.close()]);
  }
}

/** Lets time pass until it is done, with what is asked and answered meanwhile. */
async function during<Result>(work: Promise<Result>, pass: () => Promise<void>): Promise<Result> {
  let isDone = false;
  const end = () => {
    isDone = true;
  };
  work.then(end, end);
  while (!isDone) {
    await pass();
    for (let turn = 0; turn < TURNS && !isDone; turn += 1) await setImmediate();
  }
  return work;
}
