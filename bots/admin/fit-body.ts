import { type Paragraph, plainText } from '../shared/screen.ts';

/** A message of Telegram holds 4,096 characters. */
const MOST_CHARACTERS = 3_500;

/** As many paragraphs as fit one message, with a note when some are left out. */
export function fitBody(body: readonly Paragraph[]): readonly Paragraph[] {
  let characters = 0;
  const fitting: Paragraph[] = [];
  for (const paragraph of body) {
    characters += plainText({ body: [paragraph] }).length + 2;
    if (characters > MOST_CHARACTERS) return [...fitting, ['… and more than fits here.']];
    fitting.push(paragraph);
  }
  return fitting;
}
