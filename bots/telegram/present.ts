import type { Api } from 'grammy';
import type { Screen } from '../shared/screen.ts';
import { deliver } from './deliver.ts';
import { isNotThere, isUnchanged } from './errors.ts';
import type { ExpiringMessages } from './expiring-messages.ts';
import { type Keys, toParts } from './render.ts';

/** The message whose button was tapped. */
export interface Tapped {
  readonly message: number;
  /** Whether it shows a secret: such a message is removed, never edited. */
  readonly isSecret: boolean;
}

export interface Presentation {
  readonly api: Api;
  readonly chat: number;
  readonly expiring: ExpiringMessages;
}

const NO_KEYS: Keys = { buttons: [], secret: null };

/** Shows a screen: in the message that was tapped where that is possible, else in a new one below. */
export async function present(to: Presentation, given: Screen, tapped: Tapped | null): Promise<void> {
  const { repeated } = given;
  const isThere = repeated !== null && to.expiring.isShown(repeated.request);
  const screen = isThere ? repeated.whileShown : given;
  if (tapped?.isSecret === true) await to.expiring.removeNow(to.chat, tapped.message);
  else if (tapped !== null && (await wasEdited(to, screen, tapped.message))) return;
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

async function sendNew({ api, chat, expiring }: Presentation, screen: Screen): Promise<void> {
  const parts = toParts(screen.body);
  for (const [index, part] of parts.entries()) {
    const keys = index === parts.length - 1 ? screen : NO_KEYS;
    const sent = await deliver(part, keys, (form) => api.sendMessage(chat, form.text, form));
    if (screen.secret !== null) expiring.keep(chat, sent.message_id, screen.secret.request);
  }
}
