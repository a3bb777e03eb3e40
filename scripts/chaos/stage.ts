import { UserError } from '../../src/core/base/user-error.ts';
import type { Database } from '../../src/core/database.ts';
import { openDatabase } from '../../src/infra/database/database.ts';
import { isOutage } from '../../src/infra/database/outage.ts';
import { waitUntil } from '../../test/support/wait-until.ts';
import { webhookOf } from '../../test/support/webhooks.ts';
import { issueKeys } from '../bench/service.ts';
import { type AlertContent, createGrowingTape, type GrowingTape, tradeOf } from '../support/chaos-tape.ts';
import {
  createStreamConsumer,
  type StreamConsumer,
  startWebhookConsumer,
  type WebhookConsumer,
} from './consumers.ts';
import { createMember, type Member } from './member.ts';
import { createProbes, type Probes } from './probes.ts';

const TRADE_EVERY_MS = 250;
const UNJUDGED = 2;
const SETTLED_MS = 120_000;
const PROBE_EVERY_MS = 200;
/** Of the processes, by their names. */
const ROLES_OF = {
  ...{ ingest: 'ingest', standby: 'ingest', api1: 'api', api2: 'api' },
  ...{ deliver: 'deliver', jobs: 'jobs' },
};

export interface StageOptions {
  readonly folder: string;
  readonly url: string;
  readonly expected: readonly AlertContent[];
}

export class Stage {
  readonly options: StageOptions;
  readonly tape: GrowingTape;
  readonly webhook: WebhookConsumer;
  readonly key: string;
  readonly members: ReadonlyMap<string, Member>;
  readonly probes: Probes;
  readonly streams: readonly StreamConsumer[];

  private constructor(
    options: StageOptions,
    { webhook, key, members }: Pick<Stage, 'webhook' | 'key' | 'members'>,
  ) {
    this.options = options;
    this.webhook = webhook;
    this.key = key;
    this.members = members;
    this.tape = createGrowingTape(`${options.folder}/tape.jsonl`, TRADE_EVERY_MS);
    this.probes = createProbes(this.member('api1').address, key);
    this.streams = ['api1', 'api2'].map((name) => createStreamConsumer(() => this.member(name).address, key));
  }

  static async open(options: StageOptions): Promise<Stage> {
    const webhook = await startWebhookConsumer();
    const [key = ''] = await issueKeys(options.url, 1);
    await registerWebhook(options.url, webhook.url);
    const common = {
      DATABASE_URL: options.url,
      MARKET_SOURCE: `tail:${options.folder}/tape.jsonl`,
      SNAPSHOT_SECONDS: '2',
      SECRET_KEY: 'what the secrets of these webhooks come from',
      ...webhook.settings,
    };
    const members = new Map<string, Member>();
    for (const [name, ROLES] of Object.entries(ROLES_OF))
      members.set(name, await createMember(name, { ...common, ROLES }));
    const stage = new Stage(options, { webhook, key, members });
    try {
      await stage.#start();
      return stage;
    } catch (cause) {
      const outputs = [...members.values()].map(({ name, output }) => `${name}: ${output.slice(-1_000)}`);
      await stage.close();
      throw new Error(`the service did not start:\n${outputs.join('\n')}`, { cause });
    }
  }

  member(name: string): Member {
    const member = this.members.get(name);
    if (member === undefined) throw new Error(`there is no process ${name}`);
    return member;
  }

  ingesting(): Member {
    const holder = [...this.members.values()].find(
      ({ isRunning, output }) => isRunning && isIngesting(output),
    );
    if (holder === undefined) throw new Error('no process ingests');
    return holder;
  }

