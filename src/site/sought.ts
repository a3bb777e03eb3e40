import type { AddressEnds } from '../core/alerts/alert-store.ts';

/** What a text of the search looks like. */
export type Sought =
  | { readonly kind: 'wallet'; readonly ends: AddressEnds }
  /** `isNamed`: it is called an alert. A number alone may be a part of a question. */
  | { readonly kind: 'alert'; readonly id: number; readonly isNamed: boolean }
  /** Slugs from an address of Polymarket: of a market, or of its event. */
  | { readonly kind: 'slugs'; readonly slugs: readonly [string, ...string[]] }
  | { readonly kind: 'text'; readonly text: string };

const QUOTES = /^["'`“”‘’«»<(]+|["'`“”‘’«»>),;]+$/g;
const WEB = /^(?:https?:\/\/)?(?:[\w-]+\.)*polymarket\.com(\/[^?#]*)/i;
const ALERT = /^(?:#|alert\s*(?:#|no\.?)?\s*)?(\d{1,15})$/i;
const WHOLE = /^(?:0x)?([\da-f]{40})$/i;
/** `0x872c…41f0`, `0x872c...41f0`, `0x872c 41f0`, `0x872c`. */
const WITH_PREFIX = /^0x([\da-f]{3,39})(?:\s*(?:…|⋯|\.{2,}|\*+|[-–—_ ])\s*([\da-f]{1,40})?)?$/i;
/** `872c…41f0`: only a sign of omission makes an address of it. */
const WITHOUT_PREFIX = /^([\da-f]{3,39})\s*(?:…|⋯|\.{2,}|\*+)\s*([\da-f]{2,40})?$/i;

/** Reads a text of the search, which is not empty. */
export function readSought(given: string): Sought {
  const text = given.trim().replaceAll(QUOTES, '').trim();
  const web = WEB.exec(text);
  if (web !== null) return ofAddress(web[1] ?? '') ?? { kind: 'text', text };
  const [, whole] = WHOLE.exec(text) ?? [];
  if (whole !== undefined) return walletOf(whole);
  const [, start, end] = WITH_PREFIX.exec(text) ?? WITHOUT_PREFIX.exec(text) ?? [];
  if (start !== undefined) return walletOf(start, end);
  const [, number] = ALERT.exec(text) ?? [];
  if (number !== undefined && Number(number) > 0)
    return { kind: 'alert', id: Number(number), isNamed: text !== number };
  return { kind: 'text', text: text === '' ? given.trim() : text };
}

function walletOf(start: string, end = ''): Sought {
  return { kind: 'wallet', ends: { start: `0x${start.toLowerCase()}`, end: end.toLowerCase() } };
}

/** `/event/EVENT/MARKET`, `/event/EVENT`, `/market/MARKET`, `/profile/ADDRESS`, any of them after a language. */
function ofAddress(path: string): Sought | null {
  const parts = path.split('/').filter((part) => part !== '');
  const at = parts.findIndex((part) => /^(?:event|market|profile)$/i.test(part));
  const [last, ...others] =
    at < 0
      ? []
      : parts
          .slice(at + 1)
          .map(decoded)
          .toReversed();
  if (last === undefined) return null;
  const [, whole] = WHOLE.exec(last) ?? [];
  return whole === undefined ? { kind: 'slugs', slugs: [last, ...others] } : walletOf(whole);
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
