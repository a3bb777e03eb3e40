import type { AddressEnds } from './alert-store.ts';

/** What a text names that a person typed or copied from a page. */
export type Pasted =
  | { readonly kind: 'wallet'; readonly ends: AddressEnds }
  /** `isNamed`: it is called an alert. A number alone may be a part of a question. */
  | { readonly kind: 'alert'; readonly id: number; readonly isNamed: boolean }
  | PastedMarket
  /** A link, or the beginning of an address, that leads to none of these. */
  | { readonly kind: 'wrong'; readonly why: string }
  | { readonly kind: 'text'; readonly text: string };

/** In lower case. */
export interface PastedMarket {
  readonly kind: 'market';
  /** The slug of a market, or its id; null in the address of an event. */
  readonly market: string | null;
  /** The slug of its event; null where only a market is named. */
  readonly event: string | null;
}

const ADDRESS_RIGHT = 'An address has 42 characters: 0x and 40 hexadecimal digits (0 to 9, a to f).';
const LINKS =
  'I read links to Polymarket (an event, a market, a profile with its address), to a wallet on an explorer, and to pages of this service.';

const QUOTES = /^["'`“”‘’«»<(]+|["'`“”‘’«»>),;]+$/g;
const LINK = /https?:\/\/[^\s<>"')\]]+/i;
const LINK_WITHOUT_SCHEME = /^(?:[\w-]+\.)+[a-z]{2,}(?::\d+)?\/\S*$/i;
const MARKET_SITE = /(?:^|\.)polymarket\.com$/;
const ALERT = /^(#|alert[\s_:]*(?:#|no\.?)?\s*)?(\d{1,15})$/i;
const MARKET_ID = /^0x[\da-f]{64}$/i;
/** An address, or the name of an account without one: its address and a number, `0x…-1766730765984`. */
const WHOLE = /^@?(?:0x)?([\da-f]{40})(?:-\d+)?$/i;
/** `0x872c…41f0`, `0x872c...41f0`, `0x872c 41f0`, `0x872c`. */
const WITH_PREFIX = /^@?0x([\da-f]{3,39})(?:\s*(?:…|⋯|\.{2,}|\*+|[-–—_ ])\s*([\da-f]{1,40})?)?$/i;
/** `872c…41f0`: only a sign of omission makes an address of it. */
const WITHOUT_PREFIX = /^([\da-f]{3,39})\s*(?:…|⋯|\.{2,}|\*+)\s*([\da-f]{2,40})?$/i;
const ACCOUNT_NUMBER = /-\d{9,}$/;
const SLUG = /^[a-z0-9]+(?:-[a-z0-9]+)+$/;
const SLUG_MAX = 300;

/**
 * Reads one thing that was typed or pasted, also a title with its link. `ownHosts`: the hosts of our pages; without them any host
 * may have pages like ours.
 */
export function readPasted(given: string, ownHosts: readonly string[] | null = null): Pasted {
  const text = given.trim().replaceAll(QUOTES, '').trim();
  const link = linkIn(given, ownHosts) ?? linkIn(text, ownHosts);
  if (link !== null) return linkNamed(link, ownHosts);
  return textNamed(text === '' ? given.trim() : text);
}

function textNamed(text: string): Pasted {
  if (MARKET_ID.test(text)) return marketNamed(text, null);
  const [, sign, number] = ALERT.exec(text) ?? [];
  if (number !== undefined && Number(number) > 0)
    return { kind: 'alert', id: Number(number), isNamed: sign !== undefined };
  const wallet = walletIn(text);
  if (wallet !== null) return wallet;
  if (/^0x[\da-f]*$/i.test(text)) return { kind: 'wrong', why: ADDRESS_RIGHT };
  return { kind: 'text', text };
}

/** Whether a text can be the slug of a market or of an event: at least two words joined by hyphens, in lower case. */
export function isSlug(text: string): boolean {
  return SLUG.test(text) && text.length <= SLUG_MAX && /[a-z]/.test(text);
}

function walletIn(text: string): Pasted | null {
  const [, whole] = WHOLE.exec(text) ?? [];
  if (whole !== undefined) return walletNamed(whole);
  const short = text.replace(ACCOUNT_NUMBER, '');
  const [, start, end] = WITH_PREFIX.exec(short) ?? WITHOUT_PREFIX.exec(short) ?? [];
  return start === undefined ? null : walletNamed(start, end);
}

function walletNamed(start: string, end = ''): Pasted {
  return { kind: 'wallet', ends: { start: `0x${start.toLowerCase()}`, end: end.toLowerCase() } };
}

function marketNamed(market: string | null, event: string | null): Pasted {
  const isLong = [market, event].some((slug) => slug !== null && slug.length > SLUG_MAX);
  if (isLong) return { kind: 'wrong', why: LINKS };
  return { kind: 'market', market: market?.toLowerCase() ?? null, event: event?.toLowerCase() ?? null };
}

/** The first link in a text; without its scheme only if it is the whole text. */
function linkIn(text: string, ownHosts: readonly string[] | null): URL | null {
  const link = LINK.exec(text)?.[0].replace(/[.,;:!]+$/, '');
  if (link !== undefined) return URL.parse(link);
  const isOwn = ownHosts?.some((host) => text.toLowerCase().startsWith(`${host}/`)) === true;
  return isOwn || LINK_WITHOUT_SCHEME.test(text) ? URL.parse(`https://${text}`) : null;
}

function linkNamed(url: URL, ownHosts: readonly string[] | null): Pasted {
  const path = url.pathname.split('/').flatMap((part) => (part === '' ? [] : [decoded(part)]));
  const isOwn = ownHosts === null || ownHosts.includes(url.host);
  const named = MARKET_SITE.test(url.hostname)
    ? marketSiteNamed(path, url.searchParams)
    : ((isOwn ? ownPageNamed(path, url.searchParams) : startNamed(url)) ?? explorerNamed(path, url));
  return named ?? { kind: 'wrong', why: LINKS };
}

/** Any page of the market's site, behind any language and in any section: a profile, a market, an event, a game, or a search. */
function marketSiteNamed(path: readonly string[], query: URLSearchParams): Pasted | null {
  const account = path.find((part) => WHOLE.test(part));
  if (account !== undefined) return walletIn(account);
  const at = path.findIndex((part) => /^(?:event|market|sports|esports)$/i.test(part));
  const [kind = '', ...rest] = at < 0 ? [] : path.slice(at);
  const isOfSport = /sports$/i.test(kind);
  // A sport's page has its league first, and perhaps `games` or a week.
  const slugs = isOfSport ? rest.slice(1).filter((part) => isSlug(part.toLowerCase())) : rest;
  const [first, second = null] = slugs;
  if (first !== undefined) {
    if (/^market$/i.test(kind)) return marketNamed(first, first);
    return marketNamed(second, first);
  }
  const [market, event, words] = ['market', 'event', '_q'].map((name) => query.get(name) || null);
  if (market || event) return marketNamed(market ?? null, event ?? null);
  return words ? { kind: 'text', text: words } : null;
}

/** Our pages, and those of the API: `/alerts/123`, `/wallets/0x…`, `/markets/SLUG`, `/search?search=TEXT`. */
function ownPageNamed(path: readonly string[], query: URLSearchParams): Pasted | null {
  const at = path.findIndex((part) => /^(?:alerts|wallets|markets|search)$/.test(part));
  const [kind, name = ''] = at < 0 ? [] : path.slice(at);
  const searched = query.get('search') ?? '';
  if (kind === 'search' && isSlug(searched)) return marketNamed(searched, searched);
  if (kind === 'search') return searched === '' ? null : textNamed(searched);
  if (kind === 'wallets') return walletIn(name);
  if (kind === 'markets') return name === '' ? null : marketNamed(name, name);
  const [, number] = /^(\d{1,15})(?:\.\w+)?$/.exec(name) ?? [];
  return number === undefined ? null : { kind: 'alert', id: Number(number), isNamed: true };
}

/** A link to a bot about an alert: `?start=alert_123`, `?start=f_123`, `?start=m_123`. */
function startNamed({ searchParams }: URL): Pasted | null {
  const [, number] = /^(?:alert|f|m)_(\d{1,15})$/.exec(searchParams.get('start') ?? '') ?? [];
  return number === undefined ? null : { kind: 'alert', id: Number(number), isNamed: true };
}

/** The page of an address, or of a token that a holder (`a`) has. */
function explorerNamed(path: readonly string[], { searchParams }: URL): Pasted | null {
  const at = path.findIndex((part) => /^(?:address|account|profile|wallets?)$/i.test(part));
  const address = searchParams.get('a') ?? (at < 0 ? '' : (path[at + 1] ?? ''));
  return WHOLE.test(address) ? walletIn(address) : null;
}

/** The part itself when its escapes are not valid. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
