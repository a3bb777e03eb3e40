import { describe, expect, test } from 'vitest';
import { EXCHANGES } from '../../../../../src/infra/market/polymarket/chain/order-filled.ts';
import {
  type DoctorReport,
  PROBES,
  type ProbeName,
} from '../../../../../src/infra/market/polymarket/doctor/doctor-report.ts';
import type { Tampering } from '../../../../support/market/start-market.ts';
import { type Ailment, examine } from './doctor-fixture.ts';

const seenOf = ({ results }: DoctorReport) =>
  results.map(({ probe, verdict, seen }) => `${probe} ${verdict}: ${seen}`).join('\n');

const brokenRoute = (
  path: string,
  status: number,
  when: (query: URLSearchParams) => boolean = () => true,
) => ({
  answer(answer: Parameters<NonNullable<Tampering['answer']>>[0]) {
    if (answer.path === path && when(answer.query)) answer.status = status;
  },
});

let firstAsked: string | null = null;

/** Whether this is the market by which the probe of routes asks, which is the first. */
function isFirstAsked(query: URLSearchParams): boolean {
  firstAsked ??= query.get('condition');
  return query.get('condition') === firstAsked;
}

const BROKEN: readonly (readonly [string, ProbeName, Ailment])[] = [
  ['a CDN that ignores unused parameters', 'head_page', { profile: { cdn: 'ignores-unused' } }],
  ['a list that is 90 s behind', 'freshness', { faults: [{ kind: 'lag', byMs: 90_000 }] }],
  [
    'a cursor that leads back to the head page',
    'cursor',
    { ask: (url) => url.searchParams.delete('cursor'), skips: ['node_logs'] },
  ],
  [
    'wallets without a date anywhere',
    'wallet_dates',
    {
      answer({ path, query, body }) {
        if (path === '/v2/user-stats' && body.data !== null) body.data.join_date = null;
        if (path === '/public-profile') body.createdAt = null;
        if (path === '/v2/activity' || (path === '/v2/trades' && query.has('user'))) body.data = [];
      },
    },
  ],
  [
    'Gamma without rows',
    'markets',
    {
      answer({ path, body }) {
        if (path === '/markets/keyset') body.markets = [];
      },
    },
  ],
  [
    'resolutions that refuse most ids',
    'resolutions',
    brokenRoute('/v2/resolutions', 400, (query) => !isFirstAsked(query)),
  ],
  ['RTDS silent', 'trade_stream', { faults: [{ kind: 'rtds-silent' }] }],
  ['the order book stream silent', 'order_book_stream', { isOrderBookSilent: true }],
  ['a node a minute behind', 'node_head', { nodeBehindMs: 60_000 }],
  [
    'a node of another chain',
    'node_head',
    {
      nodeResult(body) {
        if (body.result === '0x89') body.result = '0x1';
      },
      skips: ['node_logs', 'node_exchanges'],
    },
  ],
  [
    'a node that leaves out every fifth log',
    'node_logs',
    {
      nodeResult(body) {
        if (Array.isArray(body.result)) body.result = body.result.filter((_, index) => index % 5 > 0);
      },
    },
  ],
  ['a clock half a minute behind', 'clock_skew', { profile: { skewMs: 30_000 } }],
];

/** Each in the form in which it is asked, of those that share a path. */
const ROUTES = [
  ...['/v2/trades', '/v2/trades?user', '/v2/user-stats', '/v2/activity', '/v2/resolutions', '/v2/status'],
  ...['/markets/keyset?condition_ids', '/markets/keyset?clob_token_ids', '/public-profile'],
];

/** Every probe passes but for these. */
const exceptionsOf = ({ results }: DoctorReport) => results.filter(({ verdict }) => verdict !== 'pass');

