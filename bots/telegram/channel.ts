import type { Logger } from '../../src/core/logger.ts';

/** The configured channel or group. Its id changes when Telegram makes a supergroup of a group. */
export interface TelegramChannel {
  /** `@name` or a number, as the Bot API takes it. */
  id(): string;
  is(chat: { readonly id: number; readonly username?: string | undefined }): boolean;
  /** Goes on with the new id until the process ends, and says what is to be changed. */
  move(id: number): void;
}

export function createTelegramChannel(
  configured: string,
  { logger }: { readonly logger: Pick<Logger, 'error'> },
): TelegramChannel {
  let current = configured;
  return {
    id: () => current,
    is: ({ id, username }) =>
      String(id) === current || `@${username ?? ''}`.toLowerCase() === current.toLowerCase(),
    move(id) {
      if (String(id) === current) return;
      logger.error(
        { from: current, to: String(id) },
        'the Telegram group has a new id: set TELEGRAM_CHANNEL_ID to it; until then it is used from memory',
      );
      current = String(id);
    },
  };
}
