import { once } from 'node:events';
import { afterAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { DAY_MS } from '../../src/core/base/time/duration.ts';
import { createDiscordPerson } from '../support/chat/discord-driver.ts';
import { createDiscordStandIn, type DiscordStandIn, TOKEN } from '../support/chat/discord-stand-in.ts';
import { CHANNEL, GUILD } from '../support/chat/discord-wire.ts';
import { createPolledPerson } from '../support/chat/polled-person.ts';
import { startTelegram, TELEGRAM_TOKEN, type TelegramStandIn } from '../support/chat/telegram-stand-in.ts';
import { letTimePass } from '../support/moving-date.ts';
import { onRunningService, type RunningService } from './service.ts';

const OPERATOR = 42;
const COMMUNITY = '-1001234567890';

interface Platforms {
  readonly telegram: TelegramStandIn;
  readonly discord: DiscordStandIn;
}

const opened: Platforms[] = [];

async function openPlatforms(): Promise<Readonly<Record<string, string>>> {
  const platforms = { telegram: await startTelegram(), discord: await createDiscordStandIn() };
  opened.push(platforms);
  platforms.telegram.chat = { invite_link: 'https://t.me/+community' };
  return {
    ROLES: 'all',
    TELEGRAM_BOT_TOKEN: TELEGRAM_TOKEN,
    TELEGRAM_API_ROOT: platforms.telegram.url,
    TELEGRAM_CHANNEL_ID: COMMUNITY,
    DISCORD_TOKEN: TOKEN,
    DISCORD_API_ROOT: platforms.discord.api,
    DISCORD_GUILD_ID: GUILD,
    DISCORD_CHANNEL_ID: CHANNEL,
    ADMIN_IDS: `telegram:${OPERATOR}`,
  };
}

afterAll(async () => {
  await Promise.all(opened.flatMap(({ telegram, discord }) => [telegram.close(), discord.close()]));
});

function platformsNow(): Platforms {
  const platforms = opened.at(-1);
  if (platforms === undefined) throw new Error('no platform is open');
  return platforms;
}

function keyIn(text: string): string {
  return /sk_live_[\w-]{43}/.exec(text)?.[0] ?? '';
}

async function socketOf({ address }: RunningService, key: string): Promise<WebSocket> {
  const socket = new WebSocket(`${address.replace('http', 'ws')}/ws/alerts?api_key=${key}`);
  await once(socket, 'message');
  return socket;
}

/** Expects the rights of a key from the chat immediately and 30 days later. `meanwhile` runs in between. */
async function expectTrial(
  service: RunningService,
  key: string,
  meanwhile: () => Promise<unknown> = async () => {},
): Promise<void> {
  const { call, clock } = service;
  expect((await call('/me', { key })).body).toMatchObject({ tier: 'pro', rate_limit: '300/min' });
  const socket = await socketOf(service, key);
  const closed = once(socket, 'close');
  await meanwhile();

  clock.advance(30 * DAY_MS);

  expect((await closed)[0]).toBe(4403);
  expect((await call('/me', { key })).body).toMatchObject({
    tier: 'free',
    rate_limit: '60/min',
    websocket: false,
  });
  const latest = await call('/alerts/latest', { key });
  expect([latest.status, latest.headers.get('ratelimit-limit')]).toEqual([200, '60']);
}

onRunningService(
  'contract, Authentication: the chat',
  (service) => {
    test('Free and Pro keys are issued instantly through an automated chat-bot flow, after which the user joins a community channel and picks a tier. Enterprise keys are provisioned manually by the operator on request. On Telegram. Pro keys are free for the first 30 days and then downgrade to Free automatically.', async () => {
      letTimePass(service().clock);
      const { telegram } = platformsNow();
      const [person, operator] = [createPolledPerson(telegram, 7), createPolledPerson(telegram, OPERATOR)];
      telegram.members.set(person.id, { status: 'left' });
      await person.command('/start');
      expect((await person.tap('Get a key')).buttons).toContain('I have joined');
      telegram.members.set(person.id, { status: 'member' });
      await person.tap('I have joined');
      const key = keyIn((await person.tap('Pro key, 30 days free')).text);

      await expectTrial(service(), key, async () =>
        expect(await person.reads('for the first time')).toContain('works'),
      );

      const provisioned = keyIn((await operator.command('/provision Desk')).text);
      expect((await service().call('/me', { key: provisioned })).body).toMatchObject({
        tier: 'enterprise',
        name: 'Desk',
      });
    });

    test('Free and Pro keys are issued instantly through an automated chat-bot flow, after which the user joins a community channel and picks a tier. Enterprise keys are provisioned manually by the operator on request. On Discord. Pro keys are free for the first 30 days and then downgrade to Free automatically.', async () => {
      const { discord } = platformsNow();
      const person = createDiscordPerson(discord, { id: discord.snowflake(), name: 'ann' }, 'guild');
      person.setMembership('not_member');
      await person.command('start');
      expect((await person.tap('Get a key')).buttons).toContain('I have joined');
      person.setMembership('member');
      await person.tap('I have joined');
      const key = keyIn((await person.tap('Pro key, 30 days free')).text);

      await expectTrial(service(), key);
    });
  },
  openPlatforms,
);
