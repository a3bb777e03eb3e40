import { describe, expect, test } from 'vitest';
import { MINUTE_MS } from '../../src/core/base/time/duration.ts';
import type { FoundExit } from '../../src/core/detection/found-exit.ts';
import { isIgnoredMarket } from '../../src/core/detection/ignored-market.ts';
import { DEFAULT_RULES, type DetectionRules } from '../../src/core/detection/rules.ts';
import type { Row } from '../../src/core/trades/trade.ts';
import { V2_ID, V2_POSITIONS } from '../support/polymarket/protocol-v2.ts';
import { seededRandom } from '../support/random.ts';
import { readTape } from '../support/read-tape.ts';
import { bothOver } from '../support/reference/compare.ts';
import { generatedTape, TRADING } from '../support/reference/generated-tape.ts';
import { isLeftOut } from '../support/reference/left-out.ts';
import { closeRow, START, tradeRow, walletRow } from '../support/rows.ts';

type Compared = ReturnType<typeof bothOver>['found'];

const countOf = (alerts: Compared, type: string) => alerts.filter((alert) => alert.type === type).length;

const ANY_PRICE: DetectionRules = {
  ...DEFAULT_RULES,
  ignore: { ...DEFAULT_RULES.ignore, priceAtMost: 0, priceAtLeast: 1 },
};

/** Facts that make every wallet of a tape new to the market an hour before its first trade, put in front. */
function withNewWallets(rows: readonly Row[]): Row[] {
  const trades = rows.flatMap((row) => (row.kind === 'trade' ? row.trade : []));
  const facts = [...Map.groupBy(trades, ({ wallet }) => wallet)].map(([wallet, theirs]) => {
    const createdAt = Math.min(...theirs.map(({ at }) => at)) - 3_600_000;
    return walletRow({ wallet, createdAt, marketsTraded: 0 });
  });
  return [...facts, ...rows];
}

/** Ten wallets and two outcomes in one second, in more fills than may be open. */
function crowdedSecond(): Row[] {
  const random = seededRandom(7);
  return Array.from({ length: 10_050 }, (_, n) => {
    const [wallet, outcome] = [`0xw${Math.floor(random() * 10)}`, random() < 0.9 ? 1 : 2];
    return tradeRow({ wallet, asset: `100${outcome}`, usdc: 1 + random(), transaction: `0xcrowd${n}` });
  });
}

