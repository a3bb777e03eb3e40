import { describe, expect, test } from 'vitest';
import type { CheckResult } from '../../../../../src/infra/market/polymarket/doctor/doctor.ts';
import type { Tampering } from '../../../../support/market/start-market.ts';
import { type Ailment, examine } from './doctor-fixture.ts';

const brokenRoute = (path: string, status: number, when: (query: URLSearchParams) => boolean) => ({
  answer(answer: Parameters<NonNullable<Tampering['answer']>>[0]) {
    if (answer.path === path && when(answer.query)) answer.status = status;
  },
});

/** Answers of this path are changed. */
const changed = (path: string, change: (body: Record<string, unknown>) => void): Ailment => ({
  answer(answer) {
    if (answer.path === path) change(answer.body);
  },
});

/** Each with the address that fails, and what is said of it. */
const BROKEN: readonly (readonly [string, string, RegExp, Ailment])[] = [
  [
    'a list without pages',
    '/v2/trades',
    /^no page follows the newest one\. .*update Tipoff/,
    changed('/v2/trades', (body) => {
      body['pagination'] = {};
    }),
  ],
  [
    'wallets without a join date',
    '/v2/user-stats',
    /^no date for 5 wallets/,
    changed('/v2/user-stats', (body) => {
      body['data'] = { join_date: null };
    }),
  ],
  [
    'resolutions in another format',
    '/v2/resolutions',
    /^knows no market that was just traded\. .*update Tipoff/,
    changed('/v2/resolutions', (body) => {
      body['data'] = [];
    }),
  ],
  [
    'a status that says nothing',
    '/v2/status',
    /^unexpected shape of the answer\. .*update Tipoff/,
    changed('/v2/status', (body) => {
      body['data'] = {};
    }),
  ],
  [
    'RTDS silent',
    ' (live stream)',
    /^nothing came within 10 s\. .*WebSockets/,
    { faults: [{ kind: 'rtds-silent' }] },
  ],
  ['the order book stream off', '/ws/market', /^connect ECONNREFUSED .*network/, { isOrderBookOff: true }],
  ['a node a minute behind', '', /^block \d+ is 6\d\.\d s old\. Name another/, { nodeBehindMs: 60_000 }],
  [
    'a node of another chain',
    '',
    /^chain 1; Polygon is 137\. Name another/,
    {
      nodeResult(body) {
        if (body.result === '0x89') body.result = '0x1';
      },
    },
  ],
  [
    'a node that leaves out all logs',
    '',
    /^no trades in 5 blocks\. Name another/,
    {
      nodeResult(body) {
        if (Array.isArray(body.result)) body.result = [];
      },
    },
  ],
  [
    'a clock half a minute behind',
    'clock of this machine',
    /^(29\.9|30\.\d) s behind the market’s\. Synchronise it/,
    { profile: { skewMs: 30_000 } },
  ],
];

/** Each with the form in which it is asked, of those that share a path. */
const ROUTES: readonly (readonly [address: string, path: string, form: string | null])[] = [
  ['/v2/trades?user=', '/v2/trades', 'user'],
  ['/v2/user-stats', '/v2/user-stats', null],
  ['/v2/activity', '/v2/activity', null],
  ['/v2/resolutions', '/v2/resolutions', null],
  ['/v2/status', '/v2/status', null],
  ['/markets/keyset?condition_ids=', '/markets/keyset', 'condition_ids'],
  ['/markets/keyset?clob_token_ids=', '/markets/keyset', 'clob_token_ids'],
  ['/public-profile', '/public-profile', null],
];

/** Address without its host, and text, of each check that failed. */
function failures(results: readonly CheckResult[]): readonly (readonly [string, string])[] {
  return results
    .filter(({ isWell }) => !isWell)
    .map(({ address, text }) => [address.replace(/^127\.0\.0\.1:\d+/, ''), text]);
}

const nodeText = (results: readonly CheckResult[]) =>
  results.find(({ text }) => text.startsWith('block'))?.text;

describe('the doctor', () => {
  test.each<[string, Ailment]>([
    ['with a node over HTTP', {}],
    ['with a node over a WebSocket', { node: 'ws' }],
  ])('a healthy market %s passes, each address and form once', async (_, market) => {
    const results = await examine(market);
    expect(failures(results)).toEqual([]);
    const names = results.map(({ address }) => address.replace(/^127\.0\.0\.1:/, ''));
    expect(new Set(names).size).toBe(13);
    expect(names).toHaveLength(13);
    expect(results[0]?.text).toMatch(/^[\d,]+ trades, the newest \d+\.\d s old$/);
    expect(nodeText(results)).toMatch(/^block \d+ is \d\.\d s old, \$[\d,]+ in 5 blocks$/);
  });

  test.each(BROKEN)('%s: %s alone fails, with what to do', async (_, address, text, ailment) => {
    expect(failures(await examine(ailment))).toEqual([[address, expect.stringMatching(text)]]);
  });

  test.each(ROUTES)('%s alone fails when it answers 403', async (address, path, form) => {
    const isHit = (query: URLSearchParams) => (form === null ? !query.has('user') : query.has(form));
    const isShared = path === '/v2/trades' || form !== null;
    const results = await examine(brokenRoute(path, 403, isShared ? isHit : () => true));
    expect(failures(results)).toEqual([
      [address, expect.stringMatching(/^answered 403\. .*check its network, country/)],
    ]);
  });

  test.each<[string, RegExp, Ailment]>([
    ['refused', /^answered 403/, brokenRoute('/v2/trades', 403, (query) => !query.has('user'))],
    [
      'empty',
      /^no trades on the newest page/,
      changed('/v2/trades', (body) => Object.assign(body, { data: [] })),
    ],
  ])(
    'with the list of trades %s nothing that needs a trade is asked, in the same words',
    async (_, text, ailment) => {
      const [first, ...others] = failures(await examine(ailment));
      expect(first).toEqual(['/v2/trades', expect.stringMatching(text)]);
      const words = 'not asked, since /v2/trades gave no trade to ask for.';
      expect(others.map(([, own]) => own)).toEqual(Array(8).fill(words));
    },
  );

  test.each(['http', 'ws'])(
    'a node that cannot be reached over %s is named without its key',
    async (scheme) => {
      const results = await examine({ rpcUrl: `${scheme}://127.0.0.1:1/v2/a-secret-key` });
      expect(failures(results)).toEqual([['', expect.stringContaining('ECONNREFUSED')]]);
      expect(JSON.stringify(results)).not.toContain('a-secret-key');
    },
  );

  test('without a node the others pass, and it says that none is set', async () => {
    const results = await examine({ node: null });
    expect(failures(results)).toEqual([]);
    expect(results).toContainEqual({
      address: 'POLYGON_RPC_URL',
      isWell: true,
      text: 'off: trades come from the list',
    });
  });
});
