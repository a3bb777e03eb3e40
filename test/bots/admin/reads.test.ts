import { describe, expect, test } from 'vitest';
import { consoleCommands } from '../../../bots/admin/commands/table.ts';
import type { NewChatMessage } from '../../../src/core/chat/chat-message.ts';
import { alertOf } from '../../support/alerts.ts';
import { postOf } from '../../support/chat/messages.ts';
import { followerOf, followOf, walletOf } from '../../support/followers.ts';
import { START } from '../../support/rows.ts';
import { storeAlerts } from '../../support/stored.ts';
import {
  ANN,
  ANNS_KEY,
  actionsOf,
  actorOf,
  keyOf,
  namesake,
  openConsoleFixture,
  STRANGER,
  wordsOfScreen,
} from './console-fixture.ts';

describe('stats and health', () => {
  test('stats: customers, keys by tier, follows by kind and place, alerts, calls, webhooks and messages', async () => {
    const { ask, database, clock } = await openConsoleFixture();
    const day = new Date(clock.now()).toISOString().slice(0, 10);
    await database.usage.add(day, new Map([['key_a', 1_234]]));
    const follows = [followOf('a1', walletOf(1)), followOf('a2', walletOf(2))];
    await database.followers.put(followerOf('cus_a', { follows, platform: 'discord' }));
    const words = await ask('stats');
    expect(words).toContain('Follows wallets 2, markets 0, rules 0');
    expect(words).toContain('Followers 1: telegram 0, discord 1, terminal 0');
    expect(words).toContain('Customers 1, 1 of them new today');
    expect(words).toContain('free 0, pro 0, enterprise 1');
    expect(words).toContain('Calls today 1,234');
    expect(words).toContain('Alerts 1, 1 of them today (mean score 72, 0 clusters)');
    expect(words).toContain('Settled 0, right 0\n'.trim());
    expect(words).toContain('Chat messages of 24 h pending 1');
  });

  test('health: the worker with its checks and age, alarms, jobs with their last runs, what is paused', async () => {
    const { report, type, database, clock } = await openConsoleFixture();
    const uuid = '90509061-e0f7-4f69-aac8-5dd195b92b01';
    const remedy = 'make the bot an administrator of @tipoff, with the rights to post messages';
    const missing = [{ name: 'telegram_administrator', remedy }];
    const checks = {
      database: 'ok',
      feed: { state: 'running', behind_ms: 20, time: START, error: null },
      bots: { ready: true, telegram: null, missing: ['telegram_administrator'], details: { missing } },
    };
    const owner = `vm.example.${uuid}.4026531836/10402/${uuid}`;
    await report({ owner, at: clock.now() - 4_000, checks });
    const run = { job: 'daily-digest', period: '2026-11-20', startedAt: START };
    const begun = await database.jobRuns.begin(run, () => false);
    if (begun === null) throw new Error('not begun');
    await database.jobRuns.end(begun, { at: START + 1, outcome: 'no channel', isFailed: true });
    const alarm = { sentence: 'Alerts may be late.', since: START, until: null, raises: 1, isReported: true };
    await database.operatorAlarms.put({ ...alarm, name: 'feed_blind', isRaised: true });
    await database.operatorAlarms.put({ ...alarm, name: 'disk_low', isRaised: false, until: START + 1 });
    await type('pause posts');

    const screen = await type('health');
    const words = wordsOfScreen(screen);
    expect(words).toContain(
      'http://localhost:8080 vm.example/10402, 4 s ago\ndatabase: ok\nfeed: state running, behind ms 20',
    );
    expect(words).toMatch(
      /behind ms 20, time 20\d\d-.* UTC\nbots: ready yes, missing telegram_administrator\n/,
    );
    expect(words).toContain(`missing: ${remedy}\n`);
    expect(words).toMatch(/Alarms\nfeed blind since 20\d\d-.* UTC: Alerts may be late\.\n\n/);
    expect(words).toMatch(/daily-digest: 20\S+ \S+ UTC, failed, no channel/);
    expect(words).toContain('chat messages pending: 1, sending: 0, failed in 24 h: 0');
    expect(words).toMatch(/Paused\nposts since .* by telegram:123/);
    expect(actionsOf(screen)).toEqual(['admin:do:resume posts', 'admin:do:health']);
  });

  test('health of a service that is silent or never ran says so', async () => {
    const { ask, report, clock } = await openConsoleFixture();
    const words = await ask('health');
    for (const part of [
      'No service runs on this database.',
      'Alarms\nnone',
      'daily-digest: never ran',
      'Paused\nnothing',
    ])
      expect(words).toContain(part);
    await report({ at: clock.now() - 31_000 });
    expect(await ask('health')).toContain('host:1:a, silent for 31 s: it may be gone');
  });

  test('every screen fits one message of Telegram (4,096 characters): what does not is left out, and said', async () => {
    const { type, ask, add, report, database } = await openConsoleFixture();
    await report({ checks: { feed: 'x'.repeat(9_000) } });
    for (let count = 0; count < 9; count += 1) await add(namesake(`cus_${count}`));
    for (let count = 0; count < 40; count += 1) {
      const customerId = `cus_${count % 5}`;
      await database.keys.insert(keyOf({ id: `key_${count}`, name: 'n'.repeat(100), customerId }));
    }
    for (let count = 0; count < 30; count += 1) await type(`broadcast ${'word '.repeat(200)}`);
    for (const line of ['find @ann', 'health', 'help']) {
      const words = await ask(line);
      expect(words.length).toBeLessThan(4_000);
      if (line === 'find @ann') expect(words).toContain('… and more than fits here.');
    }
  });
});

