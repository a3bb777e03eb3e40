import { describe, expect, test } from 'vitest';
import { end } from '../../core/chat/chat-store-fixture.ts';
import { alertOf } from '../../support/alerts.ts';
import { postOf } from '../../support/chat/messages.ts';
import { START } from '../../support/rows.ts';
import { storeAlerts } from '../../support/stored.ts';
import { actionsOf, openConsoleFixture, wordsOfScreen } from './console-fixture.ts';

const UNKNOWN = { state: 'unknown', error: 'unknown: 504', at: START + 5, unsureSince: START } as const;

describe('the service', () => {
  test('the feed, posts, personal alerts and webhooks are paused and resumed, once each', async () => {
    const stand = await openConsoleFixture();
    for (const name of ['feed', 'posts', 'personal', 'webhooks']) {
      expect(await stand.ask(`pause ${name}`)).toContain(`${name} is paused`);
      expect(await stand.ask(`pause ${name}`)).toMatch(/is paused already, since .* by telegram:123/);
    }
    expect(await stand.database.pauses.list()).toHaveLength(4);
    expect(await stand.ask('resume feed')).toContain('feed is resumed');
    expect(await stand.ask('resume feed')).toContain('feed is not paused');
    expect(await stand.database.pauses.list()).toHaveLength(3);
  });

  test.each(['pause', 'resume'])('%s of an unknown name lists the known ones', async (command) => {
    const { ask, database } = await openConsoleFixture();
    expect(await ask(`${command} everything`)).toContain(
      '“everything” cannot be paused. These can: feed, posts, personal, webhooks.',
    );
    expect(await database.pauses.list()).toEqual([]);
  });

  test('withdraw names the posts first, and takes them back by a yes', async () => {
    const stand = await openConsoleFixture();
    const asked = await stand.type('withdraw #1');
    expect(wordsOfScreen(asked)).toContain('channel:telegram (pending)');
    expect(stand.withdrawn).toEqual([]);
    await stand.tap(actionsOf(asked)[0] as string);
    expect(stand.withdrawn).toEqual([1]);
    const [entry] = (await stand.audited()).slice(-1);
    expect(entry).toContain('done: Alert 1 is withdrawn: channel:telegram withdrawn.');
    await stand.database.chat.withdraw('alert:1@telegram', stand.clock.now());
    expect(await stand.ask('withdraw 1')).toBe('Alert 1 is withdrawn already, and no post of it is left.');
    expect(await stand.ask('withdraw 2')).toBe('There is no alert 2.');
  });

  test('a post that cannot be removed is said with the platform’s reason, and nothing counts as done', async () => {
    const stand = await openConsoleFixture(() => ({
      withdraw: async () => [
        { id: 'alert:1@telegram', result: 'failed', detail: 'no bot for this channel' },
        { id: 'alert:1@discord', result: 'busy', detail: null },
      ],
    }));
    const screen = await stand.confirm('withdraw 1');
    expect(screen?.name).toBe('admin_refused');
    expect((await stand.database.alerts.byId(1))?.withdrawn).toBeNull();
    expect(wordsOfScreen(screen)).toContain(
      'channel:telegram could not be removed, repeat the command for it (no bot for this channel); alert:1@discord is being sent',
    );
  });

  test('withdraw of a post that may be there says to look in the channel; a repetition keeps the first mark', async () => {
    const results = ['unknown', 'withdrawn'] as const;
    let calls = 0;
    const stand = await openConsoleFixture(() => ({
      withdraw: async () => [{ id: 'alert:2@telegram', result: results[calls++] ?? 'busy', detail: null }],
    }));
    await storeAlerts(stand.database, alertOf({ id: 2 }));
    await stand.database.chat.add([postOf(2)]);
    await end(stand.database.chat, 'alert:2@telegram', UNKNOWN);

    const words = await stand.confirmed('withdraw 2 wrong market');
    expect(words).toContain('channel:telegram may be there, as its outcome is unknown: look in the channel');
    expect(await stand.confirmed('withdraw 2')).toBe('Alert 2 is withdrawn: channel:telegram withdrawn.');
    expect((await stand.database.alerts.byId(2))?.withdrawn).toMatchObject({ reason: 'wrong market' });
  });

  test('stats and health count the messages whose outcome is unknown', async () => {
    const { ask, database } = await openConsoleFixture();
    await database.chat.add([postOf(2)]);
    await end(database.chat, 'alert:2@telegram', UNKNOWN);
    expect(await ask('stats')).toContain('unknown 1');
    expect(await ask('health')).toContain('outcome unknown: 1');
  });

  test('broadcast first counts and shows the text; only a yes sends it', async () => {
    const stand = await openConsoleFixture();
    const notes = () => stand.database.chat.due({ lane: 'private', now: stand.clock.now(), limit: 9 });
    const asked = await stand.type('broadcast  Maintenance\n\nat noon ');
    expect(wordsOfScreen(asked)).toContain(
      'Nothing is sent yet. 1 customer would get this text, 1 on Telegram and 0 on Discord:\n\nMaintenance\n\nat noon',
    );
    expect(await notes()).toEqual([]);
    const sent = await stand.tap(actionsOf(asked)[0] as string);
    expect(wordsOfScreen(sent)).toContain('on its way to 1 customer.');
    expect(await notes()).toMatchObject([{ kind: 'broadcast', facts: { text: 'Maintenance\n\nat noon' } }]);
    expect((await stand.type(`broadcast ${'x'.repeat(1_501)}`))?.name).toBe('admin_bad_arguments');
  });

  test('a broadcast without recipients is refused', async () => {
    const stand = await openConsoleFixture(() => ({ platforms: [] }));
    expect((await stand.type('broadcast Hello'))?.name).toBe('admin_refused');
  });
});
