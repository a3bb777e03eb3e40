import { setImmediate } from 'node:timers/promises';
import { ExitReader } from '../../src/core/alerts/exits/exit-reader.ts';
import { Feed, ledgerEnd } from '../../src/core/alerts/ledger/feed.ts';
import { SettlementReader } from '../../src/core/alerts/settlements/settlement-reader.ts';
import { FailureLog } from '../../src/core/base/async/failure-log.ts';
import { repeat, untilAborted } from '../../src/core/base/async/repeat.ts';
import { holdLease, type LeaseDeps } from '../../src/core/base/lease/hold-lease.ts';
import { MINUTE_MS } from '../../src/core/base/time/duration.ts';
import { createChannelPosts } from '../../src/core/chat/channel-posts.ts';
import { ChatEngine } from '../../src/core/chat/chat-engine.ts';
import { CHANNELS } from '../../src/core/chat/chat-message.ts';
import { createFailingNotices } from '../../src/core/chat/key-notices.ts';
import { type Database, openFeatures } from '../../src/core/database.ts';
import { DeliveryEngine } from '../../src/core/delivery/webhooks/delivery-engine.ts';
import { createSigningSecrets, type WebhookMessage } from '../../src/core/delivery/webhooks/webhook.ts';
import { DEFAULT_RULES } from '../../src/core/detection/rules.ts';
import { Ingest } from '../../src/core/ingest/ingest.ts';
import { createJournalledSource } from '../../src/core/ingest/journalled-source.ts';
import type { LiveFeed, LiveRow } from '../../src/core/trades/source/source.ts';
import { isOutcomeUnknown } from '../../src/infra/database/outage.ts';
import { fakeCustomers, settle } from './chat/chat-engine-fixture.ts';
import { createKeptPlatforms } from './chat/kept-platform.ts';
import { createKillableProcess, type Kill } from './chat/killable-process.ts';
import { createFakeClock } from './clock.ts';
import { eachCall } from './each-call.ts';
import { ledgerParts } from './ledger.ts';
import { parseLive } from './live-rows.ts';
import { noMetrics } from './no-metrics.ts';
import { START } from './rows.ts';
import { silentLogger } from './silent-logger.ts';

const POST_RULES = { channels: CHANNELS, minScore: 0, minUsdc: 0, delayMs: 2_000 };
const STEP_MS = 2_000;
const STEPS = 600;

/** The database, receivers and platforms outlive the processes, which are killed in the middle of whatever they do. */
export class KillableService {
  readonly sent: WebhookMessage[] = [];
  readonly platforms;
  readonly #database: Database;
  readonly #batches: readonly (readonly LiveRow[])[];
  /** After all that the market lists. */
  readonly #clock = createFakeClock(START + MINUTE_MS);
  readonly #dead = new Set<string>();
  readonly #names: string[] = [];
  /** Calls of the database, receivers and platforms that have not returned. */
  #underWay = 0;
  #lives = 0;
  #closing: (() => Promise<unknown>)[] = [];

  /** `batches`: what the market lists, again in each life. */
  constructor(database: Database, batches: readonly (readonly LiveRow[])[]) {
    this.#database = database;
    this.#batches = batches;
    this.platforms = createKeptPlatforms(this.#clock);
  }

  get calls(): readonly string[] {
    return this.#names;
  }

  /**
   * Runs the service, again after each kill, until the first kill took place and `isDone`, and closes the last process: on a
   * slow machine it may have done everything in fewer calls. Returns how many of the kills took place.
   */
  async run(kills: readonly Kill[], isDone: () => Promise<boolean>): Promise<number> {
    const left = [...kills];
    const live = async () => {
      const owner = `life ${this.#lives++}`;
      const kill = left.shift() ?? null;
      this.#closing = [];
      const process = createKillableProcess(kill, () => {
        this.#dead.add(owner);
        void live();
      });
      await this.#start(owner, process.wrap);
    };
    void live();
    const isOver = async () => (kills.length === 0 || this.#dead.size > 0) && (await isDone());
    for (let step = 0; step < STEPS && !(await isOver()); step += 1) {
      await this.#settle();
      await this.#clock.advance(STEP_MS);
    }
    let isClosed = false;
    const closing = Promise.all(this.#closing.map((close) => close())).then(() => {
      isClosed = true;
    });
    while (!isClosed) {
      await this.#settle();
      await this.#clock.advance(STEP_MS);
    }
    await closing;
    return this.#dead.size;
  }

  /** Until nothing is under way, however slow the database is: the clock moves only then. */
  async #settle(): Promise<void> {
    do {
      await settle();
    } while (this.#underWay > 0);
  }

  #counted<Subject extends object>(subject: Subject): Subject {
    return eachCall(subject, async (call) => {
      this.#underWay += 1;
      try {
        return await call();
      } finally {
        this.#underWay -= 1;
      }
    });
  }

