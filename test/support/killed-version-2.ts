import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Alert } from '../../src/core/alerts/alert.ts';
import { positionInThread, threadKey } from '../../src/core/alerts/ledger/thread.ts';
import type { Database } from '../../src/core/database.ts';
import type { Checkpoint } from '../../src/core/trades/source/source.ts';
import { bringBackToFifth } from '../infra/database/version-5.ts';
import type { TestDatabase } from './databases.ts';
import { type WholeSnapshot, writeWhole } from './whole-snapshot.ts';

const FILE = join(import.meta.dirname, '../fixtures/killed-version-2.json.gz');

/** What a build with version 2 of the rules left when it was killed (test/fixtures/README.md). */
export interface KilledBuild {
  /** Its last snapshot, which does not say what made it. */
  readonly snapshot: WholeSnapshot & { readonly checkpoint: Checkpoint };
  /** All it published, 43 after that snapshot. */
  readonly alerts: readonly Omit<Alert, 'threadId' | 'supersedes'>[];
}

export function readKilledBuild(): KilledBuild {
  return JSON.parse(gunzipSync(readFileSync(FILE)).toString()) as KilledBuild;
}

/** Makes a fresh database the one that build left, in its schema. Closes it. */
export async function fillAsKilled({ database, url }: TestDatabase): Promise<void> {
  const { snapshot, alerts } = readKilledBuild();
  await append(database, alerts);
  const lease = await database.ingest.acquire({ owner: 'killed', now: 0, ttlMs: 1, isGone: () => true });
  if (lease === null) throw new Error('no lease');
  await writeWhole(database.ingest, lease, snapshot);
  await database.close();
  await bringBackToFifth(url);
}

async function append({ alerts: store }: Database, alerts: KilledBuild['alerts']): Promise<void> {
  const threads = new Map<string, { id: number }[]>();
  for (const alert of alerts) {
    const earlier = threads.get(threadKey(alert)) ?? [];
    await store.append({ ...alert, ...positionInThread(alert.id, earlier) });
    threads.set(threadKey(alert), [...earlier, alert]);
  }
}
