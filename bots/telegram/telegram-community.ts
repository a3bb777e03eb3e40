import type { Api } from 'grammy';
import type { ChatMember } from 'grammy/types';
import { FailureLog } from '../../src/core/base/async/failure-log.ts';
import type { Logger } from '../../src/core/base/logger.ts';
import type { Community, Membership } from '../shared/chat-bot.ts';
import { movedTo, telegramFields } from './failures.ts';

interface TelegramCommunityOptions {
  readonly api: Api;
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
    const ask = () => channel.call((chat) => api.getChatMember(chat, Number(userId)));
    const member = await this.#failures.membership.guard(ask);
    return member === null ? 'unknown' : toMembership(member);
  }

  async joinAddress(): Promise<string | null> {
    const { channel } = this.#options;
    if (channel === null) return null;
    if (channel.id.startsWith('@')) return `https://t.me/${channel.id.slice(1)}`;
    const find = () => channel.call((chat) => this.#findAddress(chat));
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

/** The configured channel or group. Its id changes when Telegram turns a group into a supergroup. */
export class TelegramChannel {
  readonly #logger: Pick<Logger, 'error'>;
  #id: string;

  constructor(id: string, { logger }: { readonly logger: Pick<Logger, 'error'> }) {
    this.#id = id;
    this.#logger = logger;
  }

  /** `@name` or a number, as the Bot API takes it. */
  get id(): string {
    return this.#id;
  }

  is({ id, username }: { readonly id: number; readonly username?: string | undefined }): boolean {
    return String(id) === this.#id || `@${username ?? ''}`.toLowerCase() === this.#id.toLowerCase();
  }

  /** Uses the new id until the process ends, and logs which setting to change. */
  move(id: number): void {
    if (String(id) === this.#id) return;
    this.#logger.error(
      { from: this.#id, to: String(id) },
      'the Telegram group has a new id: set TELEGRAM_CHANNEL_ID to it; this process uses it until it ends',
    );
    this.#id = String(id);
  }

  /** Repeats the call with the new id when the group became a supergroup. */
  async call<Answer>(ask: (chat: string) => Promise<Answer>): Promise<Answer> {
    try {
      return await ask(this.#id);
    } catch (error) {
      const moved = movedTo(error);
      if (moved === null) throw error;
      this.move(moved);
      return ask(this.#id);
    }
  }
}
