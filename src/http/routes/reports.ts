import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Alert } from '../../core/alerts/alert.ts';
import type { ReportQuery } from '../../core/alerts/alert-store.ts';
import { visibleUntil } from '../../core/alerts/free-delay.ts';
import { meantMarkets } from '../../core/alerts/meant-markets.ts';
import { readPasted } from '../../core/alerts/pasted.ts';
import { callerOf } from '../hooks/api-key-auth.ts';
import { compressAnswer } from '../hooks/compression.ts';
import { inTurn } from '../hooks/read-turn.ts';
import { RefusedError } from '../hooks/refuse.ts';
import { expandShape, pageShape } from '../query/alert-query.ts';
import { beforeShape, linkNext } from '../query/cursor.ts';
import { ADDRESS, ADDRESS_EXPECTED } from '../query/query-values.ts';
import { errorSchema } from '../schemas/error-codes.ts';
import { invalidValue } from '../schemas/validation.ts';
import type { Api, ServerDeps } from '../server-deps.ts';
import { marketSchema, marketView } from '../views/market-view.ts';
import { walletSchema, walletView } from '../views/wallet-view.ts';

const DEFAULT_PAGE_SIZE = 20;
const NAMED_LENGTH = 500;
/** Markets of an event, or wallets, that a refusal lists. */
const LISTED = 10;

const NO_ADDRESS = invalidValue('string_pattern_mismatch', ADDRESS_EXPECTED);

const querySchema = z.object({ ...beforeShape, page_size: pageShape.page_size, ...expandShape });

export const marketParams = z.object({
  market_id: z
    .string()
    .min(1)
    .max(NAMED_LENGTH)
    .meta({
      description: 'Market identifier, slug, or URL on Polymarket (encoded in a path). Case does not matter.',
      examples: ['0x5f65177b394277fd294cd75650044e32ba009a95022d88a0c1d565897d72f8f1'],
    }),
});

export function registerMarketReport(app: Api, deps: ServerDeps): void {
  app.get('/markets/:market_id', {
    onSend: compressAnswer,
    schema: {
      operationId: 'getMarket',
      tags: ['Markets'],
      summary: 'One market',
      description:
        'What the published alerts say about a market: alerts by outcome and by thread, the price at each, the wallets, its end and its outcome. A free key sees alerts and outcomes {free_delay} late.',
      params: marketParams,
      querystring: querySchema,
      response: { 200: marketSchema, 404: errorSchema },
    },
    async handler(request, reply) {
      const { view, next } = await readMarket(request.params.market_id, pageOf(request), request, deps);
      linkNext(request, reply, querySchema.shape, next);
      return view;
    },
  });
}

export async function readMarket(
  marketId: string,
  query: ReportPage,
  request: FastifyRequest,
  deps: ServerDeps,
) {
  const id = await marketIdOf(marketId, request, deps);
  const report = await inTurn(request, deps, () =>
    deps.alerts.marketReport(id, reportQuery(query, request, deps)),
  );
  if (report === null) {
    throw new RefusedError(
      'market_not_found',
      `Market ${marketId.toLowerCase()} was not found: it has no alerts.`,
    );
  }
  const [watched = null] = await deps.prices.markets([id]);
  const bets = await betsOf(report, query, request, deps);
  return { view: marketView(report, watched, bets), next: nextReport(report) };
}

/** By its id, its slug or a link. Throws where that is an event of which several markets, or only others, have alerts. */
async function marketIdOf(given: string, request: FastifyRequest, deps: ServerDeps): Promise<string> {
  const text = given.trim().toLowerCase();
  const read = readPasted(given, [new URL(deps.publicUrl).host]);
  const named = read.kind === 'market' ? read : ({ kind: 'market', market: text, event: text } as const);
  const bound = { ...boundOf(request, deps), limit: LISTED };
  const { ids, isOther } = await inTurn(request, deps, () => meantMarkets(named, deps.alerts, bound));
  const [only, ...others] = ids;
  if (only !== undefined && others.length === 0 && !isOther) return only;
  if (only === undefined) return named.market ?? text;
  const alerts = (await Promise.all(ids.map((id) => deps.alerts.ofMarket(id, 1)))).flat();
  const what = isOther
    ? 'has no alerts; of its event, these markets have'
    : 'is an event. Its markets with alerts are';
  const slugs = alerts.map(({ eventSlug }) => eventSlug).join(', ');
  throw new RefusedError('market_not_found', `${given} ${what}: ${slugs}.`);
}

