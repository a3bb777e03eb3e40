import { numberOf } from '../src/cli/command.ts';
import { alignColumns } from '../src/cli/terminal.ts';
import { DAY_MS, HOUR_MS } from '../src/core/base/time/duration.ts';
import { type Bet, type Capital, mirrored, oneAtATime, playBets } from '../src/core/record/purses.ts';
import { seededRandom } from '../test/support/random.ts';
import { readOptions } from './command-line.ts';

const HELP = `npm run record-sim -- [--worlds N]: simulates N worlds of each kind (4000), and a tenth as many with an effect, and
counts what the record's bettors say of them. Ends with 1 when one calls more fair worlds unfair than its threshold allows.`;

const BETS = 200;
/** Alerts come so often that a bettor with one bet at a time always finds one. */
const ALERT_EVERY_MS = 10 * HOUR_MS;
const STEPS_A_DAY = 6;

/** What is true in a simulated world. Prices are USDC a share of the outcome that alerts buy. */
interface World {
  readonly name: string;
  /** The lowest and the highest price at an alert. */
  readonly prices: readonly [number, number];
  /** Prices creep up and crash in 2% of days, instead of moving in small steps. */
  readonly doCrash: boolean;
  /** What the price moves by in the 24 hours after an alert. */
  readonly driftOf: (alert: number) => number;
  /** Orders are so rare that prices are late, missing or unknown. */
  readonly isThin: boolean;
  /** Markets are settled within two days of an alert, at dates fixed before. */
  readonly isShort: boolean;
}

const FAIR: World = {
  name: 'moves up and down alike',
  prices: [0.3, 0.7],
  doCrash: false,
  driftOf: () => 0,
  isThin: false,
  isShort: false,
};
const LONG_SHOTS: World = { ...FAIR, name: 'long shots', prices: [0.06, 0.2] };
const FAIR_WORLDS: readonly World[] = [
  FAIR,
  LONG_SHOTS,
  { ...FAIR, name: 'favourites', prices: [0.8, 0.92], doCrash: true },
  { ...FAIR, name: 'late, missing and unknown prices', isThin: true },
  { ...FAIR, name: 'settled within two days', isShort: true },
];
const PLANTED_WORLDS: readonly World[] = [
  { ...FAIR, name: '+3¢', driftOf: () => 0.03 },
  { ...FAIR, name: '+2¢', driftOf: () => 0.02 },
  { ...FAIR, name: '+10¢ in a quarter', driftOf: (alert) => (alert % 4 === 0 ? 0.1 : 0) },
  { ...LONG_SHOTS, name: 'long shots, +3¢', driftOf: () => 0.03 },
];

const DAY_THRESHOLD = 50;
const PAYOUT_THRESHOLD = 200;

const options = readOptions(HELP, { worlds: '4000' });
const worlds = numberOf('--worlds', options.worlds, [1, 1e6]);
if (!printFair(worlds)) process.exitCode = 1;
printPlanted(Math.ceil(worlds / 10));

function printFair(count: number): boolean {
  const kinds = FAIR_WORLDS.map((world) => ({
    name: world.name,
    threshold: DAY_THRESHOLD,
    betsOf: (seed: number) => dayBets(world, seed, BETS),
  }));
  const events = {
    name: '80 events at once, to the payout',
    threshold: PAYOUT_THRESHOLD,
    betsOf: payoutBets,
  };
  const shares = [...kinds, events].map(({ name, threshold, betsOf }) => {
    const runs = Array.from({ length: count }, (_, index) => betsOf(index + 1));
    const shareOf = (side: (bets: readonly Bet[]) => readonly Bet[]) =>
      runs.filter((bets) => playBets(side(bets)).highest >= threshold).length / count;
    return { name, threshold, above: shareOf((bets) => bets), below: shareOf(mirrored) };
  });
  const rows = shares.map(({ name, above, below }) => [name, percent(above), percent(below)]);
  console.log(`${count} fair worlds of each kind, ${BETS} bets, looked at after each`);
  console.log(alignColumns([['', 'above', 'below'], ...rows]).join('\n'));
  return shares.every(({ threshold, above, below }) => Math.max(above, below) <= 1 / threshold);
}

