import {
  type ButtonInteraction,
  type ChatInputCommandInteraction,
  type Interaction,
  MessageFlags,
  type ModalSubmitInteraction,
  type StringSelectMenuInteraction,
} from 'discord.js';
import type { Visitor } from '../../src/core/accounts/customers/customer.ts';
import type { Actor } from '../shared/admin-console.ts';
import type { Move } from '../shared/conversation.ts';
import { FORM_FIELD, type Press, pressOf } from './screen-message.ts';
import { ADMIN_COMMAND } from './slash-commands.ts';

/** Interactions that the bot answers. */
export type AnswerableInteraction =
  | ChatInputCommandInteraction
  | ButtonInteraction
  | StringSelectMenuInteraction
  | ModalSubmitInteraction;

/** `for`: who handles the move. */
export type ParsedInteraction =
  | { readonly kind: 'move'; readonly for: 'console' | 'conversation' | 'either'; readonly move: Move }
  | { readonly kind: 'form'; readonly press: Extract<Press, { kind: 'ask' }> };

export function isAnswerable(interaction: Interaction): interaction is AnswerableInteraction {
  return (
    interaction.isChatInputCommand() ||
    interaction.isButton() ||
    interaction.isStringSelectMenu() ||
    interaction.isModalSubmit()
  );
}

/** Null for a component of another bot. */
export function parseInteraction(act: AnswerableInteraction): ParsedInteraction | null {
  if (act.isChatInputCommand()) return parseSlashCommand(act);
  if (act.isModalSubmit()) {
    const text = act.fields.getTextInputValue(FORM_FIELD);
    return { kind: 'move', for: 'either', move: { kind: 'text', text } };
  }
  const press = act.isButton() ? pressOf(act.customId, labelOf(act)) : pressOf(act.values[0] ?? '', '');
  if (press === null) return null;
  if (press.kind === 'ask') return { kind: 'form', press };
  return { kind: 'move', for: 'either', move: press };
}

/** Every command has one option at most. */
function parseSlashCommand({ commandName, options }: ChatInputCommandInteraction): ParsedInteraction {
  const argument = String(options.data[0]?.value ?? '').trim();
  if (commandName !== ADMIN_COMMAND) {
    return { kind: 'move', for: 'conversation', move: { kind: 'command', name: commandName, argument } };
  }
  const [, name = '', rest = ''] = /^\/?(\S*)\s*(.*)$/s.exec(argument) ?? [];
  return { kind: 'move', for: 'console', move: { kind: 'command', name, argument: rest } };
}

function labelOf({ component }: ButtonInteraction): string {
  // discord.js finds none when the button is not on the message, which a modified client may claim.
  if (!component || !('label' in component)) return '';
  return component.label ?? '';
}

/** Whether it was done on a message that only its person sees: the answer replaces that message. */
export function isOnOwnMessage(act: AnswerableInteraction): boolean {
  return !act.isChatInputCommand() && act.message?.flags.has(MessageFlags.Ephemeral) === true;
}

/** Whether it was done on this message. */
export function isOn(act: AnswerableInteraction, messageId: string): boolean {
  return !act.isChatInputCommand() && act.message?.id === messageId;
}

export function visitorOf({ id, username }: { readonly id: string; readonly username: string }): Visitor {
  return { platform: 'discord', userId: id, name: username, chat: id };
}

export function actorOf(act: AnswerableInteraction): Actor {
  const roles = act.member?.roles ?? [];
  const all = Array.isArray(roles) ? roles : [...roles.cache.keys()];
  // The role with the server's id is the one of all members.
  const roleIds = all.filter((id) => id !== act.guildId);
  return { platform: 'discord', userId: act.user.id, name: act.user.username, roleIds };
}
