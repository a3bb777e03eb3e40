import type { SourceSetting } from '../config/setting-types.ts';
import type { Config } from '../config.ts';
import type { Alert } from '../core/alerts/alert.ts';
import { followExits } from '../core/alerts/exits/follow-exits.ts';
import { DELAYED, visibleUntil } from '../core/alerts/free-delay.ts';
import type { HiddenWallet } from '../core/alerts/hidden-wallets.ts';
import { DelayedFeed } from '../core/alerts/ledger/feed.ts';
import type { MarketSettlement } from '../core/alerts/settlement.ts';
import { FailureLog } from '../core/base/async/failure-log.ts';
import { RecentReads } from '../core/base/async/recent-reads.ts';
import { repeat } from '../core/base/async/repeat.ts';
import type { Clock } from '../core/base/time/clock.ts';
import { SECOND_MS } from '../core/base/time/duration.ts';
import type { WorkerReport } from '../core/operations/worker-report.ts';
import { MarketPrices } from '../core/record/prices/market-prices.ts';
import { PageCache, TOPICS } from '../http/views/page-cache.ts';
import { CardThread } from '../infra/cards/card-thread.ts';
import { MemoryRateLimiter } from '../infra/database/memory-rate-limiter.ts';
import { firstTime } from '../infra/market/tapes/replay-plan.ts';
import { PROGRAM } from '../infra/process/program.ts';
import { Cards } from '../site/cards.ts';
import { createSite } from '../site/register-site.ts';
import type { SiteDeps } from '../site/site.ts';
import type { AppContext } from './app-context.ts';
import { sourceProgressReader } from './record.ts';

const SOURCES: Readonly<Record<SourceSetting['kind'], SiteDeps['source']>> = {
  polymarket: 'market',
  replay: 'tape',
  tail: 'tape',
  none: 'none',
};

const LIMITED_ADDRESSES = 20_000;
/** What every page asks of the database, however many are made. */
const SHARED = { keptMs: SECOND_MS, max: 1 };

/** The pages for people. They change when an alert, an exit or the outcome of a market has passed the free delay. */
export function wireSite(
  context: Pick<AppContext, 'config' | 'clock' | 'logger' | 'database' | 'feed' | 'exits'>,
) {
  const { config, clock, logger, database } = context;
  const { hiddenWallets, worker } = database;
  const pages = new PageCache(clock);
  const prices = new MarketPrices(database.prices, sourceProgressReader(context), clock);
  const painter = new CardThread();
  const changes = changesOf(context, (topic) => pages.change(topic));
  const failures = new FailureLog(logger, 'report of the worker unavailable; pages name no bots');
  const reports = new RecentReads<WorkerReport | null>(clock, SHARED);
  const hidden = new RecentReads<readonly HiddenWallet[]>(clock, SHARED);
  const notice = new ReplayNotice(config, clock);
  const deps: SiteDeps = {
    notice: notice.text,
    pages,
    limiter: new MemoryRateLimiter({ capacity: LIMITED_ADDRESSES, clock }),
    cards: new Cards(painter, clock),
    prices,
    hiddenWallets: { list: () => hidden.get('', () => hiddenWallets.list()) },
    source: SOURCES[config.source.kind],
    terminalBot: config.source.kind === 'replay' ? `${PROGRAM} chat --demo` : null,
    worker: () => reports.get('', () => failures.guard(() => worker.get())),
    contact: config.server.contact,
  };
  return {
    deps,
    server: createSite(deps),
    open: () => Promise.all([notice.open(), changes.open()]),
    feedChanged: () => pages.change(TOPICS.feed),
    run: changes.run,
    async close() {
      changes.close();
      await painter.close();
    },
  };
}

/** Changes the topics of each alert, exit and settlement that has passed the free delay. */
function changesOf(
  {
    config: { freeDelayMs },
    clock,
    logger,
    database: { alerts },
    feed,
    exits,
  }: Parameters<typeof wireSite>[0],
  change: (topic: string) => void,
) {
  const changeMarket = ({ marketId }: Pick<Alert, 'marketId'>): void => {
    change(TOPICS.alerts);
    change(TOPICS.market(marketId));
  };
  const delayed = new DelayedFeed({ alerts, feed, clock, delayMs: freeDelayMs, onAlert: changeMarket });
  const until = () => visibleUntil(DELAYED, { clock, freeDelayMs });
  let waiting: readonly MarketSettlement[] = [];
  const changeSettled = async (): Promise<void> => {
    const due = waiting.filter(({ at }) => at <= until());
    const ids = due.map(({ marketId }) => marketId);
    // Most markets have no alerts: their outcomes are on no page.
    if (due.length > 0) (await alerts.settlementsOf(ids, until())).forEach(changeMarket);
    waiting = waiting.filter((settlement) => !due.includes(settlement));
  };
  const failures = new FailureLog(logger, 'settlements unavailable; retrying every second');
  const unsubscribe = feed.onSettlement((settlement) => {
    waiting = [...waiting, settlement];
  });
  return {
    open: () => delayed.open(),
    run: (signal: AbortSignal) =>
      Promise.all([
        followExits({ exits, until, onExit: changeMarket, clock, logger }, signal),
        repeat(changeSettled, { clock, signal, intervalMs: SECOND_MS, failures }),
      ]),
    close(): void {
      unsubscribe();
      delayed.close();
    },
  };
}

/** The sentence that every page has while the trades are those of a tape. */
class ReplayNotice {
  readonly #config: Pick<Config, 'source' | 'replay'>;
  readonly #clock: Pick<Clock, 'now'>;
  #text: string | null = null;

  constructor(config: Pick<Config, 'source' | 'replay'>, clock: Pick<Clock, 'now'>) {
    this.#config = config;
    this.#clock = clock;
  }

  /** Null with another source, and before `open`. */
  readonly text = (): string | null => this.#text;

  async open(): Promise<void> {
    const { source, replay } = this.#config;
    if (source.kind !== 'replay') return;
    const { shift, speed } = replay;
    const started = typeof shift === 'number' ? shift : null;
    // A process of the API alone may be without the tape; the one that plays it reports why it cannot be read.
    const at = started ?? (await firstTime(source.file, this.#clock.now()).catch(() => null));
    const of = at === null ? 'past trades' : new Date(at).getUTCFullYear();
    const pace = speed > 1 ? `, ${speed.toLocaleString('en-US')} times faster` : '';
    this.#text = `Replay of ${of}${pace}. Not live.`;
  }
}
