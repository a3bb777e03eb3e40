import { type REST, type RESTPostAPIChannelInviteResult, Routes } from 'discord.js';
import { FailureLog } from '../../src/core/base/async/failure-log.ts';
import { withTimeout } from '../../src/core/base/async/with-timeout.ts';
import type { Logger } from '../../src/core/base/logger.ts';
import type { Clock } from '../../src/core/base/time/clock.ts';
import type { Community, Membership } from '../shared/chat-bot.ts';
import { DISCORD_CODES, discordCode, discordFields } from './failures.ts';

/** A person waits for the answer. */
const TIMEOUT_MS = 5_000;

interface DiscordCommunityOptions {
  readonly rest: REST;
  readonly guildId: string | null;
  readonly channelId: string | null;
  readonly clock: Pick<Clock, 'sleep'>;
  readonly logger: Logger;
}

export class DiscordCommunity implements Community {
  readonly #options: DiscordCommunityOptions;
  readonly #failures: { readonly membership: FailureLog; readonly invitation: FailureLog };
  #invitation: Promise<string | null> | null = null;

  constructor(options: DiscordCommunityOptions) {
    this.#options = options;
    const failuresOf = (what: string) =>
      new FailureLog(options.logger, `${what} unavailable; all visitors pass`, discordFields);
    this.#failures = {
      membership: failuresOf('Discord membership'),
      invitation: failuresOf('invitation to the Discord server'),
    };
  }

  async membershipOf({ userId }: { readonly userId: string }): Promise<Membership> {
    const { rest, guildId } = this.#options;
    if (guildId === null) return 'none';
    const ask = async (): Promise<Membership> => {
      try {
        await this.#inTime(rest.get(Routes.guildMember(guildId, userId)));
        return 'member';
      } catch (error) {
        if (discordCode(error) === DISCORD_CODES.unknownMember) return 'not_member';
        throw error;
      }
    };
    return (await this.#failures.membership.guard(ask)) ?? 'unknown';
  }

  async joinAddress(): Promise<string | null> {
    const { guildId, channelId } = this.#options;
    if (guildId === null || channelId === null) return null;
    this.#invitation ??= this.#invite(channelId);
    return this.#invitation;
  }

  async #invite(channel: string): Promise<string | null> {
    const body = { max_age: 0, max_uses: 0, unique: false };
    const answer = await this.#failures.invitation.guard(() =>
      this.#inTime(this.#options.rest.post(Routes.channelInvites(channel), { body })),
    );
    if (answer !== null) return `https://discord.gg/${(answer as RESTPostAPIChannelInviteResult).code}`;
    this.#invitation = null;
    return null;
  }

  #inTime<Answer>(answer: Promise<Answer>): Promise<Answer> {
    return withTimeout({ clock: this.#options.clock, timeoutMs: TIMEOUT_MS }, answer);
  }
}