  async settled() {
    const trades = this.tape.writtenAt.length - UNJUDGED;
    const target = this.options.expected.filter((alert) => tradeOf(alert) < trades).length;
    const came = () => this.streams.map(({ received }) => received.at(-1)?.id ?? 0);
    await waitUntil(() => (Math.min(target, ...came()) === target ? true : null), {
      timeoutMs: SETTLED_MS,
      what: `${target} alerts on each stream`,
    });
    const undelivered = await this.#undelivered(target);
    // The probes that are open were sent to what was disturbed.
    await this.probes.answered();
    const ledger = await waitUntil(() => this.#ledgerOf(target), {
      ...{ timeoutMs: SETTLED_MS, everyMs: 1_000 },
      what: `${target} alerts in the ledger`,
    });
    return { ledger, target, undelivered };
  }

  async close(): Promise<void> {
    await this.tape.stop();
    await Promise.all([...this.streams, this.probes].map((each) => each.stop()));
    for (const member of this.members.values()) if (member.isRunning) member.signal('SIGCONT');
    await Promise.all([...this.members.values()].map((member) => member.isRunning && member.end('SIGKILL')));
    await this.webhook.close();
  }

  async #start(): Promise<void> {
    // It makes the tables, and delivers what is published from then on.
    const deliver = this.member('deliver');
    deliver.start();
    await deliver.logged('delivering');
    await this.tape.start();
    for (const member of this.members.values()) if (member !== deliver) member.start();
    for (const stream of this.streams) stream.start();
    await waitUntil(() => (this.streams.every(({ received }) => received.length > 0) ? true : null), {
      timeoutMs: SETTLED_MS,
      what: 'a first alert on each stream',
    });
    await waitUntil(() => this.#ledgerOf(1), {
      ...{ timeoutMs: SETTLED_MS, everyMs: 1_000 },
      what: 'a first alert in the ledger',
    });
    this.probes.start(PROBE_EVERY_MS);
  }

  /** The states of the deliveries up to an id that ended otherwise than by arriving: of a process that died, above all. */
  async #undelivered(target: number): Promise<readonly string[]> {
    const missing = () => {
      const came = new Set(this.webhook.received.map(({ id }) => id));
      return Array.from({ length: target }, (_, index) => index + 1).filter((id) => !came.has(id));
    };
    const isOver = (state: string) => state !== 'pending' && state !== 'claimed';
    return waitUntil(
      async () => {
        const ids = missing();
        if (ids.length === 0) return [];
        const states = await this.#statesOf(ids);
        return states.every(isOver) ? states : null;
      },
      { timeoutMs: SETTLED_MS, everyMs: 1_000, what: `webhooks of ${target} alerts arrived or given up` },
    );
  }

  async #statesOf(alertIds: readonly number[]): Promise<readonly string[]> {
    const states = new Map<number | null, string>();
    await this.#read(async ({ deliveries }) => {
      for (let before: string | null | undefined; before !== null; ) {
        const page = await deliveries.list(WEBHOOK_ID, { limit: 100, ...(before && { before }) });
        for (const { alertId, state } of page) states.set(alertId, state);
        before = page.at(-1)?.id ?? null;
      }
    });
    return alertIds.map((id) => states.get(id) ?? 'pending');
  }

  /** Null while it has fewer alerts, or the database does not answer. */
  async #ledgerOf(atLeast: number) {
    const alerts = await this.#read((database) => database.alerts.after(0, 1_000_000));
    return alerts !== null && alerts.length >= atLeast ? alerts : null;
  }

  /** Null in an outage, which may still last. */
  async #read<Result>(read: (database: Database) => Promise<Result>): Promise<Result | null> {
    try {
      await using database = await openDatabase(this.options.url);
      return await read(database);
    } catch (error) {
      if (isOutage(error) || error instanceof UserError) return null;
      throw error;
    }
  }
}

const WEBHOOK_ID = 'wh_chaos';

async function registerWebhook(databaseUrl: string, url: string): Promise<void> {
  await using database = await openDatabase(databaseUrl);
  const [key] = await database.keys.list();
  await database.webhooks.insert(webhookOf({ id: WEBHOOK_ID, keyId: key?.id ?? '', url }), 1);
}

function isIngesting(output: string): boolean {
  return output.lastIndexOf('"ingesting"') > output.lastIndexOf('standing by');
}
