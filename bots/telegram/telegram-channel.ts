import type { Logger } from '../../src/core/base/logger.ts';
import { movedTo } from './failures.ts';

/** The configured channel or group. Its id changes when Telegram turns a group into a supergroup. */
export class TelegramChannel {
  readonly #logger: Pick<Logger, 'error'>;
  #id: string;

  /** `id`: `@name` or a number. */
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
}

/** Repeats the call with the new id when the group became a supergroup. */
export async function inChannel<Answer>(
  channel: TelegramChannel,
  ask: (chat: string) => Promise<Answer>,
): Promise<Answer> {
  try {
    return await ask(channel.id);
  } catch (error) {
    const moved = movedTo(error);
    if (moved === null) throw error;
    channel.move(moved);
    return ask(channel.id);
  }
}
