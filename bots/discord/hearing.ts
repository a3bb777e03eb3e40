import {
  type ButtonInteraction,
  type ChatInputCommandInteraction,
  type Interaction,
  MessageFlags,
  type ModalSubmitInteraction,
  type StringSelectMenuInteraction,
} from 'discord.js';
import type { Visitor } from '../../src/core/customers/customer.ts';
import type { Actor } from '../shared/admin-console.ts';
import type { Move } from '../shared/desk.ts';
import { FORM_FIELD, type Press, pressOf } from './screen-message.ts';
import { ADMIN_COMMAND, ADMIN_OPTION } from './slash-commands.ts';

/** What people can do that we answer. */
export type Act =
  | ChatInputCommandInteraction
  | ButtonInteraction
  | StringSelectMenuInteraction
  | ModalSubmitInteraction;

/** `for`: whom a command is for; other moves are for whoever knows them. */
export type Heard =
  | { readonly kind: 'move'; readonly for: 'console' | 'desk' | 'either'; readonly move: Move }
  | { readonly kind: 'form'; readonly press: Extract<Press, { kind: 'ask' }> };

export function isAct(interaction: Interaction): interaction is Act {
  return (
    interaction.isChatInputCommand() ||
    interaction.isButton() ||
    interaction.isStringSelectMenu() ||
    interaction.isModalSubmit()
  );
}

/** Null when it is no component of ours. */
export function hear(act: Act): Heard | null {
  if (act.isChatInputCommand()) return heardCommand(act);
  if (act.isModalSubmit()) {
    const text = act.fields.getTextInputValue(FORM_FIELD);
    return { kind: 'move', for: 'either', move: { kind: 'text', text } };
  }
  const press = act.isButton()
    ? pressOf(act.customId, 'label' in act.component ? (act.component.label ?? '') : '')
    : pressOf(act.values[0] ?? '', '');
  if (press === null) return null;
  if (press.kind === 'ask') return { kind: 'form', press };
  return { kind: 'move', for: 'either', move: press };
}

function heardCommand(act: ChatInputCommandInteraction): Heard {
  const argument = String(act.options.data[0]?.value ?? '').trim();
  if (act.commandName !== ADMIN_COMMAND) {
    return { kind: 'move', for: 'desk', move: { kind: 'command', name: act.commandName, argument } };
  }
  const line = (act.options.getString(ADMIN_OPTION) ?? '').trim().replace(/^\//, '');
  const [, name = '', rest = ''] = /^(\S*)\s*(.*)$/s.exec(line) ?? [];
  return { kind: 'move', for: 'console', move: { kind: 'command', name, argument: rest } };
}

/** An answer to a message that nobody else sees takes its place; anything else gets an answer of its own. */
export function isOnOwnMessage(act: Act): boolean {
  return !act.isChatInputCommand() && act.message?.flags.has(MessageFlags.Ephemeral) === true;
}

export function visitorOf({ id, username }: { readonly id: string; readonly username: string }): Visitor {
  return { platform: 'discord', userId: id, name: username, chat: id };
}

export function actorOf(act: Act): Actor {
  const roles = act.member?.roles ?? [];
  const roleIds = Array.isArray(roles) ? roles : [...roles.cache.keys()];
  return { platform: 'discord', userId: act.user.id, name: act.user.username, roleIds };
}
