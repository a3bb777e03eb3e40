import { expect, test } from 'vitest';
import type { CdnMode } from '../support/market/cdn.ts';
import { type MarketTape, tapeOf } from '../support/market/market-tape.ts';
import { smallTape, TAPE_START_S } from '../support/market/small-tape.ts';
import { type WatchedMarket, watchMarket } from '../support/market/watched-market.ts';

/** The service starts when the market has traded for two minutes. */
const START = (TAPE_START_S + 120) * 1_000;

const SECONDS = 700;
/** Each trade is parsed again in every page that is listed after it. */
const EVERY_S = 4;

/** Trades too small for facts to be asked for, to the end. */
function steadyTape(): MarketTape {
  const { markets, trade } = smallTape(SECONDS);
  const small = Array.from({ length: SECONDS / EVERY_S }, (_, n) => ({ ...trade(n * EVERY_S), size: 4 }));
  return tapeOf([...markets.filter(({ closed }) => closed === false), ...small]);
}

/** Behind a CDN, and with a live stream that shows nothing. */
async function watched(cdn: CdnMode): Promise<WatchedMarket> {
  const service = await watchMarket(steadyTape(), START, { cdn });
  service.strike({ kind: 'freeze' });
  return service;
}

/** How long after its time the newest trade that was taken is, in ms. */
async function delayMs({ now, judged }: WatchedMarket): Promise<number> {
  const seconds = (await judged()).map((transaction) => Number(transaction.slice(2)));
  return now() - (TAPE_START_S + Math.max(...seconds)) * 1_000;
}

async function isBack(service: WatchedMarket): Promise<boolean> {
  const { windows } = (await service.named()).coverage;
  return windows[0]?.backfilled === true && (await delayMs(service)) < 20_000;
}

test('a CDN that keeps each URL for 300 s holds back no trade', async () => {
  const service = await watched('by-url');
  let longest = 0;
  await service.pass(5_000);
  for (let passed = 0; passed < 320; passed += 5) {
    await service.pass(5_000);
    longest = Math.max(longest, await delayMs(service));
  }
  // Six seconds on a machine that is not busy.
  expect(longest).toBeLessThan(20_000);
});

test('answers from the cache confirm nothing beyond Date minus Age: the feed is blind, stalled, and loses nothing', async () => {
  const service = await watched('off');
  await service.pass(20_000);
  expect((await service.named()).readyz.checks.feed.state).toBe('live');
  service.market.cdn.mode = 'ignores-unused';
  await service.pass(2_000);
  const ahead: number[] = [];
  const feeds: unknown[] = [];
  for (let passed = 0; passed < 280; passed += 5) {
    await service.pass(5_000);
    const { coverage, readyz } = await service.named();
    const asOf = service.market.cdn.asOf('/v2/trades') as number;
    ahead.push(Date.parse(coverage.confirmed_until) - asOf);
    feeds.push(readyz.checks.feed);
  }
  // The list itself lags 11 s; `Date` is a whole second.
  expect(Math.max(...ahead)).toBeLessThanOrEqual(-10_000);
  for (const feed of feeds.slice(5)) expect(feed).toMatchObject({ state: 'blind', cause: 'stalled' });

  service.market.cdn.mode = 'off';
  for (let passed = 0; passed < 120 && !(await isBack(service)); passed += 5) await service.pass(5_000);
  const { readyz, coverage } = await service.named();
  expect(readyz).toMatchObject({ checks: { feed: { state: 'live' } } });
  expect(coverage.windows).toMatchObject([{ cause: 'stalled', backfilled: true }]);
  const judged = await service.judged();
  expect(judged.toSorted((a, b) => Number(a) - Number(b))).toEqual(judged.map((_, n) => `0x${n * EVERY_S}`));
});
