import {
  type ButtonInteraction,
  type ChatInputCommandInteraction,
  type Interaction,
  MessageFlags,
  type ModalSubmitInteraction,
  type StringSelectMenuInteraction,
} from 'discord.js';
import type { Visitor } from '../../src/core/accounts/customers/customer.ts';
import type { Logger } from '../../src/core/base/logger.ts';
import { ADMIN_COMMAND, type Move } from '../shared/conversation.ts';
import { containsKey } from '../shared/create-leak-guard.ts';
import type { MoveHandler, ReceivedMove } from '../shared/move-handler.ts';
import { isHide, type Screen } from '../shared/screen.ts';
import { showWithFallback } from './discord-messenger.ts';
import type { ExpiringMessages } from './expiring-messages.ts';
import { DISCORD_CODES, discordCode, discordFields } from './failures.ts';
import { FORM_FIELD, pressOf, toForm, toScreens } from './screen-message.ts';

const LATE: readonly number[] = [DISCORD_CODES.unknownInteraction, DISCORD_CODES.alreadyAcknowledged];

/** Interactions on a message of the bot, or on the form that one opened. */
type ComponentInteraction = ButtonInteraction | StringSelectMenuInteraction | ModalSubmitInteraction;
type AnswerableInteraction = ChatInputCommandInteraction | ComponentInteraction;

/** Answers commands, buttons, menus and forms with messages that only their person sees. */
export class InteractionHandler {
  readonly #moveHandler: MoveHandler;
  readonly #expiring: ExpiringMessages;
  readonly #logger: Logger;

  constructor(moveHandler: MoveHandler, expiring: ExpiringMessages, logger: Logger) {
    this.#moveHandler = moveHandler;
    this.#expiring = expiring;
    this.#logger = logger;
  }

  async handle(interaction: Interaction): Promise<void> {
    try {
      if (interaction.isChatInputCommand()) await this.#answer(interaction, slashCommandOf(interaction));
      else if (interaction.isModalSubmit()) {
        const text = interaction.fields.getTextInputValue(FORM_FIELD);
        await this.#answer(interaction, { for: 'either', move: { kind: 'text', text } });
      } else if (interaction.isButton() || interaction.isStringSelectMenu()) await this.#press(interaction);
    } catch (error) {
      const fields = { interaction: interaction.id, ...discordFields(error) };
      if (LATE.includes(discordCode(error) ?? 0))
        this.#logger.debug(fields, 'Discord interaction expired, or was answered before');
      else this.#logger.warn(fields, 'Discord interaction failed; not answered');
    }
  }

  async #press(act: ButtonInteraction | StringSelectMenuInteraction): Promise<void> {
    const press = act.isButton() ? pressOf(act.customId, labelOf(act)) : pressOf(act.values[0] ?? '', '');
    if (press?.kind === 'ask') await act.showModal(toForm(press));
    if (press?.kind === 'tap') await this.#answer(act, { for: 'either', move: press });
  }

  async #answer(
    act: AnswerableInteraction,
    { for: target, move }: Pick<ReceivedMove, 'for' | 'move'>,
  ): Promise<void> {
    // Discord needs it within 3 seconds; without it no answer can be shown, so no move is handled.
    if (isOnOwnMessage(act)) await act.deferUpdate();
    else await act.deferReply({ flags: MessageFlags.Ephemeral });
    const received = { visitor: visitorOf(act.user), roleIds: roleIdsOf(act), for: target, move };
    await this.#moveHandler.answer(received, (screen) => this.#show(act, move, screen));
  }

  async #show(act: AnswerableInteraction, move: Move, given: Screen): Promise<void> {
    const { repeated } = given;
    const keyMessage = repeated === null ? null : this.#expiring.messageOf(repeated.request);
    if (keyMessage !== null && !act.isChatInputCommand() && act.message?.id === keyMessage) return;
    const screen = repeated !== null && keyMessage !== null ? repeated.whileShown : given;
    const isSeparate = this.#showsKey(act) && !(move.kind === 'tap' && isHide(move.action));
    const { secret } = screen;
    // The first in the answer or in a message of its own, the others in messages of their own.
    const screens = secret === null ? toScreens(screen) : [screen];
    for (const [index, part] of screens.entries()) {
      const message = await this.#showOne(act, part, isSeparate || index > 0);
      if (secret === null) continue;
      this.#expiring.keep(message.id, {
        request: secret.request,
        userId: act.user.id,
        remove: () => this.#remove(act, isSeparate ? message.id : '@original'),
      });
    }
  }

  /** Only the person sees it. The message shows no key any more, if it did. */
  async #showOne(act: AnswerableInteraction, screen: Screen, isSeparate: boolean) {
    const message = await showWithFallback(screen, (content) =>
      isSeparate ? act.followUp({ ...content, flags: MessageFlags.Ephemeral }) : act.editReply(content),
    );
    this.#expiring.forget(message.id);
    return message;
  }

  /** Memory knows a key that came after the press, the text of the message one from before a restart. */
  #showsKey(act: AnswerableInteraction): boolean {
    if (!isOnOwnMessage(act) || act.message === null) return false;
    // Plain text has its underscores escaped.
    return this.#expiring.has(act.message.id) || containsKey(act.message.content.replaceAll('\\', ''));
  }

  async #remove(act: AnswerableInteraction, message: string): Promise<boolean> {
    try {
      await act.deleteReply(message);
      return true;
    } catch (error) {
      if (discordCode(error) === DISCORD_CODES.unknownMessage) return true;
      this.#logger.warn(discordFields(error), 'removal of a message with a key from Discord failed');
      return false;
    }
  }
}

/** Every command has one option at most. */
function slashCommandOf({
  commandName,
  options,
}: ChatInputCommandInteraction): Pick<ReceivedMove, 'for' | 'move'> {
  const argument = String(options.data[0]?.value ?? '').trim();
  if (commandName !== ADMIN_COMMAND)
    return { for: 'conversation', move: { kind: 'command', name: commandName, argument } };
  const [, name = '', rest = ''] = /^\/?(\S*)\s*(.*)$/s.exec(argument) ?? [];
  return { for: 'console', move: { kind: 'command', name, argument: rest } };
}

function labelOf({ component }: ButtonInteraction): string {
  // discord.js finds none when the button is not on the message, which a modified client may claim.
  if (!component || !('label' in component)) return '';
  return component.label ?? '';
}

/** Whether it was done on a message that only its person sees: the answer replaces that message. */
function isOnOwnMessage(act: AnswerableInteraction): act is ComponentInteraction {
  return !act.isChatInputCommand() && act.message?.flags.has(MessageFlags.Ephemeral) === true;
}

export function visitorOf({ id, username }: { readonly id: string; readonly username: string }): Visitor {
  return { platform: 'discord', userId: id, name: username, chat: id };
}

/** The role with the server's id is the one of all members. */
function roleIdsOf({ member, guildId }: AnswerableInteraction): readonly string[] {
  const roles = member?.roles ?? [];
  const all = Array.isArray(roles) ? roles : [...roles.cache.keys()];
  return all.filter((id) => id !== guildId);
}
