import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { startReplicaSet } from '../../test/support/mongod/replica-set.ts';
import type { AlertContent } from '../support/chaos-tape.ts';
import { type OnReplicaSet, REPLICA_SET_FAULTS } from './mongo-faults.ts';
import { type Fault, type FaultResult, runFault } from './run-fault.ts';
import { type OnSqlite, SQLITE_FAULTS } from './sqlite-faults.ts';
import { Stage } from './stage.ts';

/** MongoDB's own default. */
const ELECTION_MS = 10_000;

export interface SceneOptions {
  readonly folder: string;
  readonly expected: readonly AlertContent[];
  readonly isWanted: (fault: string) => boolean;
  onStart(fault: string): void;
  onEnd(result: FaultResult, stage: Stage): Promise<void>;
}

export async function strikeReplicaSet(options: SceneOptions): Promise<void> {
  const wanted = REPLICA_SET_FAULTS.filter(({ name }) => options.isWanted(name));
  if (wanted.length === 0) return;
  const set = await startReplicaSet({ electionTimeoutMs: ELECTION_MS });
  try {
    const folder = join(options.folder, 'replica-set');
    await mkdir(folder);
    const stage = await Stage.open({
      ...{ folder, url: set.uri, expected: options.expected, probed: ['api1'] },
      members: {
        ingest: { ROLES: 'ingest' },
        standby: { ROLES: 'ingest' },
        api1: { ROLES: 'api' },
        api2: { ROLES: 'api' },
        deliver: { ROLES: 'deliver' },
        jobs: { ROLES: 'jobs' },
      },
    });
    try {
      for (const fault of wanted) await strike<OnReplicaSet>(fault, { stage, set }, options);
    } finally {
      await stage.close();
    }
  } finally {
    await set.stop();
  }
}

export async function strikeSqlite(options: SceneOptions): Promise<void> {
  for (const fault of SQLITE_FAULTS.filter(({ name }) => options.isWanted(name))) {
    await strikeFile(fault, join(options.folder, fault.name.replace(/\W+/g, '-')), options);
  }
}

async function strikeFile(fault: Fault<OnSqlite>, folder: string, options: SceneOptions): Promise<void> {
  await mkdir(join(folder, 'data'), { recursive: true });
  const file = join(folder, 'data', 'tipoff.db');
  const stage = await Stage.open({
    ...{ folder, url: `sqlite:${file}`, expected: options.expected, probed: ['service'] },
    members: { service: {} },
  });
  try {
    await strike(fault, { stage, file }, options);
  } finally {
    await stage.close();
  }
}

async function strike<On extends { readonly stage: Stage }>(
  fault: Fault<On>,
  on: On,
  { onStart, onEnd }: SceneOptions,
): Promise<void> {
  onStart(fault.name);
  await onEnd(await runFault(fault, on), on.stage);
}
