import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import { AS_MEASURED } from '../support/market/market-profile.ts';
import { tapeOf } from '../support/market/market-tape.ts';
import { openMarket } from '../support/market/open-market.ts';
import { conditionNo, smallTape, TAPE_START_S, walletNo } from '../support/market/small-tape.ts';
import { V2_ID, V2_ID_OF_GAMMA, V2_POSITIONS } from '../support/polymarket/protocol-v2.ts';
import { golden } from './golden.ts';
import { shapeDifferences } from './shape.ts';

const COUNT = 200;

/** The small tape, whose market 0 is settled halfway, with two markets of Protocol V2 of which one is. */
function tape() {
  const { markets, trade } = smallTape(COUNT);
  const v2 = { ...markets[1], version: 'v2', clobTokenIds: JSON.stringify(V2_POSITIONS) };
  const settled = { closed: true, outcomePrices: '["1","0"]', at: TAPE_START_S + 50 };
  return tapeOf([
    ...markets,
    { ...markets[1], conditionId: conditionNo(2), umaResolutionStatus: 'proposed' },
    { ...v2, conditionId: V2_ID },
    { ...v2, conditionId: `0x${'01'.padEnd(64, '0')}`, ...settled },
    ...Array.from({ length: COUNT }, (_, n) => ({ ...trade(n) })),
  ]);
}

const open = () => openMarket({ ...AS_MEASURED, tape: tape(), count: COUNT });
const user = walletNo(1);

test.each([
  ['data-v2-trades', '/v2/trades', { limit: 5 }],
  ['data-v2-trades-of-market', '/v2/trades', { condition: conditionNo(1), limit: 5 }],
  ['data-v2-trades-none', '/v2/trades', { condition: conditionNo(7) }],
  ['data-v2-activity', '/v2/activity', { user, limit: 60 }],
  ['data-v2-user-stats', '/v2/user-stats', { user }],
  ['data-v2-user-stats-unknown', '/v2/user-stats', { user: walletNo(9) }],
  ['data-v2-status', '/v2/status', {}],
  [
    'data-v2-resolutions-resolved',
    '/v2/resolutions',
    { condition: `${conditionNo(0)},0x${'01'.padEnd(64, '0')}` },
  ],
  ['data-v2-error-400', '/v2/resolutions', { condition: V2_ID_OF_GAMMA }],
  ['gamma-public-profile', '/public-profile', { address: user }],
])('%s: the simulator answers %s in the same shape', async (name, path, query) => {
  const { body } = await (await open()).get(path, query);
  expect(shapeDifferences(golden(name), body)).toEqual([]);
});

test('rows of a page and an activity are labelled as the captured ones: both kinds are there', async () => {
  const { get } = await open();
  const { data } = (await get('/v2/activity', { user, limit: 60 })).body;
  const labels = (rows: readonly { outcome_index: number; event_slug: string }[]) =>
    new Set(rows.map((row) => `${row.outcome_index === 999} ${row.event_slug === ''}`));
  expect(labels(data)).toEqual(labels(golden('data-v2-activity').data));
  expect(labels((await get('/v2/trades')).body.data)).toEqual(labels(golden('data-v2-trades').data));
});

test('resolutions that are open have the fields of the captured ones, but for the expected time', async () => {
  const { get } = await open();
  const { body } = await get('/v2/resolutions', { condition: `${conditionNo(2)},${V2_ID}` });
  const [uma, v2] = golden('data-v2-resolutions-open').data;
  const { expected_settlement_time: _, settlement_time_basis: __, ...rest } = uma;
  expect(shapeDifferences({ data: [rest, v2] }, body)).toEqual([]);
  expect(body.data.map(({ status }: { status: string }) => status)).toEqual(['proposed', 'active']);
});

test('a request above a limit is refused in the documented shape', async () => {
  const { get } = await open();
  for (let n = 0; n < 100; n++) await get('/v2/status');
  const { status, body } = await get('/v2/status');
  expect(status).toBe(429);
  expect(shapeDifferences(golden('data-v2-error-429'), body)).toEqual([]);
});

test('Gamma’s pages and markets have no field that the captured ones have not, and those that are read', async () => {
  const { get } = await open();
  const query = { limit: 1, include_tag: 'true' };
  const page = (await get('/markets/keyset', query)).body;
  const { markets, ...envelope } = golden('gamma-markets-keyset');
  expect(
    shapeDifferences(envelope, { ...page, markets: undefined }).filter(
      (text) => !text.startsWith('.markets'),
    ),
  ).toEqual([]);
  const [v1] = page.markets;
  const unlike = shapeDifferences(markets[0], v1).filter((text) => !text.endsWith('is missing'));
  expect(unlike).toEqual([]);
  const read = ['conditionId', 'question', 'slug', 'outcomes', 'version', 'clobTokenIds', 'outcomePrices'];
  expect(Object.keys(v1)).toEqual(expect.arrayContaining([...read, 'closed', 'tags', 'volume24hr']));
  const [v2] = (await get('/markets/keyset', { condition_ids: V2_ID_OF_GAMMA })).body.markets;
  const wanted = shapeDifferences(golden('gamma-market-v2'), v2).filter(
    (text) => !text.endsWith('is unknown'),
  );
  expect(wanted).toEqual([]);
  expect(v2.conditionId).toHaveLength(golden('gamma-market-v2').conditionId.length);
});

/** The frames of a stream over the tape's last second, from when it is open. */
async function framesOf(path: string, subscription: object): Promise<readonly string[]> {
  const { market, get } = await open();
  market.revealUntil((TAPE_START_S + 49) * 1_000);
  market.streams.look();
  const socket = new WebSocket(`${market.settings['POLYMARKET_STREAM_URL']}${path}`);
  onTestFinished(() => socket.terminate());
  const frames: string[] = [];
  socket.on('message', (data) => frames.push(String(data)));
  await once(socket, 'open');
  socket.send(JSON.stringify(subscription));
  await get('/v2/status');
  market.revealUntil((TAPE_START_S + 55) * 1_000);
  market.streams.look();
  while (!frames.some((frame) => frame !== '')) await once(socket, 'message');
  return frames.filter((frame) => frame !== '');
}

test.each([
  ['rtds-trades', 'trades'],
  ['rtds-orders-matched', 'orders_matched'],
])('%s: the simulator’s frames have the same shape', async (name, type) => {
  const subscription = { action: 'subscribe', subscriptions: [{ topic: 'activity', type }] };
  const [frame] = await framesOf('/', subscription);
  const { payload, ...envelope } = JSON.parse(frame ?? '');
  expect(shapeDifferences(golden(name), { payload, ...envelope })).toEqual([]);
  expect([envelope.topic, envelope.type]).toEqual(['activity', type]);
});

test('clob-market-resolved: the simulator’s event has the same shape', async () => {
  const subscription = { assets_ids: [V2_POSITIONS[0]], type: 'market', custom_feature_enabled: true };
  const [frame] = await framesOf('/ws/market', subscription);
  expect(shapeDifferences(golden('clob-market-resolved'), JSON.parse(frame ?? ''))).toEqual([]);
});
