/**
 * Turns the midterms CSV files into a tape: `node scripts/build-midterms-tape.ts FOLDER OUT.jsonl.gz`.
 * The same files always give the same bytes. data/tapes/README.md describes what is derived, and how.
 */
import { hash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { parseCsv } from './csv.ts';
import { describeMarket, type TapeMarket } from './midterms-markets.ts';

const [folder, out] = process.argv.slice(2);
if (folder === undefined || out === undefined) {
  console.error(
    'usage: node scripts/build-midterms-tape.ts FOLDER-WITH-trades.csv-AND-markets.csv OUT.jsonl.gz',
  );
  process.exit(2);
}

const HEADER = {
  tape: {
    name: 'midterms-2022',
    history: 'complete',
    note: 'Every trade of 39 US 2022 midterm markets; origin and derived fields: data/tapes/README.md.',
  },
};

interface TimedLine {
  readonly at: number;
  readonly text: string;
}

const trades = readCsv(folder, 'trades.csv');
const marketRows = readCsv(folder, 'markets.csv');
const markets = new Map(
  marketRows.map((row) => [field(row, 'market'), describeMarket(field(row, 'market'), outcomesOf(row))]),
);
// Market rows come first, so that they precede the trades of their second: the sort is stable.
const starts = marketRows.map((row) => startLine(row));
const ends = marketRows.map((row) => resolutionLine(row));
const fills = trades.flatMap((row, index) => tradeLine(row, index + 1) ?? []);
const lines = [...starts, ...ends, ...fills].toSorted((a, b) => a.at - b.at);
const text = `${[JSON.stringify(HEADER), ...lines.map((line) => line.text)].join('\n')}\n`;
const bytes = gzipSync(text, { level: 9, memLevel: 9 });
bytes[9] = 255; // The header's operating system: unknown, so that every platform writes the same bytes.
writeFileSync(out, bytes);
report();

function tradeLine(row: Record<string, string>, number: number): TimedLine | null {
  const market = markets.get(field(row, 'market'));
  if (market === undefined) throw new Error(`trade ${number} is of a market that markets.csv does not name`);
  const size = numberOf(row, 'shares');
  if (size <= 0) return null;
  const timestamp = numberOf(row, 'timestamp');
  const outcomeIndex = market.outcomes.indexOf(field(row, 'outcome'));
  const trade = {
    proxyWallet: walletOf(field(row, 'wallet')),
    side: field(row, 'side'),
    asset: market.tokenIds[outcomeIndex],
    conditionId: market.conditionId,
    size,
    price: priceOf(row, size),
    timestamp,
    title: market.question,
    slug: market.slug,
    eventSlug: market.eventSlug,
    outcome: market.outcomes[outcomeIndex],
    outcomeIndex,
    transactionHash: transactionOf(number),
  };
  return { at: timestamp, text: JSON.stringify(trade) };
}

/** Half a hash, which keeps the file small; the zeros show that it is not from the chain. */
function transactionOf(number: number): string {
  return `0x${'0'.repeat(32)}${hash('sha256', String(number)).slice(0, 32)}`;
}

/** Below 1 USDC the cents of `usdc` are coarser than the price column. */
function priceOf(row: Record<string, string>, size: number): number {
  const usdc = numberOf(row, 'usdc');
  return usdc < 1 ? numberOf(row, 'price') : exactPrice(usdc, size);
}

/** The shortest price at which `size` shares cost `usdc`: in doubles never less, and less than 0.0001 more. */
function exactPrice(usdc: number, size: number): number {
  for (let digits = 4; digits <= 15; digits++) {
    const units = Math.ceil((usdc / size) * 10 ** digits);
    for (const price of [units, units + 1].map((count) => Number((count / 10 ** digits).toFixed(digits)))) {
      if (size * price >= usdc && size * price < usdc + 0.0001) return price;
    }
  }
  throw new Error(`no price makes ${size} shares cost ${usdc} USDC`);
}

/** Two rows have a user's name instead of an address; a name still identifies one wallet. */
function walletOf(wallet: string): string {
  return /^0x[0-9a-f]{40}$/.test(wallet) ? wallet : `0x${hash('sha256', wallet).slice(0, 40)}`;
}

function startLine(row: Record<string, string>): TimedLine {
  const at = numberOf(row, 'first_trade');
  const market = tapeMarket(row);
  const prices = market.outcomes.map(() => String(1 / market.outcomes.length));
  return { at, text: JSON.stringify({ ...gammaFields(market, prices), closed: false, at }) };
}

/** The files have no time of settlement: one second after the market's last trade is used. */
function resolutionLine(row: Record<string, string>): TimedLine {
  const at = numberOf(row, 'last_trade') + 1;
  const market = tapeMarket(row);
  const winner = field(row, 'winner');
  if (!market.outcomes.includes(winner)) throw new Error(`${market.slug} has no outcome "${winner}"`);
  const prices = market.outcomes.map((outcome) => (outcome === winner ? '1' : '0'));
  const closedTime = new Date(at * 1_000).toISOString().replace(/T(.{8}).*/, ' $1+00');
  const settled = { closed: true, closedTime, umaResolutionStatus: 'resolved', at };
  return { at, text: JSON.stringify({ ...gammaFields(market, prices), ...settled }) };
}

function gammaFields(market: TapeMarket, prices: readonly string[]) {
  return {
    conditionId: market.conditionId,
    question: market.question,
    slug: market.slug,
    outcomes: JSON.stringify(market.outcomes),
    clobTokenIds: JSON.stringify(market.tokenIds),
    outcomePrices: JSON.stringify(prices),
    endDate: '2022-11-08T23:59:59Z',
    category: 'Politics',
    tags: [{ slug: 'politics' }, { slug: 'elections' }],
    events: [{ slug: market.eventSlug, title: market.eventTitle }],
  };
}

function report(): void {
  const zero = trades.filter((row) => numberOf(row, 'shares') === 0).length;
  const cheap = fills.length - trades.filter((row) => numberOf(row, 'usdc') >= 1).length;
  const named = trades.filter((row) => walletOf(field(row, 'wallet')) !== field(row, 'wallet')).length;
  console.log(`trades read            ${trades.length}`);
  console.log(`left out, shares 0     ${zero}`);
  console.log(`left out, other        ${trades.length - fills.length - zero}`);
  console.log(`trade rows             ${fills.length}`);
  console.log(`  below 1 USDC         ${cheap}`);
  console.log(`  wallet from a name   ${named}`);
  console.log(
    `wallets                ${new Set(fills.map((line) => JSON.parse(line.text).proxyWallet)).size}`,
  );
  console.log(`market rows            ${starts.length + ends.length} of ${markets.size} markets`);
  console.log(`bytes                  ${bytes.length} (${Buffer.byteLength(text)} unpacked)`);
  console.log(`sha256                 ${hash('sha256', bytes)}`);
  console.log(`sha256 unpacked        ${hash('sha256', text)}`);
}

function readCsv(from: string, file: string): Record<string, string>[] {
  return parseCsv(readFileSync(join(from, file), 'utf8'));
}

function tapeMarket(row: Record<string, string>): TapeMarket {
  return markets.get(field(row, 'market')) as TapeMarket;
}

function outcomesOf(row: Record<string, string>): string[] {
  return field(row, 'outcomes').split('|');
}

function field(row: Record<string, string>, name: string): string {
  const value = row[name];
  if (value === undefined || value === '') throw new Error(`a row has no ${name}: ${JSON.stringify(row)}`);
  return value;
}

function numberOf(row: Record<string, string>, name: string): number {
  const value = Number(field(row, name));
  if (!Number.isFinite(value)) throw new Error(`${name} is no number: ${JSON.stringify(row)}`);
  return value;
}
