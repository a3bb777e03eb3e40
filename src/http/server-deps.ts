import type {
  FastifyPluginAsync,
  FastifyPluginOptions,
  FastifyReply,
  FastifyTypeProvider,
  RawServerDefault,
} from 'fastify';
import type { ZodType, z } from 'zod';
import type { ApiKey } from '../core/accounts/keys/api-key.ts';
import type { KeyCheck } from '../core/accounts/keys/key-check.ts';
import type { Usage } from '../core/accounts/keys/usage.ts';
import type { RateLimiter } from '../core/accounts/limits/rate-limiter.ts';
import type { PresetService } from '../core/accounts/presets/preset.ts';
import type { ReadTurns } from '../core/alerts/alert-index/read-turns.ts';
import type { AlertStore } from '../core/alerts/alert-store.ts';
import type { ExitReader } from '../core/alerts/exits/exit-reader.ts';
import type { Figures } from '../core/alerts/figures/figures.ts';
import type { LogHeads } from '../core/alerts/ledger/log-heads.ts';
import type { RecentWindow } from '../core/alerts/ledger/recent-window.ts';
import type { LogStore } from '../core/alerts/log/log-store.ts';
import type { NewestEvents } from '../core/alerts/newest-events.ts';
import type { SettlementReader } from '../core/alerts/settlements/settlement-reader.ts';
import type { Logger } from '../core/base/logger.ts';
import type { Clock } from '../core/base/time/clock.ts';
import type { StreamHub } from '../core/delivery/stream/stream-hub.ts';
import type { Redeliveries } from '../core/delivery/webhooks/redeliveries.ts';
import type { WebhookService } from '../core/delivery/webhooks/webhook-service.ts';
import type { WebhookTester } from '../core/delivery/webhooks/webhook-tester.ts';
import type { IsPublicAddress } from '../core/delivery/webhooks/webhook-url.ts';
import type { Prices } from '../core/record/prices/prices.ts';
import type { CoverageReport } from '../core/trades/coverage/coverage-report.ts';
import type { ApiDocument } from './documents/describe-api.ts';
import type { PageCache } from './views/page-cache.ts';
import type { ReadyAnswer } from './views/ready-answer.ts';
import type { RecordAnswers } from './views/record-report-view.ts';

/** Handlers get and return what the zod schemas of their route say. */
interface ZodTypes extends FastifyTypeProvider {
  readonly validator: this['schema'] extends ZodType ? z.output<this['schema']> : unknown;
  readonly serializer: this['schema'] extends ZodType ? z.output<this['schema']> : unknown;
}

export type Api = Parameters<FastifyPluginAsync<FastifyPluginOptions, RawServerDefault, ZodTypes>>[0];

/** Why a connection is refused: too many in all, too many of its address, or the process is short of open files. */
export type ConnectionRefusal = 'total' | 'address' | 'files';

export interface ConnectionLimits {
  readonly total: number;
  /** Connections from loopback are not limited by address. Null: no limit, as behind a proxy. */
  readonly perAddress: number | null;
  /** How many more files the process may open for connections; null when unknown. */
  readonly filesLeft: () => number | null;
  readonly onRefused?: (reason: ConnectionRefusal) => void;
}

export interface ServerSite {
  readonly pages: PageCache;
  register(app: Api, deps: ServerDeps, describe: () => ApiDocument): void;
  sendMissingPage(reply: FastifyReply, deps: Pick<ServerDeps, 'freeDelayMs' | 'publicUrl'>): void;
}

export interface OperatorDeps {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: { readonly contentType: string; render(): Promise<string> };
  /** Called for every answer. `route` is the pattern (`/api/v1/alerts/:id`), never the requested path. */
  readonly onAnswer?: (route: string, status: number, durationMs: number) => void;
  /** Null: `/metrics` and the checks of `/readyz` are available from loopback only. */
  readonly metricsToken: string | null;
  readonly ownHosts?: readonly string[];
  readiness(): Promise<{ ready: boolean; checks: Record<string, unknown> }>;
  /** Proxies whose `X-Forwarded-For` is trusted: none, all, a number of hops, or addresses. */
  readonly trustProxy: boolean | number | string;
  readonly connectionLimits?: ConnectionLimits;
  /** Whether a fault means that the database is unavailable: it is answered 503 instead of 500. */
  readonly isOutage?: (error: unknown) => boolean;
}

export interface ServerDeps extends OperatorDeps {
  readonly keyCheck: Pick<KeyCheck, 'recall' | 'check'>;
  readonly usage: Pick<Usage, 'count' | 'today'>;
  /** Called for the first call with a customer's key, as far as its row shows. */
  readonly onFirstUse?: (key: ApiKey) => void;
  /** Counts calls by key. */
  readonly rateLimiter: RateLimiter;
  /** Counts calls by address. */
  readonly addressLimiter: RateLimiter;
  /** Requests per 60 seconds from one address without a valid key, on public routes; null: unlimited. */
  readonly publicRequestsPerMinute: number | null;
  readonly presets: PresetService;
  readonly webhooks: Pick<WebhookService, keyof WebhookService>;
  readonly webhookTester: Pick<WebhookTester, 'test'>;
  readonly redeliveries: Pick<Redeliveries, 'request'>;
  /** Null: webhooks may have any address, for development. */
  readonly isPublicAddress: IsPublicAddress | null;
  readonly alerts: Pick<
    AlertStore,
    | (
        | 'byId'
        | 'visible'
        | 'settledMarkets'
        | 'settlementsOf'
        | 'thread'
        | 'newestOfThreads'
        | 'ofMarket'
        | 'search'
        | 'hotMarkets'
        | 'matching'
      )
    | ('walletReport' | 'marketReport' | 'marketOfSlug' | 'marketsOfEvent' | 'marketsNamed' | 'walletsNamed')
  >;
  readonly prices: Pick<Prices, 'markets'>;
  readonly figures: Figures;
  readonly turns: Pick<ReadTurns, 'take'>;
  readonly coverage: CoverageReport;
  readonly log: Pick<LogStore, 'after'>;
  readonly logHeads: Pick<LogHeads, 'read'>;
  readonly settlements: Pick<SettlementReader, 'sequence' | 'range' | 'one'>;
  readonly exits: ExitReader;
  readonly newestEvents: Pick<NewestEvents, 'read'>;
  readonly latest: Pick<RecentWindow<ReadyAnswer>, 'read'>;
  readonly record: { read(): Promise<RecordAnswers> };
  readonly stream: Pick<StreamHub, 'isOpen' | 'attach' | 'close'>;
  readonly site: ServerSite;
  /** Registers `POST /mcp` in a scope of its own. */
  readonly mcp: (scope: Api, deps: ServerDeps) => Promise<void>;
  /** Address of the service in links, without a slash at its end. */
  readonly publicUrl: string;
  readonly freeDelayMs: number;
}
