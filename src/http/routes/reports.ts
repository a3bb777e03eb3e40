import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Alert } from '../../core/alerts/alert.ts';
import type { ReportQuery } from '../../core/alerts/alert-store.ts';
import { visibleUntil } from '../../core/alerts/free-delay.ts';
import { callerOf } from '../hooks/api-key-auth.ts';
import { scheduleOf } from '../hooks/archive-schedule.ts';
import { compressAnswer } from '../hooks/compression.ts';
import { RefusedError } from '../hooks/refuse.ts';
import { expandShape, pageShape } from '../query/alert-query.ts';
import { beforeShape, linkNext } from '../query/cursor.ts';
import { ADDRESS, ADDRESS_EXPECTED } from '../query/query-values.ts';
import { errorSchema } from '../schemas/error-codes.ts';
import type { Api, ServerDeps } from '../server-deps.ts';
import { marketSchema, marketView } from '../views/market-view.ts';
import { walletSchema, walletView } from '../views/wallet-view.ts';

const DEFAULT_PAGE_SIZE = 20;
const MARKET_ID_LENGTH = 100;

const querySchema = z.object({ ...beforeShape, page_size: pageShape.page_size, ...expandShape });

const marketParams = z.object({
  market_id: z
    .string()
    .min(1)
    .max(MARKET_ID_LENGTH)
    .meta({
      description: 'Market identifier, as in alerts. Case does not matter.',
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
        'What the published alerts say about a market: alerts by outcome and by thread, the price at each, the wallets, its end and its outcome. A free key sees alerts and outcomes 5 minutes late.',
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
  const id = marketId.toLowerCase();
  const { searches } = scheduleOf(request, deps);
  const report = await searches(() => deps.alerts.marketReport(id, reportQuery(query, request, deps)));
  if (report === null) {
    throw new RefusedError('market_not_found', `Market ${id} was not found: it has no alerts.`);
  }
  const observed = await deps.observations.market(id);
  const bets = await betsOf(report, query, request, deps);
  return { view: marketView(report, observed, bets), next: nextReport(report) };
}

export const walletParams = z.object({
  address: z
    .string()
    .regex(ADDRESS, ADDRESS_EXPECTED)
    .meta({
      description: 'Address of the wallet. Case does not matter.',
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
        'What the published alerts say about a wallet: its alerts, what became of them, and the clusters it was part of. A free key sees alerts and results 5 minutes late.',
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
  const address = wallet.toLowerCase();
  const { searches } = scheduleOf(request, deps);
  const report = await searches(() => deps.alerts.walletReport(address, reportQuery(query, request, deps)));
  if (report === null) {
    throw new RefusedError('wallet_not_found', `Wallet ${address} was not found: no alert names it.`);
  }
  const bets = await betsOf(report, query, request, deps);
  return { view: walletView(address, report, bets), next: nextReport(report) };
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
  const until = visibleUntil(audience, deps);
  return {
    ...(Number.isFinite(until) && { until }),
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

function nextReport(report: { readonly alerts: readonly Alert[]; readonly hasMore: boolean }) {
  const last = report.alerts.at(-1);
  return report.hasMore && last !== undefined ? { before_id: last.id } : null;
}
