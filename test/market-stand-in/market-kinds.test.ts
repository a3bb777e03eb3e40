import { expect, test } from 'vitest';
import { generatedTape } from '../support/market/generated-tape.ts';
import { tapeOf } from '../support/market/market-tape.ts';
import { openMarket } from '../support/market/open-market.ts';
import { withProtocolV2 } from '../support/market/protocol-v2-tape.ts';
import { conditionNo, smallTape, TAPE_START_S, walletNo } from '../support/market/small-tape.ts';
import { V2_ID, V2_ID_OF_GAMMA, V2_POSITIONS } from '../support/polymarket/protocol-v2.ts';

/** The small tape with its market 1 in Protocol V2. */
function tapeWithV2() {
  const { markets, trade } = smallTape(100);
  const v2 = { version: 'v2', conditionId: V2_ID, clobTokenIds: JSON.stringify(V2_POSITIONS) };
  const rows = markets.map((row) => (row.conditionId === conditionNo(1) ? { ...row, ...v2 } : row));
  return tapeOf([...rows, ...Array.from({ length: 100 }, (_, n) => ({ ...trade(n) }))]);
}

const idsOf = ({ body }: { body: { markets: readonly { conditionId: string }[] } }) =>
  body.markets.map(({ conditionId }) => conditionId);

test('one market in three is made one of Protocol V2, with its trades, and the rest stays', () => {
  const tape = generatedTape({ trades: 2_000, perSecond: 10, start: TAPE_START_S, markets: 300 });
  const mixed = withProtocolV2(tape, 1 / 3);
  const v2 = mixed.markets.filter(({ version }) => version === 'v2');
  expect(v2.length).toBeGreaterThan(80);
  expect(v2.length).toBeLessThan(120);
  expect(new Set(mixed.markets.map(({ conditionId }) => conditionId)).size).toBe(300);
  for (const { conditionId } of v2) expect(conditionId).toMatch(/^0x01[0-9a-f]{32}0{30}$/);
  const byId = new Map(mixed.markets.map((market) => [market.conditionId, market]));
  for (let index = 0; index < 200; index++) {
    const { conditionId, asset, size } = mixed.trade(index);
    expect([mixed.conditionOf(index), size]).toEqual([conditionId, tape.trade(index).size]);
    expect(String(byId.get(conditionId)?.['clobTokenIds'])).toContain(`"${asset}"`);
  }
});

test('the ids of a market of Protocol V2 are as those of the market: tokens are its id with the outcome as last byte', () => {
  expect(V2_POSITIONS).toEqual([String(BigInt(V2_ID)), String(BigInt(V2_ID) + 1n)]);
});

test.each([
  ['short', [1, 0]],
  ['long', [0, 1]],
  ['both', [1, 1]],
] as const)(
  'Gamma that finds %s ids of Protocol V2 finds %o by 62 and by 64 digits',
  async (finds, found) => {
    const { get } = await openMarket({ tape: tapeWithV2(), gammaFinds: finds });
    const by = async (id: string) => idsOf(await get('/markets/keyset', { condition_ids: id }));
    const answers = [await by(V2_ID_OF_GAMMA), await by(V2_ID)];
    expect(answers.map(({ length }) => length)).toEqual(found);
    expect(new Set(answers.flat())).toEqual(new Set([V2_ID_OF_GAMMA]));
  },
);

test('Gamma finds markets by the tokens of both kinds, and writes each kind as it does', async () => {
  const { get, market } = await openMarket({ tape: tapeWithV2() });
  market.revealUntil(TAPE_START_S * 1_000);
  const query = { clob_token_ids: `${V2_POSITIONS[1]},01,02,404` };
  const { body } = await get('/markets/keyset', query);
  expect(body.markets).toMatchObject([
    { version: 'v2', conditionId: V2_ID_OF_GAMMA, clobTokenIds: null, positionIds: V2_POSITIONS },
    { version: 'v1', conditionId: conditionNo(0), clobTokenIds: '["01","02"]' },
  ]);
  expect(body.markets[1]).not.toHaveProperty('positionIds');
});

test('Gamma may have no row of a market, by whatever it is asked for', async () => {
  const { get } = await openMarket({ withoutGamma: 1 });
  for (const query of [{ condition_ids: conditionNo(1) }, { clob_token_ids: '11' }, {}])
    expect(idsOf(await get('/markets/keyset', query))).toEqual([]);
  expect((await get('/v2/resolutions', { condition: conditionNo(1) })).body.data).toHaveLength(1);
});

test('one id of 62 digits makes the whole request for resolutions a 400', async () => {
  const { get } = await openMarket({ tape: tapeWithV2() });
  const { status, body } = await get('/v2/resolutions', { condition: `${conditionNo(0)},${V2_ID_OF_GAMMA}` });
  expect([status, body.error]).toEqual([400, `invalid resolution condition id: ${V2_ID_OF_GAMMA}`]);
  const both = await get('/v2/resolutions', { condition: `${conditionNo(0)},${V2_ID}` });
  expect(both.body.data).toMatchObject([{ status: 'resolved' }, { status: 'active', market_type: 'BINARY' }]);
});

/** Of 100 wallets, those that a share left without. */
async function undated(profile: Parameters<typeof openMarket>[0]) {
  const { markets, trade } = smallTape(100);
  const trades = Array.from({ length: 100 }, (_, n) => ({ ...trade(n), proxyWallet: walletNo(n) }));
  const { get } = await openMarket({ ...profile, tape: tapeOf([...markets, ...trades]) });
  const found = { joinDate: new Set<number>(), profileDate: new Set<number>(), profile: new Set<number>() };
  for (let n = 0; n < 100; n++) {
    const stats = await get('/v2/user-stats', { user: walletNo(n) });
    if (stats.body.data.join_date === null) found.joinDate.add(n);
    const { status, body } = await get('/public-profile', { address: walletNo(n) });
    if (status === 404) found.profile.add(n);
    else if (body.createdAt === null) found.profileDate.add(n);
  }
  return found;
}

test('shares of wallets have no join date, no date in their profile, and no profile, the same wallets each time', async () => {
  const shares = { withoutJoinDate: 0.6, withoutProfileDate: 0.4, withoutProfile: 0.2 };
  const { joinDate, profileDate, profile } = await undated(shares);
  expect(joinDate.size).toBeGreaterThan(45);
  expect(joinDate.size).toBeLessThan(75);
  expect(profile.size).toBeGreaterThan(8);
  expect(profileDate.size).toBeGreaterThan(8);
  for (const without of [profile, profileDate]) expect([...without].every((n) => joinDate.has(n))).toBe(true);
  expect(await undated(shares)).toEqual({ joinDate, profileDate, profile });
  expect((await undated({})).joinDate.size).toBe(0);
});

test.each(['404', '410', '503'] as const)(
  'activity may be refused with %s, and nothing else',
  async (kind) => {
    const { get } = await openMarket({ faults: [{ kind, path: '/v2/activity' }] });
    const of = { user: walletNo(1) };
    const asked = ['/v2/activity', '/v2/user-stats', '/v2/trades'].map((path) => get(path, of));
    expect((await Promise.all(asked)).map(({ status }) => status)).toEqual([Number(kind), 200, 200]);
  },
);
