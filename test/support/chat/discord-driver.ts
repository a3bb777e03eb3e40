import { MessageFlags } from 'discord.js';
import { expect, onTestFinished, vi } from 'vitest';
import { DiscordBot, type DiscordBotOptions } from '../../../bots/discord/discord-bot.ts';
import { DiscordCommunity } from '../../../bots/discord/discord-community.ts';
import { DiscordMessenger } from '../../../bots/discord/discord-messenger.ts';
import { createDiscordRest } from '../../../bots/discord/discord-rest.ts';
import { DiscordSetup } from '../../../bots/discord/discord-setup.ts';
import type { BotStatus, ChatBot } from '../../../bots/shared/chat-bot.ts';
import { createFakeClock } from '../clock.ts';
import { recordingLogger } from '../recording-logger.ts';
import { START } from '../rows.ts';
import { readMarkdown } from './discord-rules.ts';
import { createDiscordStandIn, type DiscordStandIn, TOKEN } from './discord-stand-in.ts';
import {
  CHANNEL,
  dmOf,
  EPHEMERAL,
  type Fault,
  GUILD,
  type Interaction,
  type InteractOptions,
  OPERATOR_ROLE,
  type Outcome,
  type StandInMessage,
} from './discord-wire.ts';
import {
  ATTEMPT_MS,
  type ChatPerson,
  FLOOD_SECONDS,
  type OpenRig,
  type RigCall,
  type RigFault,
  type RigMessage,
  type RigPerson,
  type SeenScreen,
} from './driver.ts';
import { scriptedConversation } from './scripted-conversation.ts';

export type DiscordFixture = Awaited<ReturnType<typeof openDiscordFixture>>;

export interface DiscordPerson extends ChatPerson {
  readonly id: string;
  newest(): StandInMessage | null;
  /** As `command`, before the answer. */
  sendCommand(name: string, argument?: string): Interaction;
  press(customId: string, on: StandInMessage): Interaction;
}

interface DiscordFixtureOptions extends Partial<DiscordBotOptions> {
  readonly timeoutMs?: number;
  readonly standIn?: DiscordStandIn;
}

export async function openDiscordFixture(options: DiscordFixtureOptions = {}) {
  const standIn = options.standIn ?? (await createDiscordStandIn());
  const { token = TOKEN, guildId = GUILD, console = null, timeoutMs = 10_000 } = options;
  const clock = createFakeClock(START);
  const { logger: recorder, log } = recordingLogger();
  const { logger = recorder } = options;
  const rest = createDiscordRest({ token, apiRoot: standIn.api, timeoutMs });
  const community = new DiscordCommunity({ rest, guildId, channelId: CHANNEL, clock, logger });
  const scripted = scriptedConversation();
  const { conversation = scripted } = options;
  const bot = new DiscordBot({
    ...{ token, guildId, rest, console, logger, apiRoot: standIn.api },
    conversation,
    messenger: new DiscordMessenger({ rest, channelId: CHANNEL, clock: options.clock ?? clock }),
    leakGuard: options.leakGuard ?? { inspect: async () => false },
    clock: options.clock ?? clock,
  });
  onTestFinished(async () => {
    await bot.close();
    if (options.standIn === undefined) await standIn.close();
  });
  const names = new Map<string, string>();
  return {
    ...{ standIn, bot, community, conversation: scripted, clock, log },
    person(name: string, place: 'guild' | 'dm' = 'guild') {
      const id = names.get(name) ?? standIn.snowflake();
      names.set(name, id);
      return createDiscordPerson(standIn, { id, name }, place);
    },
  };
}

export async function startDiscordFixture(options: DiscordFixtureOptions = {}) {
  const fixture = await openDiscordFixture(options);
  await fixture.bot.start();
  await untilState(fixture.bot, 'running');
  return fixture;
}

export async function untilState(bot: ChatBot, state: BotStatus['state']): Promise<void> {
  await vi.waitFor(() => expect(bot.status().state).toBe(state));
}

export const openDiscordRig: OpenRig = async ({ isStarted = true, ...options } = {}) => {
  const open = isStarted ? startDiscordFixture : openDiscordFixture;
  const { standIn, ...fixture } = await open({ ...options, timeoutMs: ATTEMPT_MS });
  const all = () => [...standIn.messages.values()];
  const person = (name: string): RigPerson => {
    const discordPerson = fixture.person(name);
    const { id, sendCommand } = discordPerson;
    return {
      ...discordPerson,
      messages: () =>
        all()
          .filter(({ channelId, flags }) => flags === EPHEMERAL || channelId === dmOf(id))
          .map(toRigMessage),
      send(line, times = 1) {
        const [, command, argument] = /^\/(\w+) ?(.*)$/.exec(line) ?? [];
        if (command === undefined) return void standIn.write({ id, name }, line, 'dm');
        const given = sendCommand(command, argument === '' ? undefined : argument);
        for (let time = 1; time < times; time += 1) standIn.repeat(given.id);
      },
      look() {
        const shown = discordPerson.newest();
        // The bot may have written since, without an interaction.
        const message = all().findLast((one) => one === shown || one.channelId === dmOf(id));
        if (message === undefined) throw new Error('there is no message');
        const idOf = (label: string) => componentOf(message, label)?.custom_id ?? '';
        return { press: (label) => void discordPerson.press(idOf(label), message) };
      },
    };
  };
  const callsTo = (route: RegExp) =>
    standIn.calls.filter(({ method, path }) => route.test(`${method} ${path}`)).length;
  const rest = createDiscordRest({ token: TOKEN, apiRoot: standIn.api, timeoutMs: ATTEMPT_MS });
  return {
    ...fixture,
    setup: new DiscordSetup({ rest, guildId: GUILD, channelId: CHANNEL }),
    person,
    operator() {
      const operator = person('op');
      standIn.roles.set(operator.id, [OPERATOR_ROLE]);
      return operator;
    },
    publish(text, { isEdit = false, fields = {} } = {}) {
      const event = isEdit ? 'MESSAGE_UPDATE' : 'MESSAGE_CREATE';
      const id = standIn.write({ id: standIn.snowflake(), name: 'someone' }, text, 'guild', event, fields);
      return () => standIn.messages.has(id);
    },
    inChannel: () =>
      all()
        .filter(({ channelId, flags }) => channelId === CHANNEL && flags !== EPHEMERAL)
        .map(toRigMessage),
    fail: (call, fault, times) => standIn.fault(ROUTES[call], FAULTS[fault], times),
    calls: (call) => callsTo(ROUTES[call]),
    allCalls: () => standIn.calls.length,
  };
};

