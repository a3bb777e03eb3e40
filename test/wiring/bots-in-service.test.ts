import { expect, onTestFinished, test, vi } from 'vitest';
import { createContainer } from '../../src/container.ts';
import type { SteadyClock } from '../../src/core/base/time/clock.ts';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../src/core/base/time/duration.ts';
import { systemClock } from '../../src/infra/process/system-clock.ts';
import { createDiscordStandIn, TOKEN } from '../support/chat/discord-stand-in.ts';
import { CHANNEL, GUILD } from '../support/chat/discord-wire.ts';
import { noteFor } from '../support/chat/messages.ts';
import { createPolledPerson } from '../support/chat/polled-person.ts';
import { startTelegram, TELEGRAM_TOKEN } from '../support/chat/telegram-stand-in.ts';
import { configOf } from '../support/config.ts';
import { PATIENT } from '../support/lanes/patient.ts';
import { createRecordingLogger } from '../support/recording-logger.ts';

const OPERATOR = 42;
const UNAUTHORIZED = { code: 401, description: 'Unauthorized' };

/** Minutes last a fifth of a second, so that what was refused is tried again while the test looks. */
const hastyClock = hastyFrom(MINUTE_MS);

/** A pause of this length, or a longer one, lasts a fifth of a second. */
function hastyFrom(shortestMs: number): SteadyClock {
  return {
    now: systemClock.now,
    monotonic: systemClock.monotonic,
    sleep: (ms, signal) => systemClock.sleep(ms >= shortestMs ? 200 : ms, signal),
  };
}

type Platforms = Pick<Awaited<ReturnType<typeof open>>, 'telegram' | 'discord'>;

async function open(
  settings: Readonly<Record<string, string>> = {},
  prepare: (platforms: Platforms) => void = () => {},
  clock = hastyClock,
) {
  const [telegram, discord] = [await startTelegram(), await createDiscordStandIn()];
  telegram.meet(OPERATOR);
  prepare({ telegram, discord });
  const config = configOf({
    DATABASE_URL: 'sqlite::memory:',
    PORT: '0',
    MARKET_SOURCE: 'none',
    SECRET_KEY: 'x'.repeat(43),
    TELEGRAM_BOT_TOKEN: TELEGRAM_TOKEN,
    TELEGRAM_API_ROOT: telegram.url,
    DISCORD_TOKEN: TOKEN,
    DISCORD_API_ROOT: discord.api,
    ADMIN_IDS: `telegram:${OPERATOR},discord-role:900000000000000007`,
    ...settings,
  });
  const logger = createRecordingLogger();
  const container = await createContainer(config, { clock, logger });
  onTestFinished(async () => {
    await container.close();
    await Promise.all([telegram.close(), discord.close()]);
  });
  const { address } = await container.start();
  const get = (path: string, headers = {}) => fetch(`${address}${path}`, { headers });
  const metrics = async () => (await get('/metrics')).text();
  const untilBots = (bots: object) =>
    vi.waitFor(async () => {
      const answer = await get('/readyz');
      expect([answer.status, await answer.json()]).toMatchObject([200, { ready: true, checks: { bots } }]);
    });
  return { telegram, discord, logger, container, address, get, metrics, untilBots };
}

test('a token that a platform refuses fails the check, and the bot resumes when it is accepted', async () => {
  const { telegram, discord, metrics, untilBots } = await open();
  const running = { state: 'running' };
  await untilBots({ ready: true, telegram: running, discord: running });

  telegram.failAlways('getUpdates', UNAUTHORIZED);
  telegram.push({});
  const refused = { state: 'refused', detail: 'getUpdates: 401 Unauthorized' };
  await untilBots({ ready: false, telegram: refused, discord: running });
  expect(await metrics()).toMatch(/^tipoff_bot_up\{bot="telegram"\} 0$/m);
  expect(await metrics()).toMatch(/^tipoff_bot_up\{bot="discord"\} 1$/m);
  telegram.failAlways('getUpdates', null);
  expect((await createPolledPerson(telegram, 7).command('/start')).text).toContain('Tipoff');
  await untilBots({ ready: true, telegram: { state: 'running', detail: null } });

  discord.gateway.refusals.push(...Array.from({ length: 60 }, () => 4004));
  discord.gateway.drop(4004);
  await untilBots({ ready: false, telegram: running, discord: { state: 'refused' } });
  discord.gateway.refusals.splice(0);
  await untilBots({ ready: true, discord: running });
});

