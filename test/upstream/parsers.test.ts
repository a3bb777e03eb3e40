import { expect, onTestFinished, test } from 'vitest';
import { marketLine } from '../../src/infra/market/polymarket/markets/market-line.ts';
import { askResolutions } from '../../src/infra/market/polymarket/resolutions/resolution-answers.ts';
import { ResolutionStream } from '../../src/infra/market/polymarket/resolutions/resolution-stream.ts';
import { tradeLine } from '../../src/infra/market/polymarket/trades/trade-line.ts';
import { TradeStream } from '../../src/infra/market/polymarket/trades/trade-stream.ts';
import { createFakeClock } from '../support/clock.ts';
import { golden } from '../support/market/golden.ts';
import { silentLogger } from '../support/silent-logger.ts';
import { createQueue, startStandIn } from '../support/stream-stand-in.ts';

const NOW = Date.UTC(2026, 9, 6);
const [v1, v2] = [golden('gamma-markets-keyset').markets[0], golden('gamma-market-v2')];
const V2_ID = `${v2.conditionId}00`;

test('each captured row of trades is a trade with the values that it states', () => {
  const rows = [...golden('data-v2-trades').data, ...golden('data-v2-trades-of-market').data];
  expect(rows.map((row) => row.event_slug)).toEqual(expect.arrayContaining(['', 'election']));
  const trades = rows.map((row) => tradeLine(row, NOW));
  expect(trades).toMatchObject(
    rows.map((row) => ({
      row: {
        kind: 'trade',
        at: row.timestamp * 1_000,
        trade: {
          ...{ wallet: row.proxy_wallet, side: row.side, asset: row.token_id, marketId: row.condition_id },
          ...{ shares: row.size, price: row.price, transaction: row.transaction_hash, ordinal: 1 },
          ...{ title: row.title, outcome: row.outcome, outcomeIndex: row.outcome_index },
          eventSlug: row.event_slug || null,
        },
      },
    })),
  );
});

test('each captured frame shows that there are trades', async () => {
  for (const name of ['rtds-trades', 'rtds-orders-matched']) expect(await showsTrade(name)).toBe(true);
});

/** Runs the stream to the end of the test, and sends it the frame once it has subscribed. */
async function sendTo(
  stream: { run(signal: AbortSignal): Promise<void> },
  standIn: Awaited<ReturnType<typeof startStandIn>>,
  frame: unknown,
): Promise<void> {
  const stop = new AbortController();
  const ended = stream.run(stop.signal);
  onTestFinished(async () => {
    stop.abort();
    await ended;
  });
  const socket = await standIn.connection();
  await socket.message();
  socket.send(frame);
}

async function showsTrade(name: string): Promise<boolean> {
  const standIn = await startStandIn();
  const shown = Promise.withResolvers<boolean>();
  const stream = new TradeStream({
    ...{ url: standIn.url, clock: createFakeClock(NOW), random: () => 0, logger: silentLogger },
    metrics: { upstreamStream: () => {} },
    onTrade: () => shown.resolve(true),
  });
  await sendTo(stream, standIn, golden(name));
  return shown.promise;
}

test('a captured market of each protocol is described, under its id of 64 digits and with its tokens', () => {
  const described = [v1, v2].map(marketLine);
  expect(described).toMatchObject([
    {
      row: {
        kind: 'market',
        market: {
          ...{
            id: v1.conditionId,
            question: v1.question,
            slug: v1.slug,
            category: 'politics',
            payouts: null,
          },
          ...{ outcomes: ['Yes', 'No'], tokenIds: JSON.parse(v1.clobTokenIds), volume24h: v1.volume24hr },
          eventSlug: 'election',
        },
      },
    },
    {
      row: {
        kind: 'market',
        market: { id: V2_ID, question: v2.question, tokenIds: v2.positionIds, eventSlug: null },
      },
    },
  ]);
});

test('captured resolutions are read with their payouts, and open ones as open', async () => {
  const ask = (name: string) =>
    askResolutions(
      { get: async () => ({ body: golden(name), ageMs: 0, asOf: NOW }) },
      [v1.conditionId, V2_ID],
      new AbortController().signal,
    );
  expect([...(await ask('data-v2-resolutions-resolved'))]).toMatchObject([
    [v1.conditionId, { status: 'resolved', payouts: [1, 0] }],
    [V2_ID, { status: 'resolved', payouts: [0, 1] }],
  ]);
  expect([...(await ask('data-v2-resolutions-open'))]).toMatchObject([
    [v1.conditionId, { status: 'proposed', payouts: null }],
    [V2_ID, { status: 'active', payouts: null }],
  ]);
});

test('the event of the order book’s stream names its market', async () => {
  const event = golden('clob-market-resolved');
  const standIn = await startStandIn();
  const resolved = createQueue<string>();
  const stream = new ResolutionStream({
    ...{ url: standIn.url, clock: createFakeClock(NOW), random: () => 0, logger: silentLogger },
    metrics: { upstreamStream: () => {} },
    assets: () => event.assets_ids,
    onResolved: resolved.put,
  });
  await sendTo(stream, standIn, event);
  expect(await resolved.take()).toBe(event.market);
});
