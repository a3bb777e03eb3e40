import { setTimeout as sleep } from 'node:timers/promises';
import type { MongoClient } from 'mongodb';
import { median, seconds } from '../figure.ts';

/** Seconds of processor time of the service's processes, of nginx and of mongod, and commands that mongod got. */
export interface Use {
  readonly service: number;
  readonly nginx: number;
  readonly mongod: number;
  readonly commands: number;
}

type ReadUse = () => Promise<Use>;

export const NOTHING: Use = { service: 0, nginx: 0, mongod: 0, commands: 0 };
const REST_MS = 3_000;
const COMMANDS = ['find', 'getMore', 'aggregate', 'count', 'insert', 'update', 'delete', 'findAndModify'];

/** What each piece of the work took, besides what a second of rest takes. `work`: returns how many there were. */
export async function costOf(use: ReadUse, rest: Use, work: () => Promise<number>): Promise<Use> {
  const before = await use();
  const startedAt = performance.now();
  const count = await work();
  const took = seconds(startedAt);
  const after = await use();
  return mapUse((part) => (after[part] - before[part] - rest[part] * took) / count);
}

/** What a second takes in which nothing is asked. */
export function restOf(use: ReadUse): Promise<Use> {
  return costOf(use, NOTHING, async () => {
    await sleep(REST_MS);
    return REST_MS / 1_000;
  });
}

export function medianUse(uses: readonly Use[]): Use {
  return mapUse((part) => median(uses.map((use) => use[part])));
}

function mapUse(of: (part: keyof Use) => number): Use {
  return { service: of('service'), nginx: of('nginx'), mongod: of('mongod'), commands: of('commands') };
}

/** Of mongod, since it started. */
export async function serverUse(client: MongoClient): Promise<Pick<Use, 'mongod' | 'commands'>> {
  const { metrics, extra_info: time } = await client.db('admin').command({ serverStatus: 1 });
  return {
    mongod: (Number(time.user_time_us) + Number(time.system_time_us)) / 1e6,
    commands: COMMANDS.reduce((sum, name) => sum + Number(metrics.commands[name]?.total ?? 0), 0),
  };
}
