import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { z } from 'zod';
import { UserError } from '../../core/base/user-error.ts';

const moment = z.iso.datetime();
const serviceSchema = z.object({
  sequence: z.number().int().min(1),
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  verified_at: moment,
  is_delayed: z.boolean(),
  /** Markets whose results in the API differ from what this reader sees of the log: since when. */
  differs_since: z.record(z.string(), moment),
});
const stateSchema = z.object({ version: z.literal(1), services: z.record(z.string(), serviceSchema) });

export type VerifiedLog = z.infer<typeof serviceSchema>;
type State = z.infer<typeof stateSchema>;

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