describe('why, the last acts, and help', () => {
  test('why: the thread and the posts of an alert, with the withdrawal as a button', async () => {
    const { type, ask } = await openConsoleFixture();
    const screen = await type('why #1');
    const words = wordsOfScreen(screen);
    expect(words).toContain('\nThread 1, its first alert\n');
    expect(words).toContain('channel:telegram: pending, due');
    expect(actionsOf(screen)).toEqual(['admin:do:withdraw 1']);
    expect(await ask('why 2')).toBe('There is no alert 2.');
    expect((await type('why me'))?.name).toBe('admin_bad_arguments');
  });

  test('why: of an alert that another’s post was edited for, that post', async () => {
    const { type, database } = await openConsoleFixture();
    const { chat } = database;
    await chat.claim('alert:1@telegram', { owner: 'a', at: START });
    await chat.finish('alert:1@telegram', 'a', { state: 'sent', place: 'm1', at: START });
    await storeAlerts(database, alertOf({ id: 2, threadId: 1, supersedes: 1 }));
    await chat.add([{ ...postOf(2, { threadId: 1 }), kind: 'alert_update' } as NewChatMessage]);

    const screen = await type('why 2');

    expect(wordsOfScreen(screen)).toMatch(/channel:telegram: sent, 20.* UTC, the post of alert 1$/);
    expect(wordsOfScreen(screen)).toContain('\nThread 1, follows alert 1\n');
    expect(actionsOf(screen)).toEqual(['admin:do:withdraw 2']);
  });

  test('health: what operators did last, newest first', async () => {
    const { type, ask } = await openConsoleFixture();
    expect(await ask('health')).toContain('Operators\nnone');
    await type('pause feed');
    await type('resume feed');
    const words = await ask('health');
    expect(words).toMatch(
      /telegram:123: resume feed, done: feed is resumed\.\n.*telegram:123: resume feed, begins\n/,
    );
  });

  test('help lists every command with its usage', async () => {
    const { ask, adminConsole } = await openConsoleFixture();
    const words = await ask('help');
    for (const { usage, description } of consoleCommands()) {
      expect(words).toContain(`${usage}  ${description}`);
      // As the menus of the platforms take them.
      expect(usage).toMatch(/^[a-z]{1,32}\b/);
      expect(description.length).toBeLessThanOrEqual(100);
    }
    const names = consoleCommands().map(({ name }) => name);
    expect(adminConsole.commands.map(({ name }) => name)).toEqual(['admin', ...names]);
  });
});

