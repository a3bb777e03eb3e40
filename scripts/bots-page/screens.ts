import { toMessage } from '../../bots/discord/screen-message.ts';
import { plainText, type Screen } from '../../bots/shared/screen.ts';
import { toKeyboard, toParts } from '../../bots/telegram/render.ts';

function pictureOf({ preview }: Screen): readonly string[] {
  return preview === null ? [] : [`[ picture of the alert: ${preview.picture} ]`, ''];
}

export function inTelegram(screen: Screen): string {
  const html = toParts(screen.body).map((part) => part.html);
  const rows = toKeyboard(screen).map((row) => row.map(({ text }) => `[ ${text} ]`).join(' '));
  return [...pictureOf(screen), ...html, ...(rows.length === 0 ? [] : ['', ...rows])].join('\n');
}

export function inDiscord(screen: Screen): string {
  const rows = screen.buttons.map((row) => row.map(({ label }) => `[ ${label} ]`).join(' '));
  const picture = pictureOf(screen).toReversed();
  return [toMessage(screen).content, ...picture, ...(rows.length === 0 ? [] : ['', ...rows])].join('\n');
}

export function withButtons(screen: Screen): string {
  const rows = screen.buttons.map((row) => row.map(({ label }) => `[ ${label} ]`).join(' '));
  return [plainText(screen), ...(rows.length === 0 ? [] : ['', ...rows])].join('\n');
}

/** Keys and codes are random: placeholders replace them. */
export function steady(text: string): string {
  return text
    .replaceAll(/sk_live_[\w-]{43}/g, `sk_live_${'Example0'.repeat(5)}Key`)
    .replaceAll(/sk_live_[\w-]{10}(?![\w-])/g, 'sk_live_Example0Ex')
    .replaceAll(/\b[A-Z2-9]{4}-?[A-Z2-9]{4}\b/g, 'EXAM-PLE2');
}

export function fenced(language: string, text: string): string {
  return `\`\`\`${language}\n${text.trim()}\n\`\`\`\n`;
}
