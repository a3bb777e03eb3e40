import type { Api } from 'grammy';
import type { ChatMember } from 'grammy/types';
import { FailureLog } from '../../src/core/base/async/failure-log.ts';
import type { Logger } from '../../src/core/base/logger.ts';
import type { Community, Membership } from '../shared/community.ts';
import { logged } from './failures.ts';
import { inChannel, type TelegramChannel } from './telegram-channel.ts';

export interface TelegramCommunityOptions {
  readonly api: Api;
  /** Null: there is no community. */
  readonly channel: TelegramChannel | null;
  readonly logger: Pick<Logger, 'warn'>;
}

/** Members of the Telegram channel. Telegram reports them only to a bot that is an administrator of the channel. */
export class TelegramCommunity implements Community {
  readonly #options: TelegramCommunityOptions;
  readonly #failures: { readonly membership: FailureLog; readonly address: FailureLog };
  #address: string | null = null;

  constructor(options: TelegramCommunityOptions) {
    this.#options = options;
    // Errors of grammY are never logged as they are.
    const { logger } = options;
    this.#failures = {
      membership: new FailureLog(logger, 'Telegram membership unavailable; all visitors pass', logged),
      address: new FailureLog(
        logger,
        'address of the Telegram channel unavailable; all visitors pass',
        logged,
      ),
    };
  }

  async membershipOf({ userId }: { readonly userId: string }): Promise<Membership> {
    const { api, channel } = this.#options;
    if (channel === null) return 'none';
    const ask = () => inChannel(channel, (chat) => api.getChatMember(chat, Number(userId)));
    const member = await this.#failures.membership.guard(ask);
    return member === null ? 'unknown' : toMembership(member);
  }

  async joinAddress(): Promise<string | null> {
    const { channel } = this.#options;
    if (channel === null) return null;
    if (channel.id.startsWith('@')) return `https://t.me/${channel.id.slice(1)}`;
    const find = () => inChannel(channel, (chat) => this.#findAddress(chat));
    this.#address ??= await this.#failures.address.guard(find);
    return this.#address;
  }

  async #findAddress(chat: string): Promise<string> {
    const { api } = this.#options;
    const { username, invite_link: invitation } = await api.getChat(chat);
    if (username !== undefined) return `https://t.me/${username}`;
    return invitation ?? (await api.createChatInviteLink(chat, { name: 'Tipoff' })).invite_link;
  }
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
