import { SECOND_MS } from '../../../../../src/core/base/time/duration.ts';
import type { WalletFactsAnswer } from '../../../../../src/core/trades/source/facts-sources.ts';
import type { WalletAge } from '../../../../../src/core/trades/source/wallet-ages.ts';
import {
  garbled,
  type MarketClient,
  type MarketRequest,
  UpstreamFault,
} from '../../../../../src/infra/market/polymarket/client/market-client.ts';
import { RouteHealth } from '../../../../../src/infra/market/polymarket/client/route-health.ts';
import { WalletFactsReader } from '../../../../../src/infra/market/polymarket/wallets/wallet-facts-reader.ts';
import { noMetrics } from '../../../../support/no-metrics.ts';
import { urlOf } from '../../../../support/polymarket/fake-market.ts';
import { createRecordingLogger } from '../../../../support/recording-logger.ts';

export const NOW = Date.UTC(2026, 10, 20, 12);
const WALLET = `0x${'Ab'.repeat(20)}`;
export const LOWER = WALLET.toLowerCase();
export const seconds = (at: number) => Math.floor(at / SECOND_MS);

export type Answer = { readonly status?: number; readonly body: unknown };
export type Route = (query: URLSearchParams) => Answer;

const unknownUser: Route = () => ({ body: { data: null } });
const unknownProfile: Route = () => ({ status: 404, body: { error: 'not found' } });
const noActivity: Route = () => ({ body: { data: [] } });
export const refusing =
  (status: number): Route =>
  () => ({ status, body: { error: 'gone', code: 'not_found', retryable: false } });
export const joined =
  (value: unknown): Route =>
  () => ({ body: { data: { join_date: value, trades: 3 } } });
export const tradesOf =
  (rows: readonly unknown[]): Route =>
  () => ({
    body: { data: rows, pagination: { has_more: false, next_cursor: null } },
  });
export const trade = (market: string, at: number) => ({ condition_id: market, timestamp: seconds(at) });
export const endless: Route = () => ({
  body: { data: [trade('0xm1', NOW - 5_000)], pagination: { has_more: true, next_cursor: 'on' } },
});

export class WalletFactsFixture {
  routes: Record<string, Route> = {
    '/v2/user-stats': unknownUser,
    '/public-profile': unknownProfile,
    '/v2/activity': noActivity,
    '/v2/trades': tradesOf([]),
  };
  asked: MarketRequest[] = [];
  readonly outcomes: string[] = [];
  readonly logger = createRecordingLogger();
  now = NOW;
  listedUntil: number | null = NOW;
  asOf = NOW;
  readonly ages = new Map<string, WalletAge>();

  readonly health = new RouteHealth({ monotonic: () => this.now }, this.logger);
  readonly client: MarketClient = {
    get: (request) =>
      this.health.guard(request, async () => {
        this.asked.push(request);
        const unknown = { status: 404, body: {} };
        const { status = 200, body } = this.routes[request.path]?.(urlOf(request).searchParams) ?? unknown;
        const outcome = status === 429 ? 'limited' : 'refused';
        if (status !== 200) throw new UpstreamFault(`${status}`, { outcome, status });
        if (typeof body === 'string') throw garbled('no JSON');
        return { body, ageMs: 0, asOf: this.asOf };
      }),
  };

  createFacts(): WalletFactsReader {
    const metrics = { ...noMetrics, factsAsked: (outcome: string) => void this.outcomes.push(outcome) };
    const clock = { now: () => this.now };
    const ages = {
      get: async (wallet: string) => this.ages.get(wallet) ?? null,
      put: async (age: WalletAge) => void this.ages.set(age.wallet, age),
    };
    return new WalletFactsReader({
      ...{ client: this.client, ages, clock, metrics },
      routes: this.health,
      maxAgeDays: 14,
      listedUntil: () => this.listedUntil,
    });
  }

  ask(before = NOW, facts = this.createFacts(), wallet = WALLET): Promise<WalletFactsAnswer> {
    return facts.ask(wallet, before, new AbortController().signal);
  }

  askNth(n: number, facts: WalletFactsReader): Promise<WalletFactsAnswer> {
    return this.ask(NOW, facts, `0x${String(n).padStart(40, '0')}`);
  }

  async factsOf(before = NOW) {
    const answer = await this.ask(before);
    return answer.kind === 'settled' && answer.row.row.kind === 'wallet' ? answer.row.row.facts : answer;
  }

  paths(): readonly string[] {
    return this.asked.map(({ path }) => path);
  }
}
