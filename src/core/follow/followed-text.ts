import { CATEGORIES } from '../trades/trade.ts';

/** What one word of a text names. `slug`: of a market, or of an event that may have one. */
export type Named =
  | { readonly kind: 'wallet' /** In lower case. */; readonly wallet: string }
  | { readonly kind: 'slug'; readonly slug: string }
  | { readonly kind: 'alert'; readonly id: number }
  | { readonly kind: 'wrong'; readonly why: string };

/** A word of a text and what it names. */
export interface NamedWord {
  readonly word: string;
  readonly named: Named;
}

const SLUG = /^[a-z0-9]+(?:-[a-z0-9]+)+$/;
const SLUG_MAX = 300;
/** Smaller numbers without `#` or `alert:` are scores. */
const SCORE_MAX = 100;
const ADDRESS_RIGHT = 'An address has 42 characters: 0x and 40 hexadecimal digits (0 to 9, a to f).';
const LINKS =
  'I read links to Polymarket (an event, a market, a profile with its address) and to pages of this service.';

/**
 * The addresses, links, slugs and numbers of alerts in a text, separated by spaces, commas or lines; a word that repeats another names
 * nothing new and is left out. Null for a text without any of them, which may be a filter. `ownHosts`: the hosts of our pages.
 */
export function namedWords(text: string, ownHosts: readonly string[]): readonly NamedWord[] | null {
  const words = text.split(/[\s,;]+/).filter((word) => word !== '');
  if (words.some(isOfFilter)) return null;
  const named = words.map((word) => ({ word, named: namedBy(word, ownHosts) }));
  if (named.every((one) => one.named === null)) return null;
  const read = named.map(({ word, named: what }) => ({ word, named: what ?? WRONG_WORD }));
  const keys = read.map((one) => JSON.stringify(one.named.kind === 'wrong' ? one : one.named));
  return read.filter((_, index) => keys.indexOf(keys[index] as string) === index);
}

const WRONG_WORD: Named = {
  kind: 'wrong',
  why: 'That is neither an address, nor a link, nor a market’s slug.',
};

/** Null for any other word. */
function namedBy(word: string, ownHosts: readonly string[]): Named | null {
  const text = word.replace(/^[<(]+|[>).]+$/g, '');
  if (/^0x/i.test(text)) return walletNamed(text);
  const [, sign, number] = /^(#|alert[_:])?(\d{1,15})$/i.exec(text) ?? [];
  if (number !== undefined && (sign !== undefined || Number(number) > SCORE_MAX))
    return { kind: 'alert', id: Number(number) };
  if (/^(?:https?:\/\/|(?:www\.)?polymarket\.com\/)/i.test(text)) return linkNamed(text, ownHosts);
  return isSlug(text.toLowerCase()) ? { kind: 'slug', slug: text.toLowerCase() } : null;
}

function walletNamed(text: string): Named {
  return /^0x[0-9a-f]{40}$/i.test(text)
    ? { kind: 'wallet', wallet: text.toLowerCase() }
    : { kind: 'wrong', why: ADDRESS_RIGHT };
}

function linkNamed(text: string, ownHosts: readonly string[]): Named {
  const url = URL.parse(/^https?:/i.test(text) ? text : `https://${text}`);
  if (url === null) return { kind: 'wrong', why: LINKS };
  const path = pathOf(url);
  if (/(?:^|\.)polymarket\.com$/.test(url.hostname)) return marketSiteNamed(path);
  return (
    (ownHosts.includes(url.host) ? ownPageNamed(path) : startNamed(url)) ?? { kind: 'wrong', why: LINKS }
  );
}

/** `/event/EVENT`, `/event/EVENT/MARKET`, `/market/MARKET` and `/profile/0x…`, also under a language prefix. */
function marketSiteNamed(path: readonly string[]): Named {
  const [kind, ...rest] = /^[a-z]{2}$/.test(path[0] ?? '') ? path.slice(1) : path;
  const last = (rest.at(-1) ?? '').toLowerCase();
  if (kind === 'profile' && last.startsWith('0x')) return walletNamed(last);
  const isMarket = kind === 'event' || kind === 'market';
  return isMarket && last !== '' && last.length <= SLUG_MAX
    ? { kind: 'slug', slug: last }
    : { kind: 'wrong', why: LINKS };
}

/** Our pages: `/alerts/123`, `/wallets/0x…`, `/markets/SLUG` (site-paths.ts). */
function ownPageNamed([kind, name = '']: readonly string[]): Named | null {
  if (kind === 'wallets') return walletNamed(name);
  if (kind === 'markets' && name !== '') return { kind: 'slug', slug: name.toLowerCase() };
  const [, number] = /^(\d{1,15})(?:\.png)?$/.exec(name) ?? [];
  return kind === 'alerts' && number !== undefined ? { kind: 'alert', id: Number(number) } : null;
}

/** A link to a bot about an alert: `?start=alert_123`, `?start=f_123`, `?start=m_123`. */
function startNamed({ searchParams }: URL): Named | null {
  const [, number] = /^(?:alert|f|m)_(\d{1,15})$/.exec(searchParams.get('start') ?? '') ?? [];
  return number === undefined ? null : { kind: 'alert', id: Number(number) };
}

function pathOf({ pathname }: URL): readonly string[] {
  return pathname.split('/').flatMap((part) => {
    try {
      return part === '' ? [] : [decodeURIComponent(part)];
    } catch {
      return [part];
    }
  });
}

/** `category:politics`, `words`: neither a link nor `alert:123`. */
function isOfFilter(word: string): boolean {
  return /^(?:words?|search|(?!alert:)[a-z_]+[:=](?!\/\/).*)$/i.test(word);
}

/** At least two words joined by a hyphen: other words may be a filter. */
function isSlug(text: string): boolean {
  const isCategory = CATEGORIES.some((category) => category === text.replaceAll('-', '_'));
  return SLUG.test(text) && text.length <= SLUG_MAX && /[a-z]/.test(text) && !isCategory;
}
