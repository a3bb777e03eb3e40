import { expect, vi } from 'vitest';
import { DiscordBot, type DiscordBotOptions } from '../../../bots/discord/discord-bot.ts';
import { DiscordCommunity } from '../../../bots/discord/discord-community.ts';
import { DiscordMessenger } from '../../../bots/discord/discord-messenger.ts';
import { createDiscordRest } from '../../../bots/discord/discord-rest.ts';
import type { BotStatus, ChatBot, Community } from '../../../bots/shared/chat-bot.ts';
import type { Conversation } from '../../../bots/shared/conversation.ts';
import { systemClock } from '../../../src/infra/process/system-clock.ts';
import { silentLogger } from '../silent-logger.ts';
import { readMarkdown } from './discord-rules.ts';
import { createDiscordStandIn, TOKEN } from './discord-stand-in.ts';
import {
  CHANNEL,
  type DiscordStandIn,
  dmOf,
  GUILD,
  type Interaction,
  type InteractOptions,
  type Outcome,
  type StandInMessage,
} from './discord-wire.ts';
import type { ChatDriver, ChatPerson, OpenDriver, SeenScreen } from './driver.ts';

export interface DiscordRig {
  readonly standIn: DiscordStandIn;
  readonly bot: ChatBot;
  readonly community: Community;
  person(name: string, place?: 'guild' | 'dm'): DiscordPerson;
  /** Closes both the bot and the simulator. */
  close(): Promise<void>;
}

export interface DiscordPerson extends ChatPerson {
  readonly id: string;
  /** The newest message they see. */
  newest(): StandInMessage | null;
  /** As `command`, before the answer. */
  sendCommand(name: string, argument?: string): Interaction;
  press(customId: string, on: StandInMessage): Interaction;
}

/** A bot on a simulator: one of its own, or that of another rig. `deps` replaces what it is built from. */
export async function openDiscordRig(
  makeConversation: (community: Community) => Conversation,
  deps: Partial<DiscordBotOptions> = {},
  given?: DiscordStandIn,
): Promise<DiscordRig> {
  const standIn = given ?? (await createDiscordStandIn());
  const { token = TOKEN, guildId = GUILD, clock = systemClock, logger: log = silentLogger } = deps;
  const rest = createDiscordRest({ token, apiRoot: standIn.api });
  const community = new DiscordCommunity({ rest, guildId, channelId: CHANNEL, clock, logger: log });
  const bot = new DiscordBot({
    token,
    apiRoot: standIn.api,
    guildId,
    rest,
    messenger: new DiscordMessenger({ rest, channelId: CHANNEL }),
    conversation: makeConversation(community),
    console: null,
    leakGuard: { inspect: async () => false },
    clock,
    logger: log,
    ...deps,
  });
  const names = new Map<string, string>();
  return {
    standIn,
    bot,
    community,
    person(name, place = 'guild') {
      const id = names.get(name) ?? standIn.snowflake();
      names.set(name, id);
      return createDiscordPerson(standIn, { id, name }, place);
    },
    async close() {
      await bot.close();
      await standIn.close();
    },
  };
}

/** Resolves when the bot stands so. */
export async function untilState(bot: ChatBot, state: BotStatus['state']): Promise<void> {
  await vi.waitFor(() => expect(bot.status().state).toBe(state), { timeout: 10_000, interval: 5 });
}

/** People in a Discord server with the bot, over its real client. */
export const openDiscordDriver: OpenDriver = async (makeConversation): Promise<ChatDriver> => {
  const rig = await openDiscordRig(makeConversation);
  await rig.bot.start();
  await untilState(rig.bot, 'running');
  return { platform: 'discord', person: async (name) => rig.person(name), close: rig.close };
};

type Component = { type: number; label?: string; custom_id?: string; url?: string; options?: Option[] };
interface Option {
  readonly label: string;
  readonly value: string;
}

/** A person in the server of a simulator. */
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
