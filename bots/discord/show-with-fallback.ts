import type { Screen } from '../shared/screen.ts';
import { DISCORD_CODES, discordCode } from './failures.ts';
import { type ScreenMessage, toMessage, toPlainMessage } from './screen-message.ts';

/** Shows a screen; in plain text when Discord refuses its form. */
export async function showWithFallback<Answer>(
  screen: Screen,
  show: (message: ScreenMessage) => Promise<Answer>,
): Promise<Answer> {
  try {
    return await show(toMessage(screen));
  } catch (error) {
    if (discordCode(error) !== DISCORD_CODES.invalidForm) throw error;
    return show(toPlainMessage(screen));
  }
}
