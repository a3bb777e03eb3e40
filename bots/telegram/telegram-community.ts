import type { Api } from 'grammy';
import type { ChatMember } from 'grammy/types';
import { FailureLog } from '../../src/core/base/async/failure-log.ts';
import type { Logger } from '../../src/core/base/logger.ts';
import type { Community, Membership } from '../shared/chat-bot.ts';
import { telegramFields } from './failures.ts';
import { inChannel, type TelegramChannel } from './telegram-channel.ts';

interface TelegramCommunityOptions {
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
    const failuresOf = (what: string) =>
      new FailureLog(options.logger, `${what} unavailable; all visitors pass`, telegramFields);
    this.#failures = {
      membership: failuresOf('Telegram membership'),
      address: failuresOf('address of the Telegram channel'),
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

const MEMBERSHIPS: Readonly<Record<string, Membership>> = {
  creator: 'member',
  administrator: 'member',
  member: 'member',
  left: 'not_member',
  kicked: 'not_member',
};

function toMembership(member: ChatMember): Membership {
  if (member.status === 'restricted') return member.is_member ? 'member' : 'not_member';
  return MEMBERSHIPS[member.status] ?? 'unknown';
}
