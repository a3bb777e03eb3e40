import { grouped } from '../../../src/core/base/text/formats.ts';
import { type Paragraph, spanText } from '../screen.ts';

/** Room for `… and 1,234 more`. */
const REST_LENGTH = 24;
/** What may be escaped on a platform. */
const SIGNS = /[\\`*_~|<>[\]()@#+.-]/g;
/** The most marks that any platform puts around a span: those of a link, `[…](<…>)`. */
const MARKS = 6;

/** As many entries as fit, and the number of the rest, including `more` that were not given. */
export function listedWithin(lines: readonly Paragraph[], room: number, more = 0): readonly Paragraph[] {
  let left = room - REST_LENGTH;
  const overflow = lines.findIndex((line) => {
    left -= lengthOf([line]);
    return left < 0;
  });
  const shown = overflow < 0 ? lines : lines.slice(0, overflow);
  const rest = lines.length - shown.length + more;
  return rest === 0 ? shown : [...shown, [`… and ${grouped(rest)} more`]];
}

/** Length of paragraphs, each followed by an empty line, on the platform that escapes and marks most. */
export function lengthOf(body: readonly Paragraph[]): number {
  const escaped = (text: string) => text.length + (text.match(SIGNS)?.length ?? 0);
  const lengths = body.flat().map((span) => {
    if (typeof span === 'string') return escaped(span);
    return MARKS + escaped(spanText(span)) + ('link' in span ? span.link.length : 0);
  });
  return lengths.reduce((sum, length) => sum + length, 2 * body.length);
}
