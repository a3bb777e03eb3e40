import type { Faults } from './faults.ts';
import type { MarketProfile } from './market-profile.ts';
import type { MarketView } from './market-view.ts';

/** What a route answers. */
export interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What a route answers from. */
export interface RouteDeps {
  readonly view: MarketView;
  readonly faults: Faults;
  readonly profile: MarketProfile;
}

export type Route = (query: Query, deps: RouteDeps) => Answer;

export const ok = (body: unknown): Answer => ({ status: 200, body });

/** Both APIs share one address here; the path identifies the API. */
export const isGamma = (path: string) => /^\/(markets|public-profile)/.test(path);

/** What was asked wrongly; each API answers it in a shape of its own. */
export class BadQuery extends Error {
  readonly parameter: string;

  constructor(parameter: string, message: string) {
    super(message);
    this.parameter = parameter;
  }
}

/** The parameters of a request. */
export interface Query {
  text(name: string): string | null;
  /** Comma separated, repeated, or both. */
  list(name: string): readonly string[];
  whole(name: string, bounds: { min: number; max: number; otherwise: number }): number;
  seconds(name: string): number | null;
  number(name: string): number | null;
  flag(name: string): boolean | null;
  names(): readonly string[];
}

export function queryOf(parameters: URLSearchParams): Query {
  const text = (name: string) => parameters.get(name);
  function number(name: string): number | null {
    const given = text(name);
    if (given === null) return null;
    const value = Number(given);
    if (given === '' || !Number.isFinite(value)) throw new BadQuery(name, `${name} must be a number`);
    return value;
  }
  return {
    text,
    list: (name) =>
      parameters
        .getAll(name)
        .flatMap((value) => value.split(','))
        .filter((value) => value !== ''),
    whole(name, { min, max, otherwise }) {
      const value = number(name) ?? otherwise;
      if (!Number.isInteger(value) || value < min)
        throw new BadQuery(name, `${name} must be at least ${min}`);
      return Math.min(value, max);
    },
    seconds(name) {
      const value = number(name);
      if (value !== null && (!Number.isInteger(value) || value < 0 || value > 1e11))
        throw new BadQuery(name, `${name} must be epoch seconds`);
      return value;
    },
    number,
    flag(name) {
      const given = text(name);
      if (given === null) return null;
      if (given !== 'true' && given !== 'false') throw new BadQuery(name, `${name} must be true or false`);
      return given === 'true';
    },
    names: () => [...parameters.keys()],
  };
}

const WALLET = /^0x[0-9a-f]{40}$/i;

export function walletIn(query: Query, name: string, isRequired: boolean): string | null {
  const wallet = query.text(name);
  if (wallet === null && !isRequired) return null;
  if (wallet === null || !WALLET.test(wallet)) throw new BadQuery(name, `${name} must be an address`);
  return wallet.toLowerCase();
}
