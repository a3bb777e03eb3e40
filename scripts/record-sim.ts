import { numberOf } from '../src/cli/command.ts';
import { alignColumns } from '../src/cli/terminal.ts';
import { DAY_MS, HOUR_MS } from '../src/core/base/time/duration.ts';
import { type Offer, oneAtATime, playBets } from '../src/core/record/bettor.ts';
import { seededRandom } from '../test/support/random.ts';
import { readOptions } from './command-line.ts';

const HELP = `npm run record-sim -- [--worlds N]: simulates N worlds of each kind (4000), and a tenth as many with an effect, and
counts what the record's bettor says of them. Ends with 1 when it calls more than 2 % of the fair worlds of a kind unfair.`;

const THRESHOLD = 50;
const BETS = 200;
/** Offers come so often that a bettor with one bet at a time always finds one. */
const OFFER_EVERY_MS = 10 * HOUR_MS;
const STEPS_A_DAY = 6;

/** What is true in a simulated world. Prices are USDC a share of the outcome that alerts buy. */
interface World {
  readonly name: string;
  /** Prices creep up and crash in 2 % of days, instead of moving in small steps. */
  readonly isFavourite: boolean;
  /** What the price moves by in the 24 hours after the alert of an event. */
  readonly driftOf: (event: number) => number;
  /** Orders are so rare that prices are late, missing or unknown. */
  readonly isThin: boolean;
  /** Markets are settled within two days of an alert, at dates fixed before. */
  readonly isShort: boolean;
}

const FAIR: World = {
  name: 'moves up and down alike',
  isFavourite: false,
  driftOf: () => 0,
  isThin: false,
  isShort: false,
};
const FAIR_WORLDS: readonly World[] = [
  FAIR,
  { ...FAIR, name: 'favourites', isFavourite: true },
  { ...FAIR, name: 'late, missing and unknown prices', isThin: true },
  { ...FAIR, name: 'settled within two days', isShort: true },
];
const PLANTED_WORLDS: readonly World[] = [
  { ...FAIR, name: '+3¢', driftOf: () => 0.03 },
  { ...FAIR, name: '+2¢', driftOf: () => 0.02 },
  { ...FAIR, name: '+10¢ in a quarter', driftOf: (event) => (event % 4 === 0 ? 0.1 : 0) },
];

const options = readOptions(HELP, { worlds: '4000' });
const worlds = numberOf('--worlds', options.worlds, [1, 1e6]);
if (!printFair(worlds)) process.exitCode = 1;
printPlanted(Math.ceil(worlds / 10));

function printFair(count: number): boolean {
  const shares = FAIR_WORLDS.map((world) => {
    const runs = Array.from({ length: count }, (_, index) => play(world, index + 1, BETS));
    const of = (side: 'bought' | 'sold') => runs.filter((run) => run[side].reachedAt !== null).length / count;
    return { name: world.name, above: of('bought'), below: of('sold') };
  });
  const rows = shares.map(({ name, above, below }) => [name, percent(above), percent(below)]);
  console.log(`${count} fair worlds of each kind, ${BETS} bets, looked at after each`);
  console.log(alignColumns([['', 'above', 'below'], ...rows]).join('\n'));
  return shares.every(({ above, below }) => above <= 1 / THRESHOLD && below <= 1 / THRESHOLD);
}

function printPlanted(count: number): void {
  const rows = PLANTED_WORLDS.map((world) => {
    const needed = Array.from({ length: count }, (_, index) => {
      const { played, bought } = play(world, index + 1, 5 * BETS);
      return 1 + played.findIndex(({ closedAt }) => closedAt === bought.reachedAt);
    });
    const found = needed.filter((bets) => bets > 0).toSorted((a, b) => a - b);
    const by = [100, 200, 300].map((bets) => percent(found.filter((each) => each <= bets).length / count));
    return [world.name, String(found[Math.floor(found.length / 2)] ?? '-'), ...by];
  });
  console.log(`\n${count} worlds with an effect of each kind`);
  console.log(alignColumns([['', 'median bets', 'by 100', 'by 200', 'by 300'], ...rows]).join('\n'));
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}

function play(world: World, seed: number, bets: number) {
  const random = seededRandom(seed);
  const offers = Array.from({ length: 4 * bets }, (_, id) => offerOf(world, id, random));
  const played = oneAtATime(offers.filter((offer) => offer !== null)).slice(0, bets);
  return { ...playBets(played, { threshold: THRESHOLD }), played };
}

function offerOf(world: World, id: number, random: () => number): Offer | null {
  const { isFavourite, driftOf, isThin, isShort } = world;
  const start = isFavourite ? 0.8 + 0.12 * random() : 0.3 + 0.4 * random();
  const late = isThin && random() < 0.3 ? -2 * Math.log(1 - random()) : 0;
  const days = isShort ? Math.min(1, 2 * random()) : 1 + late;
  const pass = isFavourite ? creptOrCrashed : stepped;
  let end = start;
  for (let step = 0; step < STEPS_A_DAY; step += 1) end = pass(end, days, random);
  const later = Math.min(0.995, end + driftOf(id));
  const value = isShort && days < 1 ? Number(random() < later) : later;
  const openedAt = id * OFFER_EVERY_MS;
  const closedAt = openedAt + Math.max(1_000, Math.floor(days * DAY_MS));
  if (isThin && random() < 0.3) return null;
  return { id, openedAt, price: start, closedAt: isThin && random() < 0.05 ? null : closedAt, value };
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