  async #start(
    owner: string,
    killable: <Subject extends object>(subject: Subject) => Subject,
  ): Promise<void> {
    const wrap = <Subject extends object>(label: string, subject: Subject) =>
      named(label, killable(this.#counted(subject)), this.#names);
    // Each life has an alert index of its own, as each process has.
    const stores = openFeatures((declaration, ...options) =>
      wrap(declaration.kind, this.#database.documents(declaration, ...options)),
    );
    const clock = this.#clock;
    const { alerts } = stores;
    const feed = new Feed({ alerts, logger: silentLogger, retry: () => clock.sleep(1_000) });
    const leaseTime = async () => clock.now();
    const shared = {
      clock,
      leaseTime,
      logger: silentLogger,
      owner,
      isGone: (other: string) => this.#dead.has(other),
    };
    const isOver = () => this.#dead.has(owner);
    const from = await ledgerEnd(stores);
    const settlements = new SettlementReader(stores);
    const deliver = new DeliveryEngine({
      ...stores,
      ...shared,
      isPaused: () => false,
      notifyOwner: createFailingNotices(stores.chat),
      feed,
      sender: wrap('sender', {
        send: async (message: WebhookMessage) => {
          this.sent.push(message);
          return { status: 200, error: null, durationMs: 3, retryAfterSeconds: null };
        },
      }),
      signingSecrets: createSigningSecrets(async ({ id }) => `secret of ${id}`, clock),
      settlements,
      serialise: ({ id }) => JSON.stringify({ id }),
      messageOf: async () => null,
      events: {
        outcome: {
          numbered: settlements,
          publishedAt: ({ settlement }) => settlement.at,
          serialise: ({ settlement }) => JSON.stringify({ outcome: settlement.number }),
          messageOf: async () => null,
        },
        exit: {
          numbered: new ExitReader(stores),
          publishedAt: ({ createdAt }) => createdAt,
          serialise: ({ number }) => JSON.stringify({ exit: number }),
          messageOf: async () => null,
        },
      },
      metrics: noMetrics,
      isOutcomeUnknown,
      // An alert to three webhooks takes two writes.
      fanOutBatchSize: 2,
      yieldToLoop: setImmediate,
    });
    if (!isOver()) this.#closing.push(() => deliver.close());
    await deliver.start(from.id);
    const engine = new ChatEngine<string>({
      ...shared,
      store: stores.chat,
      keys: stores.keys,
      customers: fakeCustomers(),
      messengers: this.platforms.messengers((messenger, name) => wrap(name, messenger)),
      present: async ({ id }) => id,
      isPaused: () => false,
      postsPerDay: 1_000,
      random: () => 1,
      yieldToLoop: setImmediate,
    });
    const posts = createChannelPosts({
      ...shared,
      ...stores,
      store: stores.chat,
      feed,
      rules: POST_RULES,
      wake: engine.wake,
    });
    if (!isOver())
      this.#closing.push(
        () => posts.close(),
        () => engine.close(),
      );
    await posts.start(from.id);
    engine.start();
    const stop = new AbortController();
    const ingest = this.#ingest(stores, { ...shared, feed });
    const hold = () =>
      holdLease({ ...shared, store: stores.lease }, stop.signal, (held, until) => ingest.run(held, until));
    const failures = new FailureLog(silentLogger, 'lease not held');
    const ingesting = repeat(hold, { clock, signal: stop.signal, intervalMs: 1_000, failures });
    if (isOver()) return;
    this.#closing.push(() => {
      stop.abort();
      return ingesting;
    });
  }

  #ingest(
    stores: ReturnType<typeof openFeatures>,
    { feed, ...shared }: Omit<LeaseDeps, 'store'> & { readonly feed: Feed },
  ): Ingest {
    return new Ingest({
      ...shared,
      sourceName: 'polymarket',
      openSource: async (checkpoint) =>
        createJournalledSource({
          ...shared,
          feed: marketFeed(this.#batches),
          journal: stores.journal,
          parse: parseLive,
          checkpoint,
          keepMs: 1e12,
        }),
      isPaused: () => false,
      rules: DEFAULT_RULES,
      ...ledgerParts(stores, {
        onAppended: (alerts) => feed.announce(...alerts),
        onSettled: (settlement) => feed.announceSettlement(settlement),
      }),
      store: stores.ingest,
      prices: stores.prices,
      metrics: noMetrics,
      snapshotEveryMs: 0,
    });
  }
}

function named<Subject extends object>(label: string, subject: Subject, names: string[]): Subject {
  return new Proxy(subject, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name);
      if (typeof method !== 'function') return method;
      return (...args: unknown[]) => {
        names.push(`${label}.${String(name)}`);
        return method.apply(target, args) as unknown;
      };
    },
  });
}

/**
 * Passes on what the market lists unless it was judged: trades, each new wallet's facts right before its first, and of a
 * market what is true at the time.
 */
function marketFeed(batches: readonly (readonly LiveRow[])[]): LiveFeed {
  return {
    name: 'polymarket',
    async *batches(signal, knowledge) {
      const isSeen = ({ row }: LiveRow) => row.kind === 'trade' && knowledge.hasSeen(row.trade);
      for (const [index, rows] of batches.entries()) {
        const later = batches.slice(index + 1).flat();
        const fresh = rows.filter(({ row }, at) => {
          const after = rows.slice(at + 1);
          if (row.kind === 'market') return ![...after, ...later].some(isSeen);
          return !isSeen(row.kind === 'wallet' ? (after[0] as LiveRow) : (rows[at] as LiveRow));
        });
        if (fresh.length > 0) yield fresh;
      }
      await untilAborted(signal);
    },
    status: () => ({ state: 'playing', progress: null, historyProgress: null }),
  };
}
