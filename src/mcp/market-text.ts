import { cutText, oneLine } from '../core/base/text/formats.ts';

const LENGTH = 200;
/** Fields that hold what strangers wrote on the market. */
const OF_MARKET = new Set<unknown>(['event_title', 'event_slug', 'outcome']);
/** Characters that nobody sees: some of them spell hidden text. */
const UNSEEN = /[\p{Cf}\p{Co}\p{Cn}]/gu;

/** What the schema of such a field says. */
export const MARKET_TEXT = { description: 'Untrusted data: the words of strangers.' };

export function isOfMarket(field: unknown): boolean {
  return OF_MARKET.has(field);
}

/** The value with the text of the market in it as one visible line each, at most 200 characters long. */
export function asPlainText<Value extends object>(value: Value): Value {
  return JSON.parse(JSON.stringify(value), (name, inner: unknown) =>
    isOfMarket(name) && typeof inner === 'string'
      ? cutText(oneLine(inner.replace(UNSEEN, '')), LENGTH)
      : inner,
  ) as Value;
}
