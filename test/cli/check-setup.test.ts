import { readFile } from 'node:fs/promises';
import { expect, onTestFinished, test } from 'vitest';
import { createDiscordStandIn, TOKEN } from '../support/chat/discord-stand-in.ts';
import { CHANNEL, GUILD } from '../support/chat/discord-wire.ts';
import { ALL_RIGHTS } from '../support/chat/telegram-chats.ts';
import { startTelegram, TELEGRAM_TOKEN } from '../support/chat/telegram-stand-in.ts';
import { runTipoff } from '../support/run-tipoff.ts';

const TELEGRAM_CHANNEL = '-1001234567890';
const ADMIN_TOKEN = `987654321:${TELEGRAM_TOKEN.split(':')[1]}`;

async function openFixture() {
  const telegram = await startTelegram();
  const discord = await createDiscordStandIn();
  telegram.chat = { type: 'channel' };
  onTestFinished(async () => {
    await Promise.all([telegram.close(), discord.close()]);
  });
  const bots = {
    TELEGRAM_BOT_TOKEN: TELEGRAM_TOKEN,
    TELEGRAM_ADMIN_BOT_TOKEN: ADMIN_TOKEN,
    TELEGRAM_CHANNEL_ID: TELEGRAM_CHANNEL,
    DISCORD_TOKEN: TOKEN,
    DISCORD_GUILD_ID: GUILD,
    DISCORD_CHANNEL_ID: CHANNEL,
    ADMIN_IDS: 'telegram:99',
    PUBLIC_URL: 'https://api.example.com',
  };
  const check = (settings: Readonly<Record<string, string>> = bots) => {
    const { PATH, NODE_COMPILE_CACHE } = process.env;
    const roots = { TELEGRAM_API_ROOT: telegram.url, DISCORD_API_ROOT: discord.api };
    const env = { PATH, NODE_COMPILE_CACHE, ...roots, ...settings };
    return runTipoff(['admin', 'check'], env);
  };
  return { telegram, discord, bots, check };
}

const linesOf = (out: string, word: string) => out.split('\n').filter((line) => line.startsWith(word));

test('tipoff admin check proves each channel by a silent post that is edited and deleted, and exits with 0', async () => {
  const { telegram, discord, check } = await openFixture();
  telegram.meet(99);
  const { code, out, err } = await check();
  expect([code, err, linesOf(out, 'missing')]).toEqual([0, '', []]);
  expect(linesOf(out, 'ok').map((line) => line.split(/\s+/)[1])).toEqual(
    expect.arrayContaining([
      ...['public_url', 'telegram_bot_token', 'telegram_post_messages', 'telegram_test_delete'],
      ...['telegram_admin_bot_token', 'telegram_operators', 'discord_token', 'discord_test_delete'],
    ]),
  );
  const page = await readFile('docs/bots.md', 'utf8');
  const items = linesOf(out, 'ok').map((line) => line.split(/\s+/)[1] ?? '');
  const explained = items.filter((name) => !/_token$|_test_/.test(name));
  expect(explained.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
  expect(telegram.messages(TELEGRAM_CHANNEL)).toEqual([]);
  expect(discord.messages.size).toBe(0);
});

test('each missing thing is a line with its remedy, and the exit code is 1', async () => {
  const { telegram, discord, bots, check } = await openFixture();
  telegram.bot = { ...ALL_RIGHTS, can_post_messages: false };
  discord.server.channelError = 50_001;
  const { PUBLIC_URL: _, ...settings } = bots;
  const { code, out } = await check(settings);
  expect(code).toBe(1);
  expect(linesOf(out, 'missing')).toEqual([
    expect.stringContaining('public_url: set PUBLIC_URL'),
    expect.stringContaining('telegram_post_messages: the bot is an administrator: give it the right'),
    expect.stringContaining('telegram_test_post: refused'),
    expect.stringContaining('telegram_operators: ADMIN_IDS: write /start to the bot from the account 99'),
    expect.stringContaining('discord_channel: DISCORD_CHANNEL_ID'),
    expect.stringContaining('discord_test_post: refused'),
  ]);
});

test('without a token check says which setting it needs, and exits with 2', async () => {
  const { check } = await openFixture();
  expect(await check({})).toMatchObject({ code: 2, err: expect.stringContaining('TELEGRAM_BOT_TOKEN') });
});
