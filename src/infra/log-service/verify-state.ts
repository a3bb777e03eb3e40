import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { z } from 'zod';
import type { LogContents, SettlementEntry } from '../../core/alerts/verification/log-contents.ts';
import type { EpochMs } from '../../core/base/time/duration.ts';
import { UserError } from '../../core/base/user-error.ts';
import type { ComparedAlert, ComparisonResult } from './compare-alerts.ts';

const moment = z.iso.datetime();
const openMarketSchema = z.object({
  alerts: z.array(z.number().int()),
  /** Its last settlement, where that could not be compared yet. */
  outcome: z
    .object({
      sequence: z.number().int(),
      outcomes: z.array(z.string()).readonly(),
      payouts: z.array(z.number()).readonly(),
    })
    .optional(),
  differs_since: moment.optional(),
});
const serviceSchema = z.object({
  sequence: z.number().int().min(1),
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  at: moment,
  verified_at: moment,
  /** Whether it was read at the free delay. */
  is_delayed: z.boolean(),
  open_markets: z.record(z.string(), openMarketSchema),
});
const stateSchema = z.object({ version: z.literal(1), services: z.record(z.string(), serviceSchema) });

/** The last verified head of a service, and what is left to compare. */
export type VerifiedLog = z.infer<typeof serviceSchema>;
type OpenMarket = z.infer<typeof openMarketSchema>;
type State = z.infer<typeof stateSchema>;

/** In the user's state directory (XDG Base Directory Specification). */
export function defaultStateFile(env: NodeJS.ProcessEnv): string {
  const given = env['XDG_STATE_HOME'] ?? '';
  // The specification requires that a relative path is ignored.
  const folder = isAbsolute(given) ? given : join(homedir(), '.local', 'state');
  return join(folder, 'tipoff', 'verify-log.json');
}

/** Null when there is none. Throws a `UserError` when the file is not a state file. */
export async function readVerified(file: string, service: string): Promise<VerifiedLog | null> {
  const { services } = await readState(file);
  return (Object.hasOwn(services, service) ? services[service] : undefined) ?? null;
}

/** Replaces the entry of a service and keeps all others. A crash leaves the old file or the new one. */
export async function writeVerified(file: string, service: string, verified: VerifiedLog): Promise<void> {
  const state = await readState(file);
  const next: State = { ...state, services: { ...state.services, [service]: verified } };
  const part = `${file}.${randomUUID()}.part`;
  try {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(part, `${JSON.stringify(next)}\n`, { flush: true });
    await rename(part, file);
  } catch (error) {
    await rm(part, { force: true });
    throw new UserError(`--state ${file} cannot be written: ${(error as Error).message}`);
  }
}

async function readState(file: string): Promise<State> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw new UserError(`--state ${file} cannot be read: ${error.message}`);
  });
  if (text === null) return { version: 1, services: {} };
  try {
    return stateSchema.parse(JSON.parse(text));
  } catch {
    throw new UserError(
      `--state ${file} is not a state file of this command. Name another file. Before you delete this one: it may hold your only earlier view of a log.`,
    );
  }
}

/**
 * Markets of the log with alerts and without a compared settlement. Stored between runs: a settlement comes days after the
 * alerts, whose entries a later run does not read again.
 */
export class OpenMarkets {
  readonly #saved: ReadonlyMap<string, OpenMarket>;
  readonly #contents: LogContents;
  readonly #isWhole: boolean;

  /** `isWhole`: the log was read from its start, so that what was not read does not exist. */
  constructor(saved: VerifiedLog['open_markets'], contents: LogContents, isWhole: boolean) {
    this.#saved = new Map(Object.entries(saved));
    this.#contents = contents;
    this.#isWhole = isWhole;
  }

  /** The alerts that were read, and earlier ones whose result can be compared now. */
  toCompare(): readonly ComparedAlert[] {
    const { alerts, settlements } = this.#contents;
    const read = [...alerts.values()].map((entry) => ({ id: entry.id, marketId: entry.marketId, entry }));
    const due = [...this.#saved].filter(
      ([marketId, { differs_since }]) => settlements.has(marketId) || differs_since !== undefined,
    );
    const earlier = due.flatMap(([marketId, market]) =>
      market.alerts.filter((id) => !alerts.has(id)).map((id) => ({ id, marketId, entry: null })),
    );
    return [...earlier, ...read];
  }

  /** The last settlement of a market; null: the log has none; undefined: entries that were not read may have one. */
  settlementOf(marketId: string): SettlementEntry | null | undefined {
    const saved = this.#saved.get(marketId);
    const known = this.#contents.settlementOf(marketId) ?? saved?.outcome;
    return known ?? (this.#isWhole || saved !== undefined ? null : undefined);
  }

  differsSince(marketId: string): EpochMs | null {
    const since = this.#saved.get(marketId)?.differs_since;
    return since === undefined ? null : Date.parse(since);
  }

  /** What a later run must compare. */
  left({ ids, open, notYet }: ComparisonResult, now: EpochMs): VerifiedLog['open_markets'] {
    const left = new Map<string, { alerts: Set<number>; differs_since?: string }>();
    const add = (marketId: string, alerts: readonly number[], differs_since?: string) => {
      const market = left.get(marketId) ?? { alerts: new Set() };
      for (const id of alerts) market.alerts.add(id);
      left.set(marketId, { ...market, ...(differs_since !== undefined && { differs_since }) });
    };
    for (const [marketId, { alerts, differs_since }] of this.#saved) {
      if (!this.settlementOf(marketId)) add(marketId, alerts);
      // Differences that were not compared this time, as without a key or in a sample, stay due.
      const uncompared = alerts.filter((id) => !ids.has(id));
      if (differs_since !== undefined && uncompared.length > 0) add(marketId, uncompared, differs_since);
    }
    for (const { id, marketId } of this.#contents.alerts.values())
      if (this.settlementOf(marketId) === null) add(marketId, [id]);
    for (const { id, marketId } of open) add(marketId, [id]);
    for (const { id, marketId } of notYet)
      add(marketId, [id], new Date(this.differsSince(marketId) ?? now).toISOString());
    return Object.fromEntries(
      [...left].map(([marketId, { alerts, ...differs }]) => {
        const settlement = 'differs_since' in differs ? this.settlementOf(marketId) : null;
        return [marketId, { alerts: [...alerts], ...differs, ...(settlement && { outcome: settlement }) }];
      }),
    );
  }
}
