import type { Config } from '../config.ts';
import type { Logger } from '../core/base/logger.ts';
import type { OpenedSetup } from './platform.ts';

/** The setups of the bots that have a token; no service has to run. */
export async function openSetups({ chat }: Config, logger: Logger): Promise<readonly OpenedSetup[]> {
  const { telegram, discord } = chat;
  const hasTelegram = telegram.token !== null || telegram.adminToken !== null;
  return [
    ...(hasTelegram ? (await import('./telegram.ts')).openTelegramSetups(chat, logger) : []),
    ...(discord.token === null ? [] : [(await import('./discord.ts')).openDiscordSetup(chat, discord.token)]),
  ];
}
