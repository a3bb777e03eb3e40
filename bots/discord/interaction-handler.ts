import { type Interaction, MessageFlags } from 'discord.js';
import { LRUCache } from 'lru-cache';
import type { Logger } from '../../src/core/logger.ts';
import type { Move } from '../shared/conversation.ts';
import { containsKey } from '../shared/create-leak-guard.ts';
import { HIDE, type Screen } from '../shared/screen.ts';
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
import { toForm } from './screen-message.ts';
import { showWithFallback } from './show-with-fallback.ts';

/** Ids of what was handled: Discord may deliver a thing twice, within seconds. */
const REMEMBERED = 5_000;

export interface InteractionDeps {
  readonly moveHandler: MoveHandler;
  readonly expiring: ExpiringMessages;
  readonly logger: Logger;
}

/** Answers commands, buttons, menus and forms, where nobody else sees it. Never throws. */
export function createInteractionHandler(deps: InteractionDeps): (interaction: Interaction) => Promise<void> {
  const { moveHandler, expiring, logger } = deps;
  const handled = new LRUCache<string, true>({ max: REMEMBERED });

  async function handle(act: AnswerableInteraction): Promise<void> {
    const parsed = parseInteraction(act);
    if (parsed === null) return;
    if (parsed.kind === 'form') {
      if (!act.isChatInputCommand() && !act.isModalSubmit()) await act.showModal(toForm(parsed.press));
      return;
    }
    await acknowledge(act);
    const said = { visitor: visitorOf(act.user), actor: actorOf(act), for: parsed.for, move: parsed.move };
    await moveHandler.answer(said, (screen) => show(act, parsed.move, screen));
  }

  async function show(act: AnswerableInteraction, move: Move, given: Screen): Promise<void> {
    const { repeated } = given;
    const keyMessage = repeated === null ? null : expiring.messageOf(repeated.request);
    if (keyMessage !== null && isOn(act, keyMessage)) return;
    const screen = repeated !== null && keyMessage !== null ? repeated.whileShown : given;
    const isApart = showsKey(act) && !(move.kind === 'tap' && move.action === HIDE);
    const message = await showWithFallback(screen, (content) =>
      isApart ? act.followUp({ ...content, flags: MessageFlags.Ephemeral }) : act.editReply(content),
    );
    expiring.forget(message.id);
    if (screen.secret === null) return;
    expiring.keep(message.id, {
      request: screen.secret.request,
      remove: () => remove(act, isApart ? message.id : '@original'),
    });
  }

  /**
   * Whether the message that was pressed shows a key now: it may have come after the press, which is known in memory, or
   * before a restart, which only the message's text says.
   */
  function showsKey(act: AnswerableInteraction): boolean {
    if (!isOnOwnMessage(act) || act.isChatInputCommand() || act.message === null) return false;
    // Plain text has its underscores escaped.
    return expiring.has(act.message.id) || containsKey(act.message.content.replaceAll('\\', ''));
  }

  async function remove(act: AnswerableInteraction, message: string): Promise<void> {
    try {
      await act.deleteReply(message);
    } catch (error) {
      if (discordCode(error) === DISCORD_CODES.unknownMessage) return;
      logger.warn({ reason: describeFailure(error) }, 'a message with a key on Discord was not removed');
    }
  }

  return async (interaction) => {
    if (!isAnswerable(interaction) || handled.get(interaction.id) !== undefined) return;
    handled.set(interaction.id, true);
    try {
      await handle(interaction);
    } catch (error) {
      const isLate = LATE.includes(discordCode(error) ?? 0);
      const fields = { interaction: interaction.id, reason: describeFailure(error) };
      if (isLate) logger.debug(fields, 'an interaction on Discord was answered already, or is over');
      else logger.warn(fields, 'an interaction on Discord was not answered');
    }
  };
}

const LATE: readonly number[] = [DISCORD_CODES.unknownInteraction, DISCORD_CODES.alreadyAcknowledged];

/** Within 3 seconds Discord wants to hear that an answer comes. Without that none could be shown, so none is made. */
async function acknowledge(act: AnswerableInteraction): Promise<void> {
  if (isOnOwnMessage(act) && !act.isChatInputCommand()) await act.deferUpdate();
  else await act.deferReply({ flags: MessageFlags.Ephemeral });
}
