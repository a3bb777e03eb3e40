import { type Interaction, MessageFlags } from 'discord.js';
import type { Logger } from '../../src/core/ports/logger.ts';
import { createRecentMap } from '../../src/core/recent-map.ts';
import type { Move } from '../shared/desk.ts';
import { holdsKey } from '../shared/find-leaks.ts';
import { HIDE, type Screen } from '../shared/screen.ts';
import { accepted } from './accepted.ts';
import type { Conversation } from './conversation.ts';
import { DISCORD_CODES, describeFailure, discordCode } from './failures.ts';
import { type Act, actorOf, hear, isAct, isOn, isOnOwnMessage, visitorOf } from './hearing.ts';
import { toForm } from './screen-message.ts';
import type { ShownSecrets } from './shown-secrets.ts';

/** Ids of what was handled: Discord may deliver a thing twice, within seconds. */
const REMEMBERED = 5_000;

export interface InteractionDeps {
  readonly conversation: Conversation;
  readonly secrets: ShownSecrets;
  readonly log: Logger;
}

/** Answers commands, buttons, menus and forms, where nobody else sees it. Never throws. */
export function createInteractions(deps: InteractionDeps): (interaction: Interaction) => Promise<void> {
  const { conversation, secrets, log } = deps;
  const handled = createRecentMap<true>(REMEMBERED);

  async function handle(act: Act): Promise<void> {
    const heard = hear(act);
    if (heard === null) return;
    if (heard.kind === 'form') {
      if (!act.isChatInputCommand() && !act.isModalSubmit()) await act.showModal(toForm(heard.press));
      return;
    }
    await acknowledge(act);
    const said = { visitor: visitorOf(act.user), actor: actorOf(act), for: heard.for, move: heard.move };
    await conversation.answer(said, (screen) => show(act, heard.move, screen));
  }

  async function show(act: Act, move: Move, given: Screen): Promise<void> {
    const { repeated } = given;
    const keyMessage = repeated === null ? null : secrets.messageOf(repeated.request);
    if (keyMessage !== null && isOn(act, keyMessage)) return;
    const screen = repeated !== null && keyMessage !== null ? repeated.whileShown : given;
    const isApart = showsKey(act) && !(move.kind === 'tap' && move.action === HIDE);
    const message = await accepted(screen, (content) =>
      isApart ? act.followUp({ ...content, flags: MessageFlags.Ephemeral }) : act.editReply(content),
    );
    secrets.forget(message.id);
    if (screen.secret === null) return;
    secrets.keep(message.id, {
      request: screen.secret.request,
      remove: () => remove(act, isApart ? message.id : '@original'),
    });
  }

  /**
   * Whether the message that was pressed shows a key now: it may have come after the press, which is known in memory, or
   * before a restart, which only the message's text says.
   */
  function showsKey(act: Act): boolean {
    if (!isOnOwnMessage(act) || act.isChatInputCommand() || act.message === null) return false;
    // Plain text has its underscores escaped.
    return secrets.has(act.message.id) || holdsKey(act.message.content.replaceAll('\\', ''));
  }

  async function remove(act: Act, message: string): Promise<void> {
    try {
      await act.deleteReply(message);
    } catch (error) {
      if (discordCode(error) === DISCORD_CODES.unknownMessage) return;
      log.warn({ reason: describeFailure(error) }, 'a message with a key on Discord was not removed');
    }
  }

  return async (interaction) => {
    if (!isAct(interaction) || handled.get(interaction.id) !== undefined) return;
    handled.set(interaction.id, true);
    try {
      await handle(interaction);
    } catch (error) {
      const isLate = LATE.includes(discordCode(error) ?? 0);
      const fields = { interaction: interaction.id, reason: describeFailure(error) };
      if (isLate) log.debug(fields, 'an interaction on Discord was answered already, or is over');
      else log.warn(fields, 'an interaction on Discord was not answered');
    }
  };
}

const LATE: readonly number[] = [DISCORD_CODES.unknownInteraction, DISCORD_CODES.alreadyAcknowledged];

/** Within 3 seconds Discord wants to hear that an answer comes. Without that none could be shown, so none is made. */
async function acknowledge(act: Act): Promise<void> {
  if (isOnOwnMessage(act) && !act.isChatInputCommand()) await act.deferUpdate();
  else await act.deferReply({ flags: MessageFlags.Ephemeral });
}
