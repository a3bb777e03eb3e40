import { expect, test } from 'vitest';
import type { ConnectionStatus } from '../../bots/shared/chat-bot.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/core/base/time/duration.ts';
import type { AppContext } from '../../src/wiring/app-context.ts';
import { wireAlarms } from '../../src/wiring/bots.ts';
import { onSqlite } from '../infra/database/each-database.ts';
import { postOf } from '../support/chat/messages.ts';
import { TELEGRAM_TOKEN } from '../support/chat/telegram-stand-in.ts';
import { createFakeClock } from '../support/clock.ts';
import { configOf } from '../support/config.ts';
import { START } from '../support/rows.ts';
import { silentLogger } from '../support/silent-logger.ts';

const OPERATOR = 'operator:telegram:42';

onSqlite('posts that may not have arrived', (fixture) => {
  function open(bots: Readonly<Record<string, ConnectionStatus>> = {}) {
    const config = configOf({ TELEGRAM_BOT_TOKEN: TELEGRAM_TOKEN, ADMIN_IDS: 'telegram:42' });
    const { database } = fixture;
    const clock = createFakeClock(START);
    const context = { config, database, clock, logger: silentLogger };
    const watch = wireAlarms(context as unknown as AppContext, () => bots);
    return {
      clock,
      async pass(ms: number): Promise<void> {
        for (let passed = 0; passed < ms; passed += MINUTE_MS) {
          await watch.look();
          await clock.advance(MINUTE_MS);
        }
      },
      async lose(alertId: number): Promise<void> {
        const { id } = postOf(alertId);
        const at = clock.now();
        await database.chat.add([postOf(alertId)]);
        await database.chat.claim(id, { owner: 'a#1', at });
        const end = { state: 'unknown', error: 'no answer', at, unsureSince: at } as const;
        await database.chat.finish(id, 'a#1', end);
      },
      /** What the operator gets, oldest first: the sentence of an alarm, or that it is over. */
      async told(): Promise<readonly string[]> {
        const due = await database.chat.due({ lane: 'private', now: clock.now(), limit: 10 });
        return due.map(({ recipient, kind, facts }) => {
          if (recipient !== OPERATOR || kind !== 'operator_alarm') throw new Error(`${kind} to ${recipient}`);
          return facts.until === null ? `${facts.alarm}: ${facts.sentence}` : `${facts.alarm} is over`;
        });
      },
    };
  }

  test('are reported to the operators by their ids, and that a day passed without another', async () => {
    const { clock, pass, lose, told } = open();
    await pass(MINUTE_MS);
    await lose(1);
    await lose(2);
    await pass(2 * MINUTE_MS);
    const raised = expect.stringMatching(
      /^messages_unknown: 2 messages may or may not have been sent.*: alert:2@telegram, alert:1@telegram\.$/,
    );
    expect(await told()).toEqual([raised]);

    await clock.advance(DAY_MS);
    await pass(3 * MINUTE_MS);
    expect(await told()).toEqual([raised, 'messages_unknown is over']);
  });

  test('are one alarm; a bot that its platform does not reach is another', async () => {
    const bots: Record<string, ConnectionStatus> = {
      telegram: { state: 'unreachable', detail: 'Connection refused' },
    };
    const { pass, told } = open(bots);
    await pass(2 * MINUTE_MS);
    const raised = expect.stringMatching(
      /^bot_unreachable: Check TELEGRAM_WEBHOOK_URL.*\(Connection refused\)/,
    );
    expect(await told()).toEqual([raised]);
    bots['telegram'] = { state: 'running', detail: null };
    await pass(3 * MINUTE_MS);
    expect(await told()).toEqual([raised, 'bot_unreachable is over']);
  });

  test('are one alarm; a bot whose token is refused is another, reported on the other platform alone', async () => {
    const bots: Record<string, ConnectionStatus> = {
      discord: { state: 'refused', detail: '4004' },
      telegram: { state: 'refused', detail: '401' },
    };
    const { pass, told } = open(bots);
    await pass(2 * MINUTE_MS);
    const sentence =
      'Discord refuses its token, DISCORD_TOKEN: 4004. It is retried at least every 15 minutes. A new token needs a restart.';
    const raised = `discord_token: ${sentence}`;
    expect(await told()).toEqual([raised]);
    bots['discord'] = { state: 'failing', detail: 'no answer' };
    await pass(3 * MINUTE_MS);
    expect(await told()).toEqual([raised]);
    bots['discord'] = { state: 'running', detail: null };
    await pass(3 * MINUTE_MS);
    expect(await told()).toEqual([raised, 'discord_token is over']);
  });

  test('are reported again when there are newer ones, at most once an hour, and not while nothing changes', async () => {
    const { pass, lose, told } = open();
    await lose(1);
    await pass(HOUR_MS + 10 * MINUTE_MS);
    expect(await told()).toHaveLength(1);

    for (const id of [2, 3, 4]) {
      await lose(id);
      await pass(10 * MINUTE_MS);
    }
    expect(await told()).toHaveLength(2);
    await pass(HOUR_MS);
    expect(await told()).toEqual([
      expect.stringContaining('1 message may'),
      expect.stringContaining('2 messages may'),
      expect.stringContaining('4 messages may'),
    ]);
  });
});
