import { type Interaction, MessageFlags } from 'discord.js';
import type { Logger } from '../../src/core/base/logger.ts';
import type { Move } from '../shared/conversation.ts';
import { containsKey } from '../shared/create-leak-guard.ts';
import { isHide, type Screen } from '../shared/screen.ts';
import { showWithFallback } from './discord-messenger.ts';
import type { ExpiringMessages } from './expiring-messages.ts';
import { DISCORD_CODES, describeFailure, discordCode } from './failures.ts';
import type { MoveHandler } from './move-handler.ts';
import {
  type AnswerableInteraction,
  actorOf,
  isAnswerable,
  isOn,
  isOnOwnMessage,
  parseInteraction,
  visitorOf,
} from './parse-interaction.ts';
import { toForm, toScreens } from './screen-message.ts';

const LATE: readonly number[] = [DISCORD_CODES.unknownInteraction, DISCORD_CODES.alreadyAcknowledged];

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

  /** Never throws. */
  async handle(interaction: Interaction): Promise<void> {
    if (!isAnswerable(interaction)) return;
    try {
      await this.#answer(interaction);
    } catch (error) {
      const isLate = LATE.includes(discordCode(error) ?? 0);
      const fields = { interaction: interaction.id, reason: describeFailure(error) };
      if (isLate) this.#logger.debug(fields, 'Discord interaction expired, or was answered before');
      else this.#logger.warn(fields, 'Discord interaction failed; not answered');
    }
  }

  async #answer(act: AnswerableInteraction): Promise<void> {
    const parsed = parseInteraction(act);
    if (parsed === null) return;
    if (parsed.kind === 'form') {
      if (!act.isChatInputCommand() && !act.isModalSubmit()) await act.showModal(toForm(parsed.press));
      return;
    }
    await acknowledge(act);
    const received = { ...parsed, visitor: visitorOf(act.user), actor: actorOf(act) };
    await this.#moveHandler.answer(received, (screen) => this.#show(act, parsed.move, screen));
  }

  async #show(act: AnswerableInteraction, move: Move, given: Screen): Promise<void> {
    const { repeated } = given;
    const keyMessage = repeated === null ? null : this.#expiring.messageOf(repeated.request);
    if (keyMessage !== null && isOn(act, keyMessage)) return;
    const screen = repeated !== null && keyMessage !== null ? repeated.whileShown : given;
    const isSeparate = this.#showsKey(act) && !(move.kind === 'tap' && isHide(move.action));
    if (screen.secret === null) return void (await this.#showParts(act, toScreens(screen), isSeparate));
    const message = await this.#showOne(act, screen, isSeparate);
    this.#expiring.keep(message.id, {
      request: screen.secret.request,
      userId: act.user.id,
      remove: () => this.#remove(act, isSeparate ? message.id : '@original'),
    });
  }

  /** The first in the answer or in a message of its own, the others in messages of their own. */
  async #showParts(
    act: AnswerableInteraction,
    screens: readonly Screen[],
    isSeparate: boolean,
  ): Promise<void> {
    for (const [index, screen] of screens.entries())
      await this.#showOne(act, screen, isSeparate || index > 0);
  }

  /** Only the person sees it. The message shows no key any more, if it did. */
  async #showOne(act: AnswerableInteraction, screen: Screen, isSeparate: boolean) {
    const message = await showWithFallback(screen, (content) =>
      isSeparate ? act.followUp({ ...content, flags: MessageFlags.Ephemeral }) : act.editReply(content),
    );
    this.#expiring.forget(message.id);
    return message;
  }

  /**
   * Whether the pressed message shows a key now: memory knows a key that came after the press, the text of the message one
   * from before a restart.
   */
  #showsKey(act: AnswerableInteraction): boolean {
    if (!isOnOwnMessage(act) || act.isChatInputCommand() || act.message === null) return false;
    // Plain text has its underscores escaped.
    return this.#expiring.has(act.message.id) || containsKey(act.message.content.replaceAll('\\', ''));
  }

  async #remove(act: AnswerableInteraction, message: string): Promise<boolean> {
    try {
      await act.deleteReply(message);
      return true;
    } catch (error) {
      if (discordCode(error) === DISCORD_CODES.unknownMessage) return true;
      const reason = describeFailure(error);
      this.#logger.warn({ reason }, 'removal of a message with a key from Discord failed');
      return false;
    }
  }
}

/** Discord needs it within 3 seconds; without it no answer can be shown, so no move is handled. */
async function acknowledge(act: AnswerableInteraction): Promise<void> {
  if (isOnOwnMessage(act) && !act.isChatInputCommand()) await act.deferUpdate();
  else await act.deferReply({ flags: MessageFlags.Ephemeral });
}
