import { onTestFinished } from 'vitest';
import type { ConsoleDeps } from '../../../bots/admin/console-deps.ts';
import { OperatorConsole } from '../../../bots/admin/operator-console.ts';
import type { Actor, Move } from '../../../bots/shared/conversation.ts';
import { plainText, type Screen } from '../../../bots/shared/screen.ts';
import type { CustomerRecord } from '../../../src/core/accounts/customers/customer.ts';
import { type ApiKey, PLAIN_KEY } from '../../../src/core/accounts/keys/api-key.ts';
import { enterWithdrawal } from '../../../src/core/alerts/withdrawal.ts';
import { CHANNELS } from '../../../src/core/chat/chat-message.ts';
import type { Database } from '../../../src/core/database.ts';
import type { WorkerReport } from '../../../src/core/operations/worker-report.ts';
import { openSqlite } from '../../../src/infra/database/sqlite/open-sqlite.ts';
import { secureRandom, sha256 } from '../../../src/infra/secrets/key-crypto.ts';
import { alertOf } from '../../support/alerts.ts';
import { postOf } from '../../support/chat/messages.ts';
import { createFakeClock } from '../../support/clock.ts';
import { customerOf, openCustomerFixture, putCustomer } from '../../support/customer-fixture.ts';
import { createRecordingLogger } from '../../support/recording-logger.ts';
import { START } from '../../support/rows.ts';
import { storeAlerts } from '../../support/stored.ts';

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

export const ANN = customerOf('cus_ann', {
  userId: '77',
  chat: '77',
  name: 'ann',
  trial: { request: 'r', startedAt: START, endsAt: START + 86_400_000 },
});

export function namesake(id: string): CustomerRecord {
  return { ...ANN, id, userId: id, chat: id };
}

export const ANNS_KEY = keyOf({
  id: 'key_annannannann0001',
  name: 'Ann’s bot',
  customerId: ANN.id,
  tier: 'enterprise',
});

type Change = Partial<Omit<ConsoleDeps, 'database'>> & {
  readonly database?: Partial<ConsoleDeps['database']>;
};

/** A console on an empty database, one in memory unless given, with one customer, her key, an alert and its post. */
export async function openConsoleFixture(
  change: (deps: ConsoleDeps) => Change = () => ({}),
  given?: Database,
) {
  const database = given ?? (await openSqlite({ path: ':memory:' }));
  if (given === undefined) onTestFinished(() => database.close());
  const clock = createFakeClock(START + 60_000);
  const { service: customers } = openCustomerFixture(database, {}, clock);
  const add = (customer: CustomerRecord) => putCustomer(database, customer);
  const logger = createRecordingLogger();
  const withdrawn: number[] = [];
  const removed: string[] = [];
  await add(ANN);
  await database.keys.insert(ANNS_KEY);
  await storeAlerts(database, alertOf({ id: 1 }));
  await database.chat.add([postOf(1)]);
  const own: ConsoleDeps = {
    ...{ database, alerts: database.alerts, customers, random: secureRandom, clock, logger },
    adminIds: [
      { platform: 'telegram', id: ADMIN.userId },
      { platform: 'telegram', id: OTHER_ADMIN.userId },
      { platform: 'discord-role', id: '789' },
    ],
    requests: null,
    jobNames: ['daily-digest'],
    async withdraw(id) {
      withdrawn.push(id);
      return [{ id: 'alert:1@telegram', result: 'withdrawn', detail: null }];
    },
    markWithdrawn: (withdrawal) => enterWithdrawal({ log: database.log, sha256 }, withdrawal),
    removeKeyMessages: async ({ chat }) => {
      removed.push(chat);
      return 0;
    },
    platforms: CHANNELS,
  };
  const { database: stores, ...rest } = change(own);
  const deps: ConsoleDeps = { ...own, ...rest, database: { ...database, ...stores } };
  const adminConsole = new OperatorConsole(deps);
  const move = (what: Move, actor = ADMIN) => adminConsole.move(actor, what);
  const type = (line: string, actor = ADMIN) => {
    const [name = '', ...words] = line.split(' ');
    return move({ kind: 'command', name, argument: words.join(' ') }, actor);
  };
  const tap = (action: string, actor = ADMIN) => move({ kind: 'tap', action }, actor);
  const confirm = async (line: string) => {
    const screen = await type(line);
    return screen?.name === 'admin_confirm' ? tap(actionsOf(screen)[0] as string) : screen;
  };
  return {
    ...{ database, clock, deps, add, withdrawn, removed, lines: logger.lines, adminConsole, move },
    ...{ type, tap, confirm },
    report: (given: Partial<WorkerReport>) =>
      database.worker.put({
        owner: 'host:1:a',
        at: clock.now(),
        address: 'http://localhost:8080',
        checks: {},
        ...given,
      }),
    ask: async (line: string, actor = ADMIN) => wordsOfScreen(await type(line, actor)),
    confirmed: async (line: string) => wordsOfScreen(await confirm(line)),
    audited: async () =>
      (await database.audit.list({ limit: 100 }))
        .toReversed()
        .map(({ actor, command, args, outcome }) => [actor, command, args, outcome].join(' | ')),
  };
}

export function wordsOfScreen(screen: Screen | null): string {
  return screen === null ? '(null)' : plainText(screen);
}

export function actionsOf(screen: Screen | null): string[] {
  return (screen?.buttons ?? []).flat().flatMap((button) => ('action' in button ? [button.action] : []));
}

export type ConsoleFixture = Awaited<ReturnType<typeof openConsoleFixture>>;

export async function postIsOut({ database, clock }: ConsoleFixture): Promise<void> {
  await database.chat.claim('alert:1@telegram', { owner: 'one#1', at: clock.now() });
  const sent = { state: 'sent', place: '5', at: clock.now() } as const;
  await database.chat.finish('alert:1@telegram', 'one#1', sent);
}

export const away = () => Promise.reject(new Error('the database is away'));