describe('the operator’s help', () => {
  test('help shows each command as the operator types it: after a slash on Telegram, after /admin on Discord', async () => {
    const discord = actorOf({ platform: 'discord', userId: '5', roleIds: ['789'] });
    const { ask } = await openConsoleFixture();
    expect(await ask('help')).toContain('/find TEXT');
    expect(await ask('help', discord)).toContain('/admin find TEXT');
    expect(await ask('help', actorOf({ platform: 'terminal' }))).toContain('\nfind TEXT');
    expect(await ask('find', discord)).toContain('Usage: /admin find TEXT');
  });

  test('/admin alone, and no command at all on Discord, is the operator’s help; /admin COMMAND is that command', async () => {
    const { type } = await openConsoleFixture();
    const help = await type('help');
    for (const line of ['admin', 'admin help', 'admin /help', 'ADMIN', ''])
      expect(await type(line), line).toEqual(help);
    for (const line of ['admin', '', 'admin find @ann']) expect(await type(line, STRANGER), line).toBeNull();
    expect(await type('admin find @ann')).toEqual(await type('find @ann'));
    expect(await type('admin nonsense')).toBeNull();
  });
});

describe('find', () => {
  test.each(['@ann', 'ann', 'telegram:77', ANN.id, ANNS_KEY.id, `sk_live_${ANNS_KEY.lookup}`])(
    '%s leads to the customer with handles, trial, keys and usage today',
    async (text) => {
      const { ask, database, clock } = await openConsoleFixture();
      const day = new Date(clock.now()).toISOString().slice(0, 10);
      await database.usage.add(day, new Map([[ANNS_KEY.id, 12]]));
      const words = await ask(`find ${text}`);
      expect(words).toContain(ANN.id);
      expect(words).toContain('telegram @ann (telegram:77)');
      expect(words).toMatch(/Trial: until 20\d\d-/);
      expect(words).toContain(
        `${ANNS_KEY.id} sk_live_${ANNS_KEY.lookup}… “${ANNS_KEY.name}” enterprise, 12 calls today`,
      );
    },
  );

  test('keys without a chat customer and revoked keys are found by id and first characters', async () => {
    const { ask, database } = await openConsoleFixture();
    await database.keys.insert(
      keyOf({ id: 'key_acme', name: 'Acme', limits: { requestsPerMinute: 900, maxSockets: 3 } }),
    );
    await database.keys.insert(
      keyOf({ id: 'key_old', name: 'Acme old', customerId: ANN.id, revokedAt: START }),
    );
    expect(await ask('find key_acme')).toMatch(
      /key_acme .*“Acme” free, no chat customer, 900 per minute, 3 sockets, 0 calls today/,
    );
    expect(await ask('find key_old')).toMatch(/key_old .*“Acme old” free, revoked 20\d\d-/);
  });

  test('several of a name are each shown; a search without a match says so', async () => {
    const { ask, add } = await openConsoleFixture();
    await add(namesake('cus_2'));
    const words = await ask('find @ann');
    for (const id of ['cus_ann', 'cus_2']) expect(words).toContain(`${id} since`);
    expect(await ask('find @bob')).toContain('Nothing matches “@bob”');
    expect((await ask(`find ${'x'.repeat(5_000)}`)).length).toBeLessThan(200);
  });

  test('a banned customer is shown as such', async () => {
    const { ask, deps } = await openConsoleFixture();
    await deps.customers.ban(ANN.id);
    expect(await ask('find @ann')).toMatch(/Banned since 20\d\d-/);
  });
});