describe('the doctor', () => {
  test('passes every probe on a healthy market', async () => {
    const report = await examine({});
    expect(report.results.map(({ probe }) => probe)).toEqual(PROBES);
    expect(exceptionsOf(report), seenOf(report)).toEqual([]);
    expect(report.results.every(({ action }) => action === null)).toBe(true);
  });

  test.each<[string, Ailment]>([
    ['that is asked over a WebSocket', { node: 'ws' }],
    [
      'that allows few blocks a call, in whatever words',
      { nodeManners: { widestRange: 5, rangeRefusal: 'eth_getLogs is limited to a 5 range' } },
    ],
  ])('a node %s passes every probe', async (_, ailment) => {
    const report = await examine(ailment);
    expect(exceptionsOf(report), seenOf(report)).toEqual([]);
  });

  test.each([
    [['trades'], 'pass', /^a trade after .*; refused: unknown subscription type$/],
    [['comments'], 'fail', /^no trade within 10\.0 s; refused: unknown subscription type$/],
  ])(
    'of a stream that knows only %j the probe says what the market said',
    async (rtdsTypes, verdict, seen) => {
      const { results } = await examine({ profile: { rtdsTypes } });
      const found = results.find(({ probe }) => probe === 'trade_stream');
      expect(found).toMatchObject({ verdict, seen: expect.stringMatching(seen) });
    },
  );

  test('an exchange that is not watched is named with the number of its fills; one that is added is watched', async () => {
    const stranger = `0x${'ab'.repeat(20)}`;
    const nodeResult = (body: { result: unknown }) => {
      if (!Array.isArray(body.result)) return;
      // The simulator has no other exchange: a third of all logs become its own.
      for (const [place, log] of body.result.entries()) if (place % 3 === 0) log.address = stranger;
    };
    const warned = await examine({ nodeResult });
    expect(warned.results.find(({ probe }) => probe === 'node_exchanges')).toMatchObject({
      verdict: 'warn',
      seen: expect.stringMatching(
        `^5 blocks with \\$[\\d,]+: combos 0\\.0 %, other contracts \\d+\\.\\d %: [1-9]\\d* fills of ${stranger}$`,
      ),
      action: expect.stringContaining('POLYMARKET_EXTRA_EXCHANGES'),
    });
    const added = await examine({ nodeResult, extraExchanges: [stranger] });
    expect(added.results.find(({ probe }) => probe === 'node_exchanges')?.verdict).toBe('pass');
  });

  test('combos are counted as a share of volume, on every node', async () => {
    const nodeResult = (body: { result: unknown }) => {
      if (!Array.isArray(body.result)) return;
      // The simulator has none: every third log becomes one, of the exchange that has them.
      for (const [place, log] of body.result.entries())
        if (place % 3 === 0) {
          log.address = EXCHANGES[2];
          log.data = `${log.data.slice(0, 66)}03${'0'.repeat(62)}${log.data.slice(130)}`;
        }
    };
    const seenBy = async (needsAddress: boolean) => {
      const { results } = await examine({ nodeResult, nodeManners: { needsAddress } });
      return results.find(({ probe }) => probe === 'node_exchanges')?.seen;
    };
    const combos = String.raw`^5 blocks with \$[\d,]+: combos [1-9]\d\.\d %, `;
    expect(await seenBy(false)).toMatch(new RegExp(`${combos}no fills of other contracts$`));
    expect(await seenBy(true)).toMatch(new RegExp(`${combos}other contracts not known: `));
  });

  test('a node that does not search all contracts is not blamed for it', async () => {
    const report = await examine({ nodeManners: { needsAddress: true } });
    expect(exceptionsOf(report)).toMatchObject([
      { probe: 'node_exchanges', verdict: 'skipped', seen: expect.stringContaining('specify an address') },
    ]);
  });

  test.each(['http', 'ws'])(
    'a node that cannot be reached over %s is named, and its address is in no report',
    async (scheme) => {
      const report = await examine({ rpcUrl: `${scheme}://127.0.0.1:1/v2/a-secret-key` });
      const others = exceptionsOf(report);
      expect(others, seenOf(report)).toMatchObject([
        { probe: 'node_head', verdict: 'fail' },
        { probe: 'node_logs', verdict: 'skipped' },
        { probe: 'node_exchanges', verdict: 'skipped' },
      ]);
      expect(JSON.stringify(report)).not.toContain('a-secret-key');
    },
  );

  test('without a node its probes are skipped and say why, and the others pass', async () => {
    const report = await examine({ node: null });
    const others = exceptionsOf(report);
    expect(others, seenOf(report)).toMatchObject([
      { probe: 'node_head', verdict: 'skipped', seen: 'POLYGON_RPC_URL is off' },
      { probe: 'node_logs', verdict: 'skipped', seen: 'POLYGON_RPC_URL is off' },
      {
        probe: 'node_exchanges',
        verdict: 'skipped',
        seen: 'POLYGON_RPC_URL is off: the volume of combos and of other contracts is not known',
      },
    ]);
  });

  test.each(BROKEN)('%s: %s alone fails, with what to do', async (_, broken, ailment) => {
    const report = await examine(ailment);
    const others = exceptionsOf(report);
    const named = others.filter(({ verdict }) => verdict !== 'skipped');
    expect(named, seenOf(report)).toMatchObject([
      { probe: broken, verdict: 'fail', action: expect.stringContaining(' ') },
    ]);
    const skips = others.filter(({ verdict }) => verdict === 'skipped').map(({ probe }) => probe);
    expect(skips, seenOf(report)).toEqual(ailment.skips ?? []);
  });

  test.each(ROUTES)(
    '%s: the probe of routes names it, and probes that need it are skipped',
    async (route) => {
      const [path = '', form] = route.split('?');
      const isHit = (query: URLSearchParams) => (form === undefined ? !query.has('user') : query.has(form));
      const isShared = path === '/v2/trades' || form !== undefined;
      const report = await examine(brokenRoute(path, 404, isShared ? isHit : () => true));
      const [first, ...skipped] = exceptionsOf(report);
      expect(first, seenOf(report)).toMatchObject({ probe: 'routes', verdict: 'fail' });
      expect(first?.seen).toContain(`${route} answered 404; 8 of 9 routes answer`);
      for (const { verdict, seen } of skipped)
        expect([verdict, seen]).toEqual(['skipped', `${route} failed`]);
    },
  );
});
