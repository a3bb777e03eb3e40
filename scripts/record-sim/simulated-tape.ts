import { rounded } from '../../src/core/base/rounded.ts';
import { DAY_MS, SECOND_MS } from '../../src/core/base/time/duration.ts';
import { DAY_S, type PlannedEvent, type PlannedMarket, planEvent, START_S } from './simulated-event.ts';
import { OLD_WALLET_NUMBERS, type SimulatedOrder, simulateMarket } from './simulated-market.ts';
import { driftOf, type World } from './worlds.ts';

/** As most markets' (docs/method.md); a tenth of the simulated ones state none. */
const FEE_RATE = 0.04;
const FEES_UNKNOWN_EVERY = 10;
/** Days that a fresh wallet existed before its first order, and markets it had traded. */
const FRESH_DAYS_MOST = 10;
const FRESH_MARKETS_MOST = 4;

export interface Simulation {
  readonly world: World;
  readonly seed: number;
  readonly events: number;
}

export interface SimulatedTape {
  readonly lines: readonly string[];
  /** The first day of the plan: `YYYY-MM-DD`. */
  readonly startsAt: string;
}

interface Line {
  readonly at: number;
  readonly row: object;
}

export function simulatedTape({ world, seed, events }: Simulation): SimulatedTape {
  const planned = Array.from({ length: events }, (_, no) => planEvent(seed, no, world));
  const lines = [
    ...OLD_WALLET_NUMBERS.map((no) => oldWallet(no)),
    ...planned.flatMap((event) => linesOf(seed, event, world)),
  ].sort((a, b) => a.at - b.at);
  const end = Math.max(...planned.map(({ settlesAt }) => settlesAt));
  const endsAt = Math.ceil(end / DAY_S) * DAY_S + 2 * DAY_S;
  // The record of a day is closed by what comes after it.
  const closing = [oldWallet(0, endsAt + DAY_S), { at: 0, row: { close: endsAt + DAY_S } }];
  const header = { tape: { name: `${world.name}-${seed}`, history: 'partial' } };
  return {
    lines: [header, ...[...lines, ...closing].map(({ row }) => row)].map((row) => JSON.stringify(row)),
    startsAt: dayOf(START_S),
  };
}

function linesOf(seed: number, event: PlannedEvent, world: World): readonly Line[] {
  return event.markets.flatMap((market) => {
    const { orders, winner } = simulateMarket(seed, market, { world, drift: driftOf(world, event.no) });
    const known = new Set<number>();
    const lines = orders.flatMap((order, index): Line[] => {
      const { wallet, at } = order;
      const isNew = wallet.kind === 'fresh' && !known.has(wallet.no);
      if (isNew) known.add(wallet.no);
      return [...(isNew ? [freshWallet(wallet.no, at)] : []), ...fillsOf(event, market, order, index)];
    });
    return [
      marketRow(event, market, { at: market.from, winner: null }),
      ...lines,
      marketRow(event, market, { at: event.settlesAt, winner }),
    ];
  });
}

function marketRow(
  event: PlannedEvent,
  { no }: PlannedMarket,
  { at, winner }: { readonly at: number; readonly winner: 0 | 1 | null },
): Line {
  const prices = winner === null ? ['0.5', '0.5'] : winner === 0 ? ['1', '0'] : ['0', '1'];
  const fees =
    no % FEES_UNKNOWN_EVERY === 0 ? {} : { feesEnabled: true, feeSchedule: { rate: FEE_RATE, exponent: 1 } };
  return {
    at,
    row: {
      ...{ conditionId: marketId(no), question: titleOf(event, no), slug: `motion-${no}` },
      ...{ outcomes: ['Yes', 'No'], clobTokenIds: [tokenOf(no, 0), tokenOf(no, 1)], outcomePrices: prices },
      endDate: new Date(event.settlesAt * SECOND_MS).toISOString(),
      tags: event.tags.map((slug) => ({ slug })),
      events: [{ slug: eventSlug(event), title: `Session ${event.no}` }],
      ...{ closed: winner !== null, ...fees, at },
    },
  };
}

function fillsOf(
  event: PlannedEvent,
  { no }: PlannedMarket,
  { at, wallet, side, outcome, fills }: SimulatedOrder,
  index: number,
): readonly Line[] {
  return fills.map(({ price, usdc }) => ({
    at,
    row: {
      ...{ proxyWallet: walletOf(wallet), side, asset: tokenOf(no, outcome), conditionId: marketId(no) },
      ...{ size: rounded(usdc / price, 2), price, timestamp: at },
      ...{ title: titleOf(event, no), slug: `motion-${no}`, eventSlug: eventSlug(event) },
      ...{ outcome: outcome === 0 ? 'Yes' : 'No', outcomeIndex: outcome },
      ...{ transactionHash: `0x${hex(no, 32)}${hex(index, 32)}`, role: 'taker' },
    },
  }));
}

function oldWallet(no: number, at = START_S): Line {
  const createdAt = new Date((START_S - 700 * DAY_S) * SECOND_MS).toISOString();
  return { at, row: { proxyWallet: walletOf({ kind: 'old', no }), createdAt, traded: 50, at } };
}

function freshWallet(no: number, at: number): Line {
  const age = (0.2 + (no % FRESH_DAYS_MOST)) * DAY_MS;
  const createdAt = new Date(at * SECOND_MS - age).toISOString();
  const traded = no % FRESH_MARKETS_MOST;
  return { at, row: { proxyWallet: walletOf({ kind: 'fresh', no }), createdAt, traded, at } };
}

function walletOf({ kind, no }: SimulatedOrder['wallet']): string {
  return `0x${kind === 'old' ? '01' : '02'}${hex(no, 38)}`;
}

function marketId(no: number): string {
  return `0x${hex(no + 1, 64)}`;
}

function tokenOf(no: number, outcome: 0 | 1): string {
  return `${1_000_000 + 2 * no + outcome}`;
}

function titleOf({ no }: PlannedEvent, market: number): string {
  return `Will motion ${market} of session ${no} pass?`;
}

function eventSlug({ no }: PlannedEvent): string {
  return `session-${no}`;
}

function hex(no: number, digits: number): string {
  return no.toString(16).padStart(digits, '0');
}

function dayOf(second: number): string {
  return new Date(second * SECOND_MS).toISOString().slice(0, 10);
}
