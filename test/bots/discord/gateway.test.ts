import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { Gateway } from '../../../bots/discord/gateway.ts';
import { MINUTE_MS } from '../../../src/core/base/time/duration.ts';
import { systemClock } from '../../../src/infra/process/system-clock.ts';
import { type DiscordFixture, openDiscordFixture, untilState } from '../../support/chat/discord-driver.ts';
import { TOKEN } from '../../support/chat/discord-stand-in.ts';
import { createFakeClock } from '../../support/clock.ts';
import { createRecordingLogger } from '../../support/recording-logger.ts';

const MESSAGE_CONTENT = 1 << 15;

let rig: DiscordFixture;
let log = createRecordingLogger();
beforeEach(() => {
  log = createRecordingLogger();
});
afterEach(() => {
  expect(JSON.stringify(log.lines)).not.toContain(TOKEN.slice(4));
});

async function open(deps: Parameters<typeof openDiscordFixture>[0] = {}) {
  rig = await openDiscordFixture({ logger: log, clock: systemClock, ...deps });
  return rig;
}

async function openStill(fault: (standIn: DiscordFixture['standIn']) => unknown = () => {}) {
  const clock = createFakeClock(0);
  const { standIn, bot } = await open({ clock });
  fault(standIn);
  await bot.start();
  return { clock };
}

const answersAnn = async () => expect((await rig.person('ann').command('start')).text).toBe('Hello.');

const messages = (level: string) =>
  log.lines.filter((line) => line.level === level).map(({ message }) => message);

const isRefusal = ({ message }: { readonly message: string }) => message.includes('refused DISCORD_TOKEN');

describe('the connection to Discord', () => {
  test('a token that the gateway refuses is tried again after a minute, until it is taken', async () => {
    const clock = createFakeClock(0);
    await open({ clock });
    rig.standIn.gateway.refusals.push(4004);
    await rig.bot.start();
    await vi.waitFor(() => expect(log.lines.filter(isRefusal)).toHaveLength(1));
    await clock.asleep();
    const detail = 'Discord closed the connection: 4004 AuthenticationFailed';
    expect(rig.bot.status()).toMatchObject({ state: 'refused', detail });
    await clock.advance(MINUTE_MS);
    await untilState(rig.bot, 'running');
    // The commands are registered at the same time, and their line may come before or after.
    expect(messages('info').filter((line) => line === 'Discord accepts DISCORD_TOKEN again')).toHaveLength(1);
    await answersAnn();
  });

  test('without the right to read messages it runs without them, and logs a warning', async () => {
    await open();
    rig.standIn.gateway.refusals.push(4014);
    await rig.bot.start();
    await untilState(rig.bot, 'running');
    const [first = 0, second = 0] = rig.standIn.gateway.identified;
    expect([first & MESSAGE_CONTENT, second & MESSAGE_CONTENT]).toEqual([MESSAGE_CONTENT, 0]);
    expect(messages('warn').join()).toContain('Message Content Intent');
    expect(rig.bot.status().missing).toEqual([
      { name: 'discord_message_content', remedy: expect.stringContaining('restart the service') },
    ]);
    await answersAnn();
  });

  test('without a server it does not ask to read messages', async () => {
    await open({ guildId: null });
    await rig.bot.start();
    await untilState(rig.bot, 'running');
    expect((rig.standIn.gateway.identified[0] ?? 0) & MESSAGE_CONTENT).toBe(0);
  });

  test('a fault at the start is tried again, later each time', async () => {
    const { clock } = await openStill((standIn) => standIn.fault(/gateway\/bot/, { status: 500 }, 6));
    for (const waitMs of [1_000, 2_000]) {
      await clock.asleep();
      expect(rig.bot.status().state).toBe('failing');
      expect(log.lines.at(-1)?.fields).toMatchObject({ waitMs });
      await clock.advance(waitMs);
    }
    await untilState(rig.bot, 'running');
  });

  test('a gateway that answers with a fault is tried again, by one client alone', async () => {
    const { clock } = await openStill((standIn) => standIn.gateway.refuseConnections(502, 1));
    await clock.asleep();
    expect(rig.bot.status()).toMatchObject({ state: 'failing', detail: 'Unexpected server response: 502' });
    await clock.advance(1_000);
    await untilState(rig.bot, 'running');
    // discord.js would reconnect on its own half a second after the fault.
    await new Promise((resolve) => setTimeout(resolve, 700));
    expect(rig.standIn.gateway.identified).toHaveLength(1);
    expect(rig.standIn.gateway.sockets).toBe(1);
  });

  test('a client that cannot be made is logged with why, and tried again', async () => {
    const clock = createFakeClock(0);
    const attach = vi.fn<() => void>().mockImplementationOnce(() => {
      throw new Error('no such event');
    });
    const { standIn } = await open();
    const gateway = new Gateway({
      token: TOKEN,
      apiRoot: standIn.api,
      rest: { agent: null },
      readsMessages: false,
      clock,
      logger: log,
      attach,
    });
    onTestFinished(() => gateway.close());
    gateway.start();
    await clock.asleep();
    expect(gateway.status).toEqual({ state: 'failing', detail: 'no such event' });
    expect(log.lines.at(-1)?.fields).toEqual({ reason: 'no such event', waitMs: 1_000 });
    await clock.advance(1_000);
    await vi.waitFor(() => expect(gateway.status.state).toBe('running'));
  });

  test('a code that discord.js gives up on is tried again with a new client', async () => {
    const { clock } = await openStill();
    await untilState(rig.bot, 'running');
    rig.standIn.gateway.drop(4011);
    await clock.asleep();
    expect(rig.bot.status()).toMatchObject({ state: 'failing' });
    await clock.advance(1_000);
    await untilState(rig.bot, 'running');
    await answersAnn();
    expect(rig.standIn.gateway.sockets).toBe(1);
  });

  test.each([
    ['is cut', 1006],
    ['is closed by Discord', 4000],
  ])('when it %s it is resumed, and what happened in between arrives', async (_, code) => {
    await open();
    await rig.bot.start();
    await untilState(rig.bot, 'running');
    rig.standIn.gateway.drop(code);
    await untilState(rig.bot, 'failing');
    const screen = await rig.person('ann').command('start');
    expect(screen.text).toBe('Hello.');
    expect(rig.standIn.gateway.resumed).toBe(1);
    await untilState(rig.bot, 'running');
  });

  test('a command that Discord does not register is tried again', async () => {
    const { clock } = await openStill((standIn) => standIn.fault(/^PUT/, { status: 500 }));
    await untilState(rig.bot, 'running');
    await clock.asleep();
    expect(rig.standIn.commands.guild).toEqual([]);
    await clock.advance(30_000);
    await vi.waitFor(() => expect(rig.standIn.commands.guild).toHaveLength(3));
  });
});

describe('closing', () => {
  test('between two tries to connect it ends them', async () => {
    await open();
    await rig.bot.start();
    await untilState(rig.bot, 'running');
    rig.standIn.gateway.drop(1006);
    await untilState(rig.bot, 'failing');
    await rig.bot.close();
    const { resumed, sockets } = rig.standIn.gateway;
    // discord.js waits half a second between two tries.
    await new Promise((resolve) => setTimeout(resolve, 700));
    expect([rig.standIn.gateway.resumed, rig.standIn.gateway.sockets]).toEqual([resumed, sockets]);
    expect(sockets).toBe(0);
  });
});
