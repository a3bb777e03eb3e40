import type { ChatMember } from 'grammy/types';
import type { Logger } from '../../src/core/logger.ts';
import type { Community, Membership } from '../shared/community.ts';
import type { TelegramChannel } from './channel.ts';
import { logged, movedTo } from './errors.ts';
import type { TelegramLink } from './link.ts';

export interface TelegramCommunityDeps {
  readonly link: Pick<TelegramLink, 'api'>;
  /** Null: there is no community. */
  readonly channel: TelegramChannel | null;
  readonly logger: Pick<Logger, 'warn'>;
}

/** The bot has to be an administrator of the channel, or Telegram says who is in it to nobody. */
export function createTelegramCommunity({ link, channel, logger }: TelegramCommunityDeps): Community {
  let address: string | null = null;

  async function inChannel<Answer>({ id, move }: TelegramChannel, ask: (chat: string) => Promise<Answer>) {
    try {
      return await ask(id());
    } catch (error) {
      const moved = movedTo(error);
      if (moved === null) throw error;
      move(moved);
      return ask(id());
    }
  }

  async function findAddress(chat: string): Promise<string> {
    const { username, invite_link: invitation } = await link.api.getChat(chat);
    if (username !== undefined) return `https://t.me/${username}`;
    return invitation ?? (await link.api.createChatInviteLink(chat, { name: 'Tipoff' })).invite_link;
  }

  return {
    async membershipOf({ userId }) {
      if (channel === null) return 'none';
      try {
        return toMembership(await inChannel(channel, (chat) => link.api.getChatMember(chat, Number(userId))));
      } catch (error) {
        logger.warn(logged(error), 'Telegram does not say who is in the channel');
        return 'unknown';
      }
    },
    async joinAddress() {
      if (channel === null) return null;
      if (channel.id().startsWith('@')) return `https://t.me/${channel.id().slice(1)}`;
      try {
        address ??= await inChannel(channel, findAddress);
        return address;
      } catch (error) {
        logger.warn(logged(error), 'Telegram does not say where the channel is joined');
        return null;
      }
    },
  };
}

function toMembership(member: ChatMember): Membership {
  switch (member.status) {
    case 'creator':
    case 'administrator':
    case 'member':
      return 'member';
    case 'restricted':
      return member.is_member ? 'member' : 'not_member';
    case 'left':
    case 'kicked':
      return 'not_member';
    default:
      return 'unknown';
  }
}
