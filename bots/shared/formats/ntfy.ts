import { plainText, type Screen } from '../screen.ts';
import { type Format, formatOf, linksOf } from './format.ts';

/** "Each message can be up to 4,096 bytes long. Longer messages are treated as attachments" (docs.ntfy.sh/publish/#limitations). */
const MESSAGE_BYTES = 4_096;
/** ntfy names no limit. A notification shows one line of it. */
const TITLE = 200;
/** "Up to three user actions" (docs.ntfy.sh/publish/#action-buttons). */
const ACTIONS = 3;
/** "No vibration or sound" (docs.ntfy.sh/publish/#message-priority). */
const LOW_PRIORITY = 2;
const MORE = ' …';

interface Words {
  readonly title: string;
  readonly message: string;
}

/**
 * The JSON that is posted to the root of a server (docs.ntfy.sh/publish/#publish-as-json). The first line is the title, the
 * first link opens with a tap. A tag is the kind of the message, by which a subscription can be filtered.
 */
export function ntfyFormat(topic: string): Format {
  return formatOf((screen) => {
    const { title, message } = wordsOf(screen);
    const links = linksOf(screen);
    return {
      topic,
      title,
      message: cutBytes(message, MESSAGE_BYTES),
      tags: [screen.name.replace('personal_', '')],
      ...(screen.isSilent && { priority: LOW_PRIORITY }),
      ...(links[0] && { click: links[0].url }),
      ...(links.length > 1 && { actions: links.slice(0, ACTIONS).map(actionOf) }),
    };
  });
}

function wordsOf(screen: Screen): Words {
  const whole = plainText(screen);
  const end = whole.indexOf('\n');
  if (end < 0 || end > TITLE) return { title: 'Tipoff', message: whole };
  return { title: whole.slice(0, end), message: whole.slice(end).trimStart() };
}

function actionOf({ label, url }: { readonly label: string; readonly url: string }) {
  return { action: 'view', label, url };
}

/** Never within a character. */
function cutBytes(text: string, most: number): string {
  if (Buffer.byteLength(text) <= most) return text;
  const bytes = Buffer.from(text).subarray(0, most - Buffer.byteLength(MORE));
  return new TextDecoder('utf8', { fatal: false }).decode(bytes, { stream: true }) + MORE;
}
