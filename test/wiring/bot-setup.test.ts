import { expect, onTestFinished, test, vi } from 'vitest';
import { createContainer } from '../../src/container.ts';
import type { SteadyClock } from '../../src/core/base/time/clock.ts';
import { MINUTE_MS } from '../../src/core/base/time/duration.ts';
import { systemClock } from '../../src/infra/process/system-clock.ts';
import { createDiscordStandIn, TOKEN } from '../support/chat/discord-stand-in.ts';
import { CHANNEL, GUILD } from '../support/chat/discord-wire.ts';
import { createPolledPerson } from '../support/chat/polled-person.ts';
import { startTelegram, TELEGRAM_TOKEN } from '../support/chat/telegram-stand-in.ts';
import { configOf } from '../support/config.ts';
import { createRecordingLogger } from '../support/recording-logger.ts';

const PATIENCE = { timeout: 20_000, interval: 20 };
const OPERATOR = 42;

/** Minutes last a fifth of a second, so that the setup is checked again while the test looks. */
const hastyClock: SteadyClock = {
  now: systemClock.now,
  monotonic: systemClock.monotonic,
  sleep: (ms, signal) => systemClock.sleep(ms >= MINUTE_MS ? 200 : ms, signal),
};

async function open() {
  const telegram = await startTelegram();
  const discord = await createDiscordStandIn();
  const config = configOf({
    DATABASE_URL: 'sqlite::memory:',
    PORT: '0',
    ROLES: 'api,bots',
    MARKET_SOURCE: 'none',
    SECRET_KEY: 'x'.repeat(43),
    TELEGRAM_BOT_TOKEN: TELEGRAM_TOKEN,
    TELEGRAM_API_ROOT: telegram.url,
    TELEGRAM_CHANNEL_ID: '@typo_channel',
    DISCORD_TOKEN: TOKEN,
    DISCORD_API_ROOT: discord.api,
    DISCORD_GUILD_ID: GUILD,
    DISCORD_CHANNEL_ID: CHANNEL,
    ADMIN_IDS: `telegram:${OPERATOR}`,
  });
  const logger = createRecordingLogger();
  telegram.meet(OPERATOR);
  telegram.unknownChats.add('@typo_channel');
  discord.server.channelError = 50_001;
  const container = await createContainer(config, { clock: hastyClock, logger });
  onTestFinished(async () => {
    await container.close();
    await Promise.all([telegram.close(), discord.close()]);
  });
  const { address } = await container.start();
  return { telegram, discord, logger, address: address ?? '' };
}

async function readyz(address: string, headers: Record<string, string> = {}) {
  const answer = await fetch(`${address}/readyz`, { headers });
  return { status: answer.status, ...((await answer.json()) as { checks: { bots: object } }) };
}

test('a wrong channel and a missing PUBLIC_URL are named in the log, /readyz, /metrics and /health, until they are mended', async () => {
  const { telegram, discord, logger, address } = await open();
  const missing = ['public_url', 'telegram_channel', 'discord_channel'];
  await vi.waitFor(
    async () => expect(await readyz(address)).toMatchObject({ status: 200, checks: { bots: { missing } } }),
    PATIENCE,
  );
  const outside = await readyz(address, { 'x-forwarded-for': '1.2.3.4' });
  expect(outside).toEqual({ status: 200, ready: true, failing: [] });
  const warnings = logger.lines.filter(({ level }) => level === 'warn').map(({ fields }) => fields);
  expect(warnings).toEqual(
    expect.arrayContaining([
      { missing: 'public_url', remedy: expect.stringContaining(address) },
      { missing: 'telegram_channel', remedy: expect.stringContaining('@typo_channel') },
      { missing: 'discord_channel', remedy: expect.stringContaining('DISCORD_CHANNEL_ID') },
    ]),
  );
  const metrics = await (await fetch(`${address}/metrics`)).text();
  expect(metrics).toContain('tipoff_bot_setup_missing{bot="telegram"} 1');
  const operator = createPolledPerson(telegram, OPERATOR);
  await vi.waitFor(
    async () => expect((await operator.command('/health')).text).toContain('missing: TELEGRAM_CHANNEL_ID'),
    { timeout: 25_000, interval: 500 },
  );

  telegram.unknownChats.clear();
  discord.server.channelError = null;
  await vi.waitFor(
    async () => expect((await readyz(address)).checks.bots).toMatchObject({ missing: ['public_url'] }),
    PATIENCE,
  );
  const over = logger.lines.filter(({ message }) => message.includes('that was missing'));
  expect(over.map(({ fields }) => fields)).toEqual(
    expect.arrayContaining([{ missing: 'telegram_channel' }, { missing: 'discord_channel' }]),
  );
}, 60_000);
