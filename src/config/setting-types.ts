import { isIP } from 'node:net';
import { z } from 'zod';
import { type EpochMs, SECOND_MS } from '../core/base/time/duration.ts';

export type SourceSetting =
  | { readonly kind: 'none' }
  | { readonly kind: 'polymarket' }
  | { readonly kind: 'replay'; readonly file: string }
  | { readonly kind: 'tail'; readonly file: string };

export interface AdminIdSetting {
  readonly platform: 'telegram' | 'discord' | 'discord-role';
  readonly id: string;
}

export function oneOf<const Word extends string>(...words: readonly Word[]) {
  const expected = words.length === 2 ? words.join(' or ') : words.join(', ');
  return z.enum(words, { error: ({ input }) => `expected ${expected}, got "${input}"` });
}

export function seconds(min: number, max: number) {
  return number(min, max).transform((count) => count * SECOND_MS);
}

export function whole(min: number, max: number) {
  return number(min, max).refine(Number.isInteger, 'expected a whole number');
}

export function number(min: number, max: number) {
  return z.string().transform((text, context) => {
    const value = Number(text);
    if (text.trim() !== '' && value >= min && value <= max) return value;
    context.addIssue(`expected a number from ${min} to ${max}, got "${text}"`);
    return z.NEVER;
  });
}

/** Never repeats the value: it may hold a password. */
export function databaseUrl() {
  return z
    .string()
    .refine(
      (url) => /^sqlite:.+/.test(url) || /^mongodb(\+srv)?:\/\/.+/.test(url),
      'expected sqlite:FILE (for example sqlite:./data/tipoff.db) or mongodb://HOST/NAME',
    );
}

export function contractAddresses() {
  return z.string().transform((text, context): readonly string[] => {
    const words = text.split(',').map((address) => address.trim().toLowerCase());
    const addresses = words.filter((address) => address !== '');
    const wrong = addresses.find((address) => !/^0x[0-9a-f]{40}$/.test(address));
    if (wrong === undefined) return addresses;
    context.addIssue(`expected addresses of 0x and 40 digits, separated by commas, got "${wrong}"`);
    return z.NEVER;
  });
}

export function marketSource() {
  return z.string().transform((text, context): SourceSetting => {
    if (text === 'none' || text === 'polymarket') return { kind: text };
    const [, kind, file] = /^(replay|tail):(.+)$/.exec(text) ?? [];
    if (file !== undefined) return { kind: kind === 'tail' ? 'tail' : 'replay', file };
    context.addIssue(`expected polymarket, replay:FILE, tail:FILE or none, got "${text}"`);
    return z.NEVER;
  });
}

export function replayShift() {
  return z.string().transform((text, context): 'now' | EpochMs => {
    if (text === 'now') return text;
    const moment = /^\d{4}-\d\d-\d\dT.*(Z|[+-]\d\d:\d\d)$/.test(text) ? Date.parse(text) : Number.NaN;
    if (!Number.isNaN(moment)) return moment;
    context.addIssue(`expected now or a moment with its zone like 2022-11-07T15:00:00Z, got "${text}"`);
    return z.NEVER;
  });
}

export function trustProxy() {
  return z.string().transform((text, context): boolean | number | string => {
    if (text === 'true' || text === 'false') return text === 'true';
    if (/^\d{1,2}$/.test(text)) return Number(text);
    const addresses = text.split(',').map((part) => part.trim());
    if (addresses.every((address) => isIP(address.split('/')[0] ?? '') !== 0)) return addresses.join(',');
    context.addIssue(`expected true, false, a number of hops or addresses like 10.0.0.0/8, got "${text}"`);
    return z.NEVER;
  });
}

/** An address of a server, without a slash at its end. Never repeats the value: it may hold a password. */
export function address(scheme: RegExp, example: string) {
  return z.string().transform((text, context): string => {
    const url = URL.parse(text);
    if (url !== null && scheme.test(url.protocol)) return text.replace(/\/+$/, '');
    context.addIssue(`expected an address like ${example}`);
    return z.NEVER;
  });
}

/** As `address`; null for the word `off`. */
export function addressOrOff(scheme: RegExp, example: string) {
  const given = address(scheme, `${example}, or off`);
  return z.string().transform((text, context): string | null => {
    if (text === 'off') return null;
    const { data, error } = given.safeParse(text);
    for (const { message } of error?.issues ?? []) context.addIssue(message);
    return data ?? z.NEVER;
  });
}

export function httpAddress(example: string) {
  return address(/^https?:$/, example);
}

export function contact() {
  return z.string().transform((text, context): string => {
    if (/^[^\s@<>"?&%]+@[^\s@<>"?&%]+\.[^\s@<>"?&%]+$/.test(text)) return `mailto:${text}`;
    const url = URL.parse(text);
    if (url?.protocol === 'https:') return url.href;
    context.addIssue('expected an e-mail address or an address like https://example.com/contact');
    return z.NEVER;
  });
}

/** A token of a platform: a secret, never repeated. */
export function token(example: string) {
  return z.string().regex(/^\S{10,}$/, `expected a token like ${example}, without spaces`);
}

export function adminIds() {
  return z.string().transform((text, context): AdminIdSetting[] => {
    if (text === '') return [];
    const parts = text.split(',').map((part) => part.trim());
    const ids = parts.map((part) => /^(telegram|discord|discord-role):(\d{1,20})$/.exec(part));
    const wrong = parts.filter((_, index) => ids[index] === null);
    if (wrong.length === 0)
      return ids.map((match) => ({
        platform: match?.[1] as AdminIdSetting['platform'],
        id: match?.[2] ?? '',
      }));
    context.addIssue(
      `expected ids like telegram:123,discord:456,discord-role:789; "${wrong.join(', ')}" is none`,
    );
    return z.NEVER;
  });
}

export function snowflake() {
  return z.string().regex(/^\d{15,20}$/, 'expected an id of Discord, 15 to 20 digits');
}