test('without another platform only the log reports a refused token', async () => {
  const { telegram, logger, container, untilBots } = await open({ DISCORD_TOKEN: '' }, (platforms) =>
    platforms.telegram.failAlways('getMe', UNAUTHORIZED),
  );
  await untilBots({ ready: false, telegram: { state: 'refused' } });
  await telegram.answered('getMe', 3);
  expect(logger.lines.filter(({ level }) => level === 'error').map(({ message }) => message)).toEqual([
    'Telegram refused the token in TELEGRAM_BOT_TOKEN; retrying',
  ]);
  expect((await container.database.chat.counts(0)).pending).toBe(0);
});

test('a wrong channel and a missing PUBLIC_URL are named in the log, /readyz, /metrics and /health, until they are mended', async () => {
  const channels = {
    TELEGRAM_CHANNEL_ID: '@typo_channel',
    DISCORD_GUILD_ID: GUILD,
    DISCORD_CHANNEL_ID: CHANNEL,
  };
  const { telegram, discord, logger, address, get, metrics, untilBots } = await open(
    channels,
    (platforms) => {
      platforms.telegram.unknownChats.add('@typo_channel');
      platforms.discord.server.channelError = 50_001;
    },
  );
  await untilBots({ missing: ['public_url', 'telegram_channel', 'discord_channel'] });
  const outside = await get('/readyz', { 'x-forwarded-for': '1.2.3.4' });
  expect(await outside.json()).toEqual({ ready: true, failing: [] });
  const warnings = logger.lines.filter(({ level }) => level === 'warn').map(({ fields }) => fields);
  expect(warnings).toEqual(
    expect.arrayContaining([
      { missing: 'public_url', remedy: expect.stringContaining(String(address)) },
      { missing: 'telegram_channel', remedy: expect.stringContaining('@typo_channel') },
      { missing: 'discord_channel', remedy: expect.stringContaining('DISCORD_CHANNEL_ID') },
    ]),
  );
  expect(await metrics()).toContain('tipoff_bot_setup_missing{bot="telegram"} 1');
  const operator = createPolledPerson(telegram, OPERATOR);
  await vi.waitFor(
    async () => expect((await operator.command('/health')).text).toContain('missing: TELEGRAM_CHANNEL_ID'),
    { ...PATIENT, interval: 500 },
  );

  telegram.unknownChats.clear();
  discord.server.channelError = null;
  await untilBots({ missing: ['public_url'] });
  const over = logger.lines.filter(({ message }) => message.includes('that was missing'));
  expect(over.map(({ fields }) => fields)).toEqual(
    expect.arrayContaining([{ missing: 'telegram_channel' }, { missing: 'discord_channel' }]),
  );
});

test('what an earlier engine of the same process has claimed may have been sent, and is not sent again', async () => {
  const { container, untilBots } = await open({ DISCORD_TOKEN: '' }, () => {}, hastyFrom(10 * SECOND_MS));
  await untilBots({ telegram: { state: 'running' } });
  const { chat, worker } = container.database;
  const { owner } = (await worker.get()) ?? expect.fail('no worker');
  const note = noteFor(`operator:telegram:${OPERATOR}`, { dueAt: Date.now() + DAY_MS });
  await chat.add([note]);
  expect(await chat.claim(note.id, { owner: `${owner}#1`, at: Date.now() - MINUTE_MS })).toBe(true);

  await vi.waitFor(async () => expect(await chat.byId(note.id)).not.toMatchObject({ state: 'sending' }));
  expect(await chat.byId(note.id)).toMatchObject({ state: 'unknown' });
});
