import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { z } from 'zod';
import { UserError } from '../../core/base/user-error.ts';

const moment = z.iso.datetime();
const openMarketSchema = z.object({
  /** Ids. */
  alerts: z.array(z.number().int()),
  /** Its last outcome, where that could not be compared yet. */
  outcome: z
    .object({ sequence: z.number().int(), outcomes: z.array(z.string()), payouts: z.array(z.number()) })
    .optional(),
  differs_since: moment.optional(),
});
const serviceSchema = z.object({
  sequence: z.number().int().min(1),
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  /** Of the entry. */
  at: moment,
  verified_at: moment,
  /** Whether it was read at the free delay. */
  is_delayed: z.boolean(),
  /** Markets of the log with alerts and without an outcome that was compared. */
  open_markets: z.record(z.string(), openMarketSchema),
});
const stateSchema = z.object({ version: z.literal(1), services: z.record(z.string(), serviceSchema) });

/** The last verified head of a service, and what is left to compare. */
export type VerifiedLog = z.infer<typeof serviceSchema>;
export type OpenMarket = z.infer<typeof openMarketSchema>;
type State = z.infer<typeof stateSchema>;

/** In the user's state directory (XDG Base Directory Specification). */
export function defaultStateFile(env: NodeJS.ProcessEnv): string {
  const given = env['XDG_STATE_HOME'] ?? '';
  // The specification requires that a relative path is ignored.
  const folder = isAbsolute(given) ? given : join(homedir(), '.local', 'state');
  return join(folder, 'tipoff', 'verify-log.json');
}

/** The verified state of a service; null when there is none. Throws a `UserError` when the file is not a state file. */
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
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { version: 1, services: {} };
    throw new UserError(`--state ${file} cannot be read: ${(error as Error).message}`);
  }
  try {
    return stateSchema.parse(JSON.parse(text));
  } catch {
    throw new UserError(
      `--state ${file} is not a state file of this command. Name another file. Before you delete this one: it may hold your only earlier view of a log.`,
    );
  }
}