export const walletParams = z.object({
  address: z
    .string()
    .max(NAMED_LENGTH)
    .superRefine((text, context) => {
      if (readPasted(text).kind !== 'wallet') context.addIssue(NO_ADDRESS);
    })
    .meta({
      description: 'Address of the wallet, also shortened, or URL of its profile. Case does not matter.',
      examples: ['0x7c3db723f1d4d8cb9c550095203b686cb11e5c6b'],
    }),
});

export function registerWalletReport(app: Api, deps: ServerDeps): void {
  app.get('/wallets/:address', {
    onSend: compressAnswer,
    schema: {
      operationId: 'getWallet',
      tags: ['Wallets'],
      summary: 'One wallet',
      description:
        'What the published alerts say about a wallet: its alerts, what became of them, and the clusters it was part of. A free key sees alerts and results {free_delay} late.',
      params: walletParams,
      querystring: querySchema,
      response: { 200: walletSchema, 404: errorSchema },
    },
    async handler(request, reply) {
      const { view, next } = await readWallet(request.params.address, pageOf(request), request, deps);
      linkNext(request, reply, querySchema.shape, next);
      return view;
    },
  });
}

export async function readWallet(
  wallet: string,
  query: ReportPage,
  request: FastifyRequest,
  deps: ServerDeps,
) {
  const address = await addressOf(wallet, request, deps);
  const report = await inTurn(request, deps, () =>
    deps.alerts.walletReport(address, reportQuery(query, request, deps)),
  );
  if (report === null) {
    throw new RefusedError('wallet_not_found', `Wallet ${address} was not found: no alert names it.`);
  }
  const bets = await betsOf(report, query, request, deps);
  return { view: walletView(address, report, bets), next: nextReport(report) };
}

/** Throws where a shortened address is that of several wallets with alerts. */
async function addressOf(given: string, request: FastifyRequest, deps: ServerDeps): Promise<string> {
  const read = readPasted(given);
  const { start, end } = read.kind === 'wallet' ? read.ends : { start: given, end: '' };
  if (ADDRESS.test(start)) return start;
  const bound = { ...boundOf(request, deps), limit: LISTED };
  const wallets = await inTurn(request, deps, () => deps.alerts.walletsNamed({ start, end }, bound));
  if (wallets.length > 1)
    throw new RefusedError('wallet_not_found', `${given} is the address of several: ${wallets.join(', ')}.`);
  return wallets[0] ?? given;
}

/** The part of a report's alerts that is asked for, and their form. */
interface ReportPage {
  readonly before_id?: number | undefined;
  readonly limit: number;
  readonly expand?: 'details' | undefined;
}

type ReportRequest = FastifyRequest<{ readonly Querystring: z.infer<typeof querySchema> }>;

function pageOf(request: Pick<ReportRequest, 'query' | 'caller' | 'routeOptions'>): ReportPage {
  const { page_size = DEFAULT_PAGE_SIZE, ...query } = request.query;
  return { ...query, limit: Math.min(page_size, callerOf(request).policy.maxPageSize) };
}

function reportQuery(
  { before_id, limit }: ReportPage,
  { audience }: FastifyRequest,
  deps: Pick<ServerDeps, 'clock' | 'freeDelayMs'>,
): ReportQuery {
  return {
    ...boundOf({ audience }, deps),
    ...(before_id !== undefined && { beforeId: before_id }),
    limit,
  };
}

/** Null where the short form of the alerts is asked for. */
async function betsOf(
  { alerts }: { readonly alerts: readonly Alert[] },
  { expand }: ReportPage,
  { audience }: FastifyRequest,
  deps: ServerDeps,
) {
  return expand === 'details' ? deps.exits.bets(alerts, visibleUntil(audience, deps)) : null;
}

function boundOf(
  { audience }: Pick<FastifyRequest, 'audience'>,
  deps: Pick<ServerDeps, 'clock' | 'freeDelayMs'>,
): Pick<ReportQuery, 'until'> {
  const until = visibleUntil(audience, deps);
  return Number.isFinite(until) ? { until } : {};
}

function nextReport(report: { readonly alerts: readonly Alert[]; readonly hasMore: boolean }) {
  const last = report.alerts.at(-1);
  return report.hasMore && last !== undefined ? { before_id: last.id } : null;
}
