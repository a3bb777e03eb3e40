import type { Faults } from './faults.ts';
import { golden } from './golden.ts';
import type { MarketProfile } from './market-profile.ts';
import type { MarketView } from './market-view.ts';

export interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface RouteDeps {
  readonly view: MarketView;
  readonly faults: Faults;
  readonly profile: MarketProfile;
}

export type Route = (query: URLSearchParams, deps: RouteDeps) => Answer;

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

/** A list that is comma separated, repeated, or both; each once. */
export function listIn(query: URLSearchParams, name: string, most: number): readonly string[] {
  const given = query.getAll(name).flatMap((value) => value.split(','));
  const list = [...new Set(given.filter((value) => value !== ''))];
  if (list.length > most) throw new BadQuery(name, `at most ${most} ${name}`);
  return list;
}

/** A whole number; null when it is not given. */
export function numberIn(query: URLSearchParams, name: string): number | null {
  const given = query.get(name);
  if (given === null) return null;
  if (!/^\d+$/.test(given)) throw new BadQuery(name, `${name} must be a whole number`);
  return Number(given);
}

export function walletIn(query: URLSearchParams, name: string): string {
  const wallet = query.get(name) ?? '';
  if (!/^0x[0-9a-f]{40}$/i.test(wallet)) throw new BadQuery(name, `${name} must be an address`);
  return wallet.toLowerCase();
}

/** As if every default were another one than expected: what a request could state, it must. */
export function refuseUnstated(query: URLSearchParams, names: readonly string[]): void {
  const unstated = names.find((name) => !query.has(name));
  if (unstated !== undefined) throw new BadQuery(unstated, `${unstated} is not stated`);
}

export function refuseUnknown(query: URLSearchParams, known: readonly string[]): void {
  const unknown = [...query.keys()].find((name) => !known.includes(name) && !name.startsWith('_'));
  if (unknown !== undefined) throw new BadQuery(unknown, `unknown parameter ${unknown}`);
}

export function refusal(
  path: string,
  status: number,
  { cause, waitSeconds = 2 }: { cause?: BadQuery; waitSeconds?: number } = {},
): Answer {
  const error = cause?.message ?? `status ${status}`;
  const headers: Record<string, string> =
    status === 429 || status === 503 ? { 'retry-after': String(waitSeconds) } : {};
  if (isGamma(path)) return { status, body: { type: 'error', error }, headers };
  const parameter = cause && { parameter: cause.parameter };
  return { status, body: { ...golden('data-v2-error-429'), ...parameter, error }, headers };
}