const ROUTES: Readonly<Record<RigCall, RegExp>> = {
  start: /^GET \/gateway\/bot$/,
  send: /^POST \/channels\/\d+\/messages$/,
  edit: /^PATCH \/channels/,
  remove: /^DELETE/,
  member: /^GET \/guilds\/\d+\/members/,
  invitation: /invites$/,
  setup: /^GET \/guilds\/\d+$/,
};

const FAULTS: Readonly<Record<RigFault, Fault>> = {
  'server error': { status: 502 },
  lost: { hang: true, after: true },
  silence: { hang: true },
  flood: { status: 429, retryAfter: FLOOD_SECONDS },
  blocked: { status: 403, code: 50_007 },
  'shut out': { status: 403, code: 50_001 },
  'no right': { status: 403, code: 50_013 },
  deleted: { status: 404, code: 10_008 },
  'token refused': { status: 401 },
  refused: { status: 400, code: 50_006 },
};

function toRigMessage(message: StandInMessage): RigMessage {
  const { channelId, pictures, repliesTo, flags } = message;
  const [picture = null] = pictures;
  const replyTo = repliesTo === null ? null : `${channelId}:${repliesTo}`;
  return { ...seen(message), picture, replyTo, isSilent: (flags & MessageFlags.SuppressNotifications) !== 0 };
}

type Component = { type: number; label?: string; custom_id?: string; url?: string; options?: Option[] };
interface Option {
  readonly label: string;
  readonly value: string;
}

export function createDiscordPerson(
  standIn: DiscordStandIn,
  who: { readonly id: string; readonly name: string },
  place: 'guild' | 'dm',
): DiscordPerson {
  let newest: StandInMessage | null = null;

  const interact = (options: Omit<InteractOptions, 'place'>) => standIn.interact(who, { ...options, place });
  const press = (customId: string, on: StandInMessage) =>
    interact({ type: 3, data: { component_type: 2, custom_id: customId }, on });

  function see(outcome: Outcome): SeenScreen {
    if (outcome.kind === 'form') throw new Error('Discord shows a form, not a screen');
    newest = outcome.message;
    return seen(newest);
  }

  function sendCommand(name: string, argument?: string): Interaction {
    const option = optionNameOf(standIn, name);
    const options = argument === undefined ? [] : [{ type: 3, name: option, value: argument }];
    return interact({ type: 2, data: { id: standIn.snowflake(), type: 1, name, options } });
  }

  return {
    id: who.id,
    newest: () => newest,
    sendCommand,
    press,
    command: async (name, argument) => see(await sendCommand(name, argument).outcome),
    async tap(label) {
      const on = newest;
      const component = on === null ? undefined : componentOf(on, label);
      if (on === null || component === undefined) throw new Error(`there is no button "${label}"`);
      if (component.options === undefined) return see(await press(component.custom_id ?? '', on).outcome);
      const values = component.options.filter((option) => option.label === label).map(({ value }) => value);
      const data = { component_type: 3, custom_id: component.custom_id, values };
      return see(await interact({ type: 3, data, on }).outcome);
    },
    async type(text) {
      const on = newest;
      const ask = on === null ? undefined : partsOf(on).find(isAsk);
      if (on === null || ask === undefined) {
        const answer = standIn.nextMessage(dmOf(who.id));
        standIn.write(who, text, 'dm');
        return see({ kind: 'message', message: await answer });
      }
      const outcome = await press(ask.custom_id ?? '', on).outcome;
      if (outcome.kind !== 'form') throw new Error('no form was shown');
      const field = { type: 4, custom_id: 'text', value: text };
      const data = { custom_id: outcome.form.custom_id, components: [{ type: 1, components: [field] }] };
      return see(await interact({ type: 5, data, on }).outcome);
    },
    setMembership: (membership) => void standIn.members.set(who.id, membership),
  };
}

function seen(message: StandInMessage): SeenScreen {
  const buttons = partsOf(message)
    .filter((part) => !isAsk(part))
    .flatMap((part) => part.options?.map(({ label }) => label) ?? [part.label ?? '']);
  return { text: readMarkdown(message.content), buttons };
}

function componentOf(message: StandInMessage, label: string): Component | undefined {
  return partsOf(message).find(
    (part) =>
      part.url === undefined && (part.label === label || part.options?.some((o) => o.label === label)),
  );
}

/** The button that opens the form of a screen that asks for a line: other platforms read the next message instead. */
const isAsk = (part: Component) => part.custom_id?.startsWith('ask:') === true;

function partsOf(message: StandInMessage): Component[] {
  return message.components.flatMap((row) => row.components as unknown as Component[]);
}

function optionNameOf(standIn: DiscordStandIn, name: string): string {
  const known = [...standIn.commands.guild, ...standIn.commands.global] as {
    name: string;
    options?: { name: string }[];
  }[];
  return known.find((command) => command.name === name)?.options?.[0]?.name ?? 'text';
}
