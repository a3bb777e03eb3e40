import { expect, onTestFinished, test, vi } from 'vitest';
import { createContainer } from '../../src/container.ts';
import type { SteadyClock } from '../../src/core/base/time/clock.ts';
import { MINUTE_MS } from '../../src/core/base/time/duration.ts';
import { systemClock } from '../../src/infra/process/system-clock.ts';
import { createDiscordStandIn, TOKEN } from '../support/chat/discord-stand-in.ts';
import { createPolledPerson } from '../support/chat/polled-person.ts';
import { startTelegram, TELEGRAM_TOKEN } from '../support/chat/telegram-stand-in.ts';
import { configOf } from '../support/config.ts';
import { createRecordingLogger } from '../support/recording-logger.ts';

const ON_TELEGRAM = 42;
const ON_DISCORD = '900000000000000042';
const PATIENCE = { timeout: 20_000, interval: 20 };
const UNAUTHORIZED = { code: 401, description: 'Unauthorized' };

/** Minutes last a fifth of a second, so that a refused token is tried again while the test looks. */
const hastyClock: SteadyClock = {
  now: systemClock.now,
  monotonic: systemClock.monotonic,
  sleep: (ms, signal) => systemClock.sleep(ms >= MINUTE_MS ? 200 : ms, signal),
};

async function open(settings: Readonly<Record<string, string>> = {}) {
  const telegram = await startTelegram();
  telegram.meet(ON_TELEGRAM);
  const discord = await createDiscordStandIn();
  const config = configOf({
    DATABASE_URL: 'sqlite::memory:',
    PORT: '0',
    ROLES: 'api,bots',
    MARKET_SOURCE: 'none',
    SECRET_KEY: 'x'.repeat(43),
    TELEGRAM_BOT_TOKEN: TELEGRAM_TOKEN,
    TELEGRAM_API_ROOT: telegram.url,
    DISCORD_TOKEN: TOKEN,
    DISCORD_API_ROOT: discord.api,
    ADMIN_IDS: `telegram:${ON_TELEGRAM},discord:${ON_DISCORD},discord-role:900000000000000007`,
    ...settings,
  });
  const logger = createRecordingLogger();
  const container = await createContainer(config, { clock: hastyClock, logger });
  onTestFinished(async () => {
    await container.close();
    await Promise.all([telegram.close(), discord.close()]);
  });
  return { telegram, discord, logger, container };
}

async function ready(address: string | null) {
  const answer = await fetch(`${address}/readyz`);
  const { ready: isReady, checks } = (await answer.json()) as {
    ready: boolean;
    checks: { bots: Record<string, unknown> };
  };
  return { status: answer.status, ready: isReady, bots: checks.bots };
}

async function untilBots(address: string | null, bots: object): Promise<void> {
  await vi.waitFor(
    async () => expect(await ready(address)).toMatchObject({ status: 200, ready: true, bots }),
    PATIENCE,
  );
}

test('a token that Telegram refuses fails the check, and the bot resumes when it is accepted', async () => {
  const { telegram, container } = await open();
  const { address } = await container.start();
  await untilBots(address, { ready: true, telegram: { state: 'running' }, discord: { state: 'running' } });

  telegram.failAlways('getUpdates', UNAUTHORIZED);
  telegram.push({});
  await untilBots(address, {
    ready: false,
    telegram: { state: 'refused', detail: 'getUpdates: 401 Unauthorized' },
    discord: { state: 'running' },
  });
  const metrics = await (await fetch(`${address}/metrics`)).text();
  expect(metrics).toContain('tipoff_bot_up{bot="telegram"} 0');
  expect(metrics).toContain('tipoff_bot_up{bot="discord"} 1');
  telegram.failAlways('getUpdates', null);
  expect((await createPolledPerson(telegram, 7).command('/start')).text).toContain('Tipoff');
  await untilBots(address, { ready: true, telegram: { state: 'running', detail: null } });
});

test('a token that Discord refuses fails the check, and the bot resumes when it is accepted', async () => {
  const { discord, container } = await open();
  const { address } = await container.start();
  await untilBots(address, { ready: true, discord: { state: 'running' } });

  discord.gateway.refusals.push(...Array.from({ length: 60 }, () => 4004));
  discord.gateway.drop(4004);
  await untilBots(address, { ready: false, telegram: { state: 'running' }, discord: { state: 'refused' } });
  discord.gateway.refusals.splice(0);
  await untilBots(address, { ready: true, discord: { state: 'running' } });
});

test('without another platform only the log reports it', async () => {
  const { telegram, logger, container } = await open({ DISCORD_TOKEN: '' });
  telegram.failAlways('getMe', UNAUTHORIZED);
  const { address } = await container.start();
  await untilBots(address, { ready: false, telegram: { state: 'refused' } });
  await telegram.answered('getMe', 3);
  expect(logger.lines.filter(({ level }) => level === 'error').map(({ message }) => message)).toEqual([
    'Telegram refused the token in TELEGRAM_BOT_TOKEN; retrying',
  ]);
  expect((await container.database.chat.counts()).pending).toBe(0);
});
