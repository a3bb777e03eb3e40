import { rounded } from '../rounded.ts';
import { DAY_MS, type EpochMs, HOUR_MS, MINUTE_MS, SECOND_MS } from '../time/duration.ts';

const DATED_FROM_MS = 60 * DAY_MS;
/** Decimals of a price in cents; the fewest that suffice are used. */
const PRICE_DECIMALS = [1, 2, 3, 4];

/** Matches the position before each group of three digits; the locale's format takes 12 ms the first time. */
const THOUSANDS = /\B(?=(?:\d{3})+$)/g;

/** USDC as whole dollars, `$12,340`, and below one dollar to the cent. Negative sums have their sign in front. */
export function dollars(usdc: number): string {
  const amount = rounded(Math.abs(usdc), 2);
  if (amount === 0) return '$0';
  const text = amount < 1 ? amount.toFixed(2) : grouped(Math.round(amount));
  return `${usdc < 0 ? '-' : ''}$${text}`;
}

/** A sum with its sign, `+$1,234` or `−$1,234`. */
export function signedDollars(usdc: number): string {
  return `${usdc < 0 ? '−' : '+'}${dollars(Math.abs(usdc))}`;
}

/** A price of 0 to 1 USDC a share: `12¢`, `94.5¢`. More digits only where it would otherwise read as 0¢ or 100¢. */
export function cents(price: number): string {
  const isEdge = (inCents: number) => inCents <= 0 || inCents >= 100;
  const exact = price * 100;
  const said = PRICE_DECIMALS.map((decimals) => Number(exact.toFixed(decimals)));
  return `${said.find((inCents) => isEdge(inCents) === isEdge(exact)) ?? exact}¢`;
}

/** A difference of prices with its sign, `+2.1¢` or `−0.4¢`. */
export function signedCents(difference: number): string {
  const tenths = rounded(difference * 100, 1);
  return `${tenths < 0 ? '−' : '+'}${Math.abs(tenths).toFixed(1)}¢`;
}

/** A share of 1 in whole per cent, `68%`. */
export function percent(share: number): string {
  return `${Math.round(share * 100)}%`;
}

/** The start and the end of a wallet's address. */
export function shortWallet(address: string): string {
  return address.length <= 12 ? address : `${address.slice(0, 6)}…${address.slice(-4)}`;
}

/** Control characters, line separators, and marks that change the direction of text. */
const UNSAFE = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]+/gu;

/** A title or an outcome of a market as one line: it can neither start a new line nor change the direction of the text. */
export function oneLine(text: string): string {
  return text.replace(UNSAFE, ' ').replace(/ {2,}/g, ' ').trim();
}

/** The text, with `…` as its last character if it is longer than `length`. Lone surrogates are replaced. */
export function cutText(text: string, length: number): string {
  if (text.length <= length) return text.toWellFormed();
  return `${text
    .slice(0, length - 1)
    .replace(/[\ud800-\udbff]$/, '')
    .toWellFormed()}…`;
}

/** A text of the market as one line of at most `length` characters. */
export function cutLine(text: string, length: number): string {
  return cutText(oneLine(text), length);
}

/** The text with a capital first letter. */
export function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** `a, b and c`, or with another word before the last. */
export function listed(items: readonly string[], word = 'and'): string {
  const last = items.at(-1) ?? '';
  return items.length < 2 ? last : `${items.slice(0, -1).join(', ')} ${word} ${last}`;
}

/** A whole number as `1,200`. */
export function grouped(count: number): string {
  return String(count).replaceAll(THOUSANDS, ',');
}

/** `1 alert`, `1,200 alerts`. */
export function counted(count: number, noun: string): string {
  return `${grouped(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** The age of a wallet, in whole days rounded down: `under a day old`, `1 day old`, `3 days old`. */
export function daysOld(days: number): string {
  return `${days < 1 ? 'under a day' : counted(Math.floor(days), 'day')} old`;
}

/** A score from 0 to 100 as ten blocks. Only completed blocks are filled, so only 100 fills all ten. */
export function scoreBar(score: number): string {
  return '█'.repeat(Math.floor(score / 10)).padEnd(10, '░');
}

/** `2026-11-21`, UTC. */
export function utcDay(at: EpochMs): string {
  return new Date(at).toISOString().slice(0, 10);
}

/** `2026-11-21 20:15 UTC`. */
export function utcMinute(at: EpochMs): string {
  return `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

/** `17 min ago`, `2 h ago`, `3 days ago`; from 60 days on the UTC date, `on 2026-09-22`. */
export function ago(at: EpochMs, now: EpochMs): string {
  const age = now - at;
  return age < DATED_FROM_MS ? `${timeSpan(age)} ago` : `on ${utcDay(at)}`;
}

/** `40 s`, `17 min`, `2 h`, `3 days`; rounded down. */
export function timeSpan(ms: number): string {
  if (ms < MINUTE_MS) return `${Math.max(0, Math.floor(ms / SECOND_MS))} s`;
  if (ms < HOUR_MS) return `${Math.floor(ms / MINUTE_MS)} min`;
  if (ms < DAY_MS) return `${Math.floor(ms / HOUR_MS)} h`;
  return counted(Math.floor(ms / DAY_MS), 'day');
}

/** `90 seconds`, `15 minutes`, `24 hours`, `7 days`: in the largest unit that divides it; days only from two on. */
export function durationWords(ms: number): string {
  if (ms % DAY_MS === 0 && ms > DAY_MS) return counted(ms / DAY_MS, 'day');
  if (ms % HOUR_MS === 0) return counted(ms / HOUR_MS, 'hour');
  return ms % MINUTE_MS === 0 ? counted(ms / MINUTE_MS, 'minute') : counted(ms / SECOND_MS, 'second');
}