function printPlanted(count: number): void {
  const rows = PLANTED_WORLDS.map((world) => {
    const needed = Array.from({ length: count }, (_, index) =>
      betsNeeded(playBets(dayBets(world, index + 1, 5 * BETS))),
    );
    const found = needed.filter((bets) => bets > 0).toSorted((a, b) => a - b);
    const by = [100, 200, 300].map((bets) => percent(found.filter((each) => each <= bets).length / count));
    return [world.name, String(found[Math.floor(found.length / 2)] ?? '-'), ...by];
  });
  console.log(`\n${count} worlds with an effect of each kind`);
  console.log(alignColumns([['', 'median bets', 'by 100', 'by 200', 'by 300'], ...rows]).join('\n'));
}

/** 0 if the threshold was not reached. */
function betsNeeded({ course }: Capital): number {
  return 1 + course.findIndex(({ capital }) => capital >= DAY_THRESHOLD);
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)}%`;
}

function dayBets(world: World, seed: number, count: number): readonly Bet[] {
  const random = seededRandom(seed);
  const bets = Array.from({ length: 4 * count }, (_, id) => dayBet(world, id, random));
  return oneAtATime(bets.filter((bet) => bet !== null)).slice(0, count);
}

function dayBet(world: World, id: number, random: () => number): Bet | null {
  const { prices, doCrash, driftOf, isThin, isShort } = world;
  const [lowest, highest] = prices;
  const start = lowest + (highest - lowest) * random();
  const late = isThin && random() < 0.3 ? -2 * Math.log(1 - random()) : 0;
  const days = isShort ? Math.min(1, 2 * random()) : 1 + late;
  const pass = doCrash ? creptOrCrashed : stepped;
  let end = start;
  for (let step = 0; step < STEPS_A_DAY; step += 1) end = pass(end, days, random);
  const later = Math.min(0.995, end + driftOf(id));
  const value = isShort && days < 1 ? Number(random() < later) : later;
  const openedAt = id * ALERT_EVERY_MS;
  const closedAt = openedAt + Math.max(1_000, Math.floor(days * DAY_MS));
  if (isThin && random() < 0.3) return null;
  return { id, openedAt, price: start, closedAt: isThin && random() < 0.05 ? null : closedAt, value };
}

/** Events that begin over a month and are settled after 1 to 30 days, each by the chance that its price states. */
function payoutBets(seed: number): readonly Bet[] {
  const random = seededRandom(seed);
  return Array.from({ length: 80 }, (_, id) => {
    const price = 0.05 + 0.9 * random();
    const openedAt = Math.floor(30 * random() * DAY_MS);
    const closedAt = openedAt + Math.floor((1 + 29 * random()) * DAY_MS);
    return { id, openedAt, price, closedAt, value: Number(random() < price) };
  });
}

/** The same amount up or down: a standard deviation of 7.1 ¢ a day, as on the midterms; less near a bound. */
function stepped(price: number, days: number, random: () => number): number {
  const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const room = Math.max(0, Math.min(price, 1 - price) - 0.03);
  return price + Math.max(-room, Math.min(room, 0.071 * Math.sqrt(days / STEPS_A_DAY) * normal));
}

/** Its mean at any later time is what it is now. */
function creptOrCrashed(price: number, days: number, random: () => number): number {
  const [chance, crashed] = [1 - Math.exp((-0.02 * days) / STEPS_A_DAY), 0.06];
  const crept = (price - chance * crashed) / (1 - chance);
  if (price <= crashed || crept > 0.985) return price;
  return random() < chance ? crashed : crept;
}
