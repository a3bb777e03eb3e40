import type { RateLimiter } from '../core/accounts/limits/rate-limiter.ts';
import type { StatementStore } from '../core/alerts/statements/statement-store.ts';
import type { Heartbeat } from '../core/operations/heartbeat.ts';
import type { MarketPrices } from '../core/record/observations/market-prices.ts';
import type { PageCache } from '../http/views/page-cache.ts';
import type { Cards } from './cards/cards.ts';
import type { LivePages } from './live-pages.ts';

/** What the pages for people need beside the API. */
export interface SiteDeps {
  readonly pages: PageCache;
  /** Of requests by address. In this process alone: a view must not cost a write to the database. */
  readonly limiter: RateLimiter;
  readonly live: LivePages;
  readonly cards: Pick<Cards, 'get'>;
  /** The newest alert that callers without a key may see; 0 without one. */
  readonly newestId: () => number;
  readonly prices: MarketPrices;
  readonly statements: Pick<StatementStore, 'hiddenWallets' | 'ofWallet' | 'after'>;
  /** Where alerts come from: a live market, a recorded tape, or nowhere in this process. */
  readonly source: 'market' | 'tape' | 'none';
  /** Of all processes of the service; empty while the database is unavailable. */
  readonly heartbeats: () => Promise<readonly Heartbeat[]>;
  /** Where people can write to the operator, `mailto:` or `https:`; null if it is not set. */
  readonly contact: string | null;
}