describe('docs/detection.md, implemented a second time, finds the same alerts: every key, score, part and fact', () => {
  test('on the midterms tape', async () => {
    const tape = await readTape('data/tapes/midterms-2022.jsonl.gz');
    const { found, expected, exits } = bothOver(tape.rows, tape);
    expect(expected).toHaveLength(222);
    expect(found).toEqual(expected);
    expect(exits.found).toEqual(exits.expected);
    expect(exits.found.length).toBeGreaterThan(1);
  });

  test.each([
    ['the Nobel announcement day', 'nobel2025-trades.jsonl.gz', DEFAULT_RULES],
    ['the Nobel announcement day, at any price', 'nobel2025-trades.jsonl.gz', ANY_PRICE],
    ['the Maduro market after the news, at prices near 0 and 1', 'maduro2026-trades.jsonl.gz', ANY_PRICE],
  ])('on %s, with wallets that are new, newest first and oldest first', async (_name, file, rules) => {
    const { rows } = await readTape(`test/fixtures/${file}`);
    expect(bothOver(rows, { isComplete: false })).toMatchObject({ found: [], expected: [] });
    for (const sequence of [rows, rows.toSorted((a, b) => Number(a.at) - Number(b.at))]) {
      const told = bothOver(withNewWallets(sequence), { isComplete: false }, rules);
      const seen = bothOver(sequence, { isComplete: true }, rules);
      expect(told.found).toEqual(told.expected);
      expect(seen.found).toEqual(seen.expected);
      expect(told.exits.found).toEqual(told.exits.expected);
      expect(seen.exits.found).toEqual(seen.exits.expected);
      expect(Math.min(told.found.length, seen.found.length)).toBeGreaterThan(10);
    }
  });

  test('on 120,000 rows of generated tapes with late fills, repeats, close rows and facts that come when they will', () => {
    const all: Compared = [];
    for (let seed = 1; seed <= 300; seed++) {
      const tape = generatedTape(seed, 400);
      const { found, expected } = bothOver(tape.rows, tape);
      expect(found, `seed ${seed}`).toEqual(expected);
      all.push(...expected);
    }
    expect(countOf(all, 'fresh')).toBeGreaterThan(3_000);
    expect(countOf(all, 'fresh_accumulator')).toBeGreaterThan(1_000);
    expect(countOf(all, 'cluster')).toBeGreaterThan(200);
    expect(all.filter(({ title, outcome }) => title === '' || outcome === '')).toEqual([]);
    const byIds = all.filter(({ outcome }) => /^(outcome|token) /.test(outcome));
    expect(byIds.length).toBeGreaterThan(50);
  }, 120_000);

  test('on 100,000 rows of generated tapes with sales, hedges, both levels at once and clusters: every exit', () => {
    const all: FoundExit[] = [];
    for (let seed = 1; seed <= 250; seed++) {
      const tape = generatedTape(seed, 400, TRADING);
      const { found, expected, exits } = bothOver(tape.rows, tape);
      expect(found, `seed ${seed}`).toEqual(expected);
      expect(exits.found, `seed ${seed}`).toEqual(exits.expected);
      all.push(...exits.expected);
    }
    const count = (is: (exit: FoundExit) => boolean) => all.filter(is).length;
    const counts = {
      half: count(({ level }) => level === 'half'),
      out: count(({ level }) => level === 'out'),
      clusters: count(({ isCluster }) => isCluster),
      hedged: count(({ salePrice }) => salePrice === null),
    };
    expect(Math.min(...Object.values(counts))).toBeGreaterThan(20);
  }, 120_000);

  test('on a market of Protocol V2 that nothing but its tokens names', () => {
    const fill = {
      marketId: V2_ID,
      asset: V2_POSITIONS[1],
      title: '',
      slug: '',
      outcome: '',
      outcomeIndex: 999,
    };
    const { found, expected } = bothOver([tradeRow({ ...fill, usdc: 2_000 })], { isComplete: true });
    expect(expected).toMatchObject([{ title: 'market 0x017791…', outcome: 'outcome 1', outcomeIndex: 1 }]);
    expect(found).toEqual(expected);
  });

  test('in a second with more fills than may be open', () => {
    const { found, expected } = bothOver(crowdedSecond(), { isComplete: true });
    expect(expected).toHaveLength(11);
    expect(found).toEqual(expected);
  });

  test('on a late fill of the oldest order that takes one, and of the one before it', () => {
    const usdcOf = (place: number) => {
      const minute = (n: number) => START + n * MINUTE_MS;
      const buys = Array.from({ length: 40 }, (_, n) => tradeRow({ at: minute(n), usdc: 10 }));
      const late = tradeRow({ at: minute(40 - place), usdc: 2_000 });
      const { found, expected } = bothOver([...buys, closeRow(), late], { isComplete: true });
      expect(found).toEqual(expected);
      return found.map(({ usdc, buyCount }) => [usdc, buyCount]);
    };
    expect(usdcOf(32)).toEqual([[2_010, 40]]);
    expect(usdcOf(33)).toEqual([[2_000, 41]]);
  });

  test('on titles made of the words of markets that are left out', () => {
    const random = seededRandom(11);
    const pick = <T>(items: readonly T[]) => items[Math.floor(random() * items.length)] as T;
    const text = () =>
      Array.from({ length: Math.floor(random() * 8) }, () => pick(WORDS) + pick(GAPS)).join('');
    const markets = Array.from({ length: 20_000 }, () => {
      return { title: text(), slug: text(), tags: random() < 0.1 ? [pick(TAGS)] : [] };
    });
    const options = { ignorePriceMarkets: true, ignoreSports: true };
    const expected = markets.map(({ title, slug, tags }) => isLeftOut(title, slug, tags));
    expect(markets.map((market) => isIgnoredMarket(market, options))).toEqual(expected);
    expect(expected.filter((is) => is).length).toBeGreaterThan(5_000);
  });
});

const WORDS = [
  'up|Up|or|down|vote|votes|voted|updown|up-or-down|BTC-updown-15m|3pm|3PM ET|8:40PM ET|8:40|pm',
  'am|et|EST|edt|utc|12am|112pm|bitcoin|$BTC|S&P 500|sp 500|price|prices|Ethereum|éth|gold|above',
  'below|between|closes|hits|hit|over|on|May|2?|Solana|dip|3|40|November 22,|will|the',
].flatMap((line) => line.split('|'));
const GAPS = [' ', '-', ', ', ' ', '?', '  '];
const TAGS = ['Sports', 'nba', '5m', 'Hourly', 'politics', 'up-or-down', '4h', 'crypto-prices', '1H'];
