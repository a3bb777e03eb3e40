import { z } from 'zod';
import type { Clock } from '../../../../core/base/time/clock.ts';
import type { EpochMs } from '../../../../core/base/time/duration.ts';
import { getAs, type MarketClient, type MarketRequest, UpstreamFault } from '../client/market-client.ts';
import { NEWEST_PAGE } from '../trades/trade-pages.ts';
import { activityQuery } from '../wallets/account-age.ts';
import { historyQuery } from '../wallets/trade-history.ts';
import type { ProbeFinding } from './doctor-report.ts';
import { EMPTY_PAGE, type HeadPage, type RouteName, readPage, sampleOf } from './probe.ts';

interface Subject {
  readonly wallets: readonly [string, ...string[]];
  readonly marketId: string;
  readonly token: string;
  readonly now: EpochMs;
  readonly isReal: boolean;
}

const MADE_UP: Omit<Subject, 'now'> = {
  wallets: [`0x${'1'.repeat(40)}`],
  marketId: `0x${'1'.repeat(64)}`,
  token: '1',
  isReal: false,
};

const list = z.object({ data: z.array(z.unknown()) });
const markets = z.union([z.object({ markets: z.array(z.unknown()) }), list]);

const LISTED = { closed: false, include_tag: true, limit: 1 } as const;

type Route = readonly [query: (subject: Subject) => MarketRequest['query'], shape: z.ZodType];

/** Routes by path and form of the request, with the parameters and the shape in which they must answer. */
const ROUTES: Record<Exclude<RouteName, '/v2/trades' | '/public-profile'>, Route> = {
  '/v2/trades?user': [({ wallets: [user], now }) => historyQuery(user, now, 1), list],
  '/v2/user-stats': [({ wallets: [user] }) => ({ user }), z.object({ data: z.looseObject({}).nullable() })],
  '/v2/activity': [({ wallets: [user], now }) => activityQuery(user, now), list],
  '/v2/resolutions': [
    ({ marketId }) => ({ condition: marketId }),
    z.object({ data: z.array(z.unknown()).nullable() }),
  ],
  '/v2/status': [() => ({}), z.object({ data: z.object({ serving: z.looseObject({}) }) })],
  '/markets/keyset?condition_ids': [({ marketId }) => ({ condition_ids: [marketId], ...LISTED }), markets],
  '/markets/keyset?clob_token_ids': [({ token }) => ({ clob_token_ids: [token], ...LISTED }), markets],
};

interface Deps {
  readonly client: MarketClient;
  readonly clock: Clock;
}

interface Outcome {
  readonly name: RouteName;
  readonly fault: string | null;
  readonly tookMs: number;
}

/** Requests every route once, the head page first, since the other requests use its wallets and markets. */
export async function examineRoutes(deps: Deps, signal: AbortSignal) {
  let head = EMPTY_PAGE;
  const trades = await outcomeOf('/v2/trades', deps, async () => {
    head = await readPage(deps, NEWEST_PAGE, signal);
  });
  const subject = { ...subjectOf(head), now: deps.clock.now() };
  const others = await Promise.all([
    ...Object.entries(ROUTES).map(([name, [queryOf, shape]]) =>
      outcomeOf(name as RouteName, deps, async () => {
        const [path = ''] = name.split('?');
        const api = path.startsWith('/v2/') ? 'data' : 'gamma';
        const request = { api, path, query: queryOf(subject), purpose: 'doctor' } as const;
        await getAs(deps.client, request, shape, signal);
      }),
    ),
    outcomeOf('/public-profile', deps, () => askProfile(deps, subject, signal)),
  ]);
  const outcomes = [trades, ...others];
  const failed = new Set(outcomes.filter(({ fault }) => fault !== null).map(({ name }) => name));
  return { finding: findingOf(outcomes), failed, head };
}

function subjectOf(head: HeadPage): Omit<Subject, 'now'> {
  const { wallets, marketIds, tokens } = sampleOf(head);
  const [first, ...rest] = wallets.map(({ wallet }) => wallet);
  const [marketId] = marketIds;
  const [token] = tokens;
  if (first === undefined || marketId === undefined || token === undefined) return MADE_UP;
  return { wallets: [first, ...rest], marketId, token, isReal: true };
}

const MOST_PROFILES = 3;

/** The answer for a wallet without a profile is 404, as for a route that is gone: one of the wallets must have a profile. */
async function askProfile({ client }: Deps, { wallets, isReal }: Subject, signal: AbortSignal) {
  let refusal: unknown = null;
  for (const address of wallets.slice(0, MOST_PROFILES)) {
    try {
      const query = { address };
      await client.get({ api: 'gamma', path: '/public-profile', query, purpose: 'doctor' }, signal);
      return;
    } catch (error) {
      if (!(error instanceof UpstreamFault && error.status === 404)) throw error;
      refusal = error;
    }
  }
  if (isReal) throw refusal;
}

async function outcomeOf(name: RouteName, { clock }: Deps, ask: () => Promise<void>): Promise<Outcome> {
  const startedAt = clock.now();
  const fault = await ask().then(() => null, faultText);
  return { name, fault, tookMs: clock.now() - startedAt };
}

/** Routes with the same fault that the finding names; of more it gives the number. */
const MOST_NAMED = 2;

function findingOf(outcomes: readonly Outcome[]): ProbeFinding {
  const broken = outcomes.filter(({ fault }) => fault !== null);
  const slowestMs = Math.max(...outcomes.map(({ tookMs }) => tookMs));
  const byFault = [...Map.groupBy(broken, ({ fault }) => fault)];
  const namesOf = (routes: readonly Outcome[]) => routes.map(({ name }) => name).join(', ');
  const faults = byFault.map(([fault, routes]) =>
    routes.length > MOST_NAMED ? `${fault} (${routes.length} routes)` : `${namesOf(routes)} ${fault}`,
  );
  const answered = `${outcomes.length - broken.length} of ${outcomes.length} routes answer`;
  return {
    verdict: broken.length === 0 ? 'pass' : 'fail',
    seen: broken.length === 0 ? `${answered}, within ${slowestMs} ms` : [...faults, answered].join('; '),
    share: null,
    details: [
      ...byFault.map(([fault, routes]) => `${fault}: ${namesOf(routes)}`),
      ...outcomes.flatMap(({ name, fault, tookMs }) =>
        fault === null ? [`${name} answered in ${tookMs} ms`] : [],
      ),
    ],
  };
}

/** The text of an error without a URL, which may contain a key. */
export function faultText(error: unknown): string {
  if (error instanceof UpstreamFault && error.status !== null && error.status !== 200)
    return `answered ${error.status}`;
  // The client's messages begin with the path, and so does the finding.
  const message = error instanceof Error ? error.message.replace(/^\/[\w/-]+:? /, '') : 'failed';
  return message.replace(/^getaddrinfo (?:ENOTFOUND|EAI_AGAIN) /, 'No DNS for ');
}
