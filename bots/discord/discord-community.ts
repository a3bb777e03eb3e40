import { type REST, type RESTPostAPIChannelInviteResult, Routes } from 'discord.js';
import { withTimeout } from '../../src/core/async/with-timeout.ts';
import type { Clock } from '../../src/core/clock.ts';
import type { Logger } from '../../src/core/logger.ts';
import type { Community } from '../shared/community.ts';
import { DISCORD_CODES, describeFailure, discordCode } from './failures.ts';

/** Somebody waits for the answer. */
const TIMEOUT_MS = 5_000;

export interface DiscordCommunityDeps {
  readonly rest: REST;
  /** Null: there is no server to join. */
  readonly guildId: string | null;
  /** Where the invitation leads. */
  readonly channelId: string | null;
  readonly clock: Pick<Clock, 'sleep'>;
  readonly logger: Logger;
}

/** Whoever is a member of the Discord server. */
export function createDiscordCommunity(deps: DiscordCommunityDeps): Community {
  const { rest, guildId, channelId, clock, logger } = deps;
  const soon = <Answer>(answer: Promise<Answer>) => withTimeout({ clock, timeoutMs: TIMEOUT_MS }, answer);
  let invitation: Promise<string | null> | null = null;

  async function invite(channel: string): Promise<string | null> {
    try {
      const body = { max_age: 0, max_uses: 0, unique: false };
      const answer = await soon(rest.post(Routes.channelInvites(channel), { body }));
      return `https://discord.gg/${(answer as RESTPostAPIChannelInviteResult).code}`;
    } catch (error) {
      logger.warn({ reason: describeFailure(error) }, 'no invitation to the Discord server');
      invitation = null;
      return null;
    }
  }

  return {
    async membershipOf({ userId }) {
      if (guildId === null) return 'none';
      try {
        await soon(rest.get(Routes.guildMember(guildId, userId)));
        return 'member';
      } catch (error) {
        if (discordCode(error) === DISCORD_CODES.unknownMember) return 'not_member';
        logger.warn({ reason: describeFailure(error) }, 'Discord does not say who is a member');
        return 'unknown';
      }
    },
    async joinAddress() {
      if (guildId === null || channelId === null) return null;
      invitation ??= invite(channelId);
      return invitation;
    },
  };
}
