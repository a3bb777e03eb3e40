import { onTestFinished } from 'vitest';
import type { ConsoleDeps } from '../../../bots/admin/console-deps.ts';
import { OperatorConsole } from '../../../bots/admin/operator-console.ts';
import type { Actor } from '../../../bots/shared/admin-console.ts';
import type { Move } from '../../../bots/shared/conversation.ts';
import { plainText, type Screen } from '../../../bots/shared/screen.ts';
import type { Customer } from '../../../src/core/accounts/customers/customer.ts';
import { type ApiKey, PLAIN_KEY } from '../../../src/core/accounts/keys/api-key.ts';
import { redrawPosts } from '../../../src/core/chat/redraw-posts.ts';
import { messagesShowing, postsShowing } from '../../../src/core/chat/withdraw.ts';
import type { Database } from '../../../src/core/database.ts';
import { openSqlite } from '../../../src/infra/database/sqlite/open-sqlite.ts';
import { secureRandom } from '../../../src/infra/secrets/key-crypto.ts';
import { alertOf } from '../../support/alerts.ts';
import { createFakeClock } from '../../support/clock.ts';
import { openCustomerFixture } from '../../support/customer-fixture.ts';
import { START } from '../../support/rows.ts';

export const ADMIN = actorOf({ userId: '123' });
export const OTHER_ADMIN = actorOf({ userId: '456' });
export const STRANGER = actorOf({ userId: '999' });

export function actorOf(given: Partial<Actor>): Actor {
  return { platform: 'telegram', userId: '1', name: null, roleIds: [], ...given };
}

export function keyOf(given: Partial<ApiKey> & { id: string }): ApiKey {
  return {
    lookup: given.id.slice(-10).padStart(10, 'x'),
    hash: 'h',
    name: 'desk',
    tier: 'free',
    createdAt: START,
    trialEndsAt: null,
    revokedAt: null,
    ...PLAIN_KEY,
    ...given,
  };
}

export const ANN: Customer = {
  id: 'cus_ann',
  handles: [{ platform: 'telegram', userId: '77', name: 'ann', chat: '77', isReachable: true }],
  trial: { request: 'r', startedAt: START, endsAt: START + 86_400_000 },
  bannedAt: null,
  createdAt: START,
};

/** Another customer whose name is ann. */
export function namesake(id: string): Customer {
  return { ...ANN, id, handles: ANN.handles.map((handle) => ({ ...handle, userId: id, chat: id })) };
}
export const ANNS_KEY = keyOf({
  id: 'key_annannannann0001',
  name: 'Ann’s bot',
  customerId: ANN.id,
  tier: 'enterprise',
});

/** Every line that was logged. */
function createRecordingLogger() {
  const lines: { level: string; fields: object; message: string }[] = [];
  const write = (level: string) => (fields: object, message: string) => {
    lines.push({ level, fields, message });
  };
  return {
    lines,
    logger: { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') },
  };
}

async function addCustomer({ customers }: Database, { handles, ...record }: Customer): Promise<void> {
  for (const handle of handles) await customers.touch(handle, record.id);
  await customers.insert({ ...record, mergedInto: null, isMoved: false, erasingAt: null, version: 0 });
}

/** A console on an empty database, one in memory unless given, with one customer, her key, an alert and its post. */
export async function openConsoleFixture(
  change: (deps: ConsoleDeps) => Partial<ConsoleDeps> = () => ({}),
  given?: Database,
) {
  const database = given ?? (await openSqlite({ path: ':memory:' }));
  if (given === undefined) onTestFinished(() => database.close());
  const clock = createFakeClock(START + 60_000);
  const { service: customers } = openCustomerFixture(database, {}, clock);
  const add = (customer: Customer) => addCustomer(database, customer);
  const { logger, lines } = createRecordingLogger();
  const sent: string[] = [];
  const withdrawn: number[] = [];
  await add(ANN);
  await database.keys.insert(ANNS_KEY);
  await database.alerts.append(alertOf({ id: 1 }));
  await database.chat.add([
    {
      id: 'alert:1@telegram',
      recipient: 'channel:telegram',
      kind: 'alert',
      facts: { alertId: 1, marketId: '0xm1', threadId: 1 },
      createdAt: START,
      dueAt: START,
    },
  ]);
  const own: ConsoleDeps = {
    adminIds: [
      { platform: 'telegram', id: ADMIN.userId },
      { platform: 'telegram', id: OTHER_ADMIN.userId },
      { platform: 'discord-role', id: '789' },
    ],
    customers,
    keys: database.keys,
    usage: database.usage,
    alerts: database.alerts,
    reads: database.operatorReads,
    posts: {
      postsShowing: (id) => postsShowing(database.chat, id),
      messagesShowing: (id) => messagesShowing(database.chat, id),
      counts: () => database.chat.counts(),
      message: (id) => database.chat.byId(id),
      unknown: (limit) => database.chat.unknown(limit),
      givenUp: (query) => database.chat.givenUp(query),
      decide: (id, change) => database.chat.decide(id, change),
      async withdraw(id) {
        withdrawn.push(id);
        return [{ id: 'alert:1@telegram', result: 'withdrawn', detail: null }];
      },
      redraw: (redraw) => redrawPosts({ store: database.chat, alerts: database.alerts, clock }, redraw),
      audience: async () => ({ telegram: 1, discord: 1 }),
      async broadcast({ id, text }) {
        sent.push(`${id} ${text}`);
        return 2;
      },
    },
    serves: ['bots', 'jobs'],
    requests: { send: () => Promise.reject(new Error('nothing is sent to another process')) },
    outbox: database.chat,
    pauses: database.pauses,
    statements: database.statements,
    jobs: {
      names: ['daily-digest'],
      latest: () => database.jobRuns.latest(),
      run: async () => ({ isRun: true, period: '2026-11-20', outcome: 'nothing to do', isFailed: false }),
    },
    heartbeats: database.heartbeats,
    alarms: database.operatorAlarms,
    audit: database.audit,
    random: secureRandom,
    clock,
    logger,
  };
  const deps = { ...own, ...change(own) };
  const adminConsole = new OperatorConsole(deps);
  const move = (what: Move, actor = ADMIN) => adminConsole.move(actor, what);
  return {
    ...{ database, clock, deps, add, sent, withdrawn, lines, adminConsole, move },
    /** A line as it is typed behind the slash. */
    type(line: string, actor = ADMIN) {
      const [name = '', ...words] = line.split(' ');
      return move({ kind: 'command', name, argument: words.join(' ') }, actor);
    },
    tap: (action: string, actor = ADMIN) => move({ kind: 'tap', action }, actor),
    audited: async () =>
      (await database.audit.list({ limit: 100 }))
        .toReversed()
        .map(({ actor, command, args, outcome }) => [actor, command, args, outcome].join(' | ')),
  };
}

export function wordsOfScreen(screen: Screen | null): string {
  return screen === null ? '(null)' : plainText(screen);
}

/** The actions of a screen's buttons. */
export function actionsOf(screen: Screen | null): string[] {
  return (screen?.buttons ?? []).flat().flatMap((button) => ('action' in button ? [button.action] : []));
}
