import type { Api } from 'grammy';
import type { Logger } from '../../src/core/logger.ts';
import type { ExpiringMessages } from '../shared/expiring-messages.ts';
import type { Screen } from '../shared/screen.ts';
import { deliver } from './deliver.ts';
import { isNotThere, isUnchanged, logged } from './failures.ts';
import { type Keys, toParts } from './render.ts';

/** The message whose button was tapped. */
export interface Tapped {
  readonly message: number;
  /** Whether it shows a secret: such a message is removed, never edited. */
  readonly isSecret: boolean;
}

/** Where a screen is shown. */
export interface Presentation {
  readonly api: Api;
  readonly chat: number;
  readonly expiring: ExpiringMessages;
  readonly logger: Pick<Logger, 'warn'>;
}

const NO_KEYS: Keys = { buttons: [], secret: null };

/** Shows a screen: in the tapped message where that is possible, else in a new one. */
export async function present(to: Presentation, given: Screen, tapped: Tapped | null): Promise<void> {
  const { repeated } = given;
  const isShown = repeated !== null && to.expiring.messageOf(repeated.request) !== null;
  const screen = isShown ? repeated.whileShown : given;
  if (tapped?.isSecret === true) {
    to.expiring.forget(idOf(to, tapped.message));
    await remove(to, tapped.message);
  } else if (tapped !== null && (await wasEdited(to, screen, tapped.message))) return;
  await sendNew(to, screen);
}

async function wasEdited({ api, chat }: Presentation, screen: Screen, message: number): Promise<boolean> {
  const [part, ...more] = toParts(screen.body);
  if (screen.secret !== null || part === undefined || more.length > 0) return false;
  try {
    await deliver(part, screen, (form) => api.editMessageText(chat, message, form.text, form));
    return true;
  } catch (error) {
    if (isUnchanged(error)) return true;
    if (isNotThere(error)) return false;
    throw error;
  }
}

async function sendNew(to: Presentation, screen: Screen): Promise<void> {
  const { api, chat, expiring } = to;
  const parts = toParts(screen.body);
  for (const [index, part] of parts.entries()) {
    const keys = index === parts.length - 1 ? screen : NO_KEYS;
    const { message_id: message } = await deliver(part, keys, (form) =>
      api.sendMessage(chat, form.text, form),
    );
    if (screen.secret === null) continue;
    const { request } = screen.secret;
    expiring.keep(idOf(to, message), { request, remove: () => remove(to, message) });
  }
}

function idOf({ chat }: Presentation, message: number): string {
  return `${chat}:${message}`;
}

async function remove({ api, chat, logger }: Presentation, message: number): Promise<boolean> {
  try {
    await api.deleteMessage(chat, message);
    return true;
  } catch (error) {
    if (isNotThere(error)) return true;
    logger.warn({ chat, message, ...logged(error) }, 'removal of a message with a key failed');
    return false;
  }
}
