import { cutText, oneLine } from '../../core/base/text/formats.ts';

/** In code points. */
const LENGTH = 100;

/** The name of an outcome as one line. */
export function outcomeName(outcome: string): string {
  const name = cutText(oneLine(outcome), LENGTH);
  return name === '' ? 'an outcome without a name' : name;
}
