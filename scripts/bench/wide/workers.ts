import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { MongoClient } from 'mongodb';
import { openDatabase } from '../../../src/infra/database/database.ts';
import { createGrowingTape } from '../../support/chaos-tape.ts';
import type { DatabaseKind } from '../databases.ts';
import { startApi } from '../service.ts';
import { deliver, RECEIVERS } from '../webhooks/deliveries.ts';
import { openDeliveryBench } from '../webhooks/delivery-bench.ts';
import { costOf, NOTHING, restOf, serverUse, type Use } from './use.ts';

const TRADE_EVERY_MS = 50;
const START_MS = 3_000;
const INGEST_MS = 6_000;
/** Until each process has read which others there are. */
const SHARES_MS = 6_000;

/** Of an alert: from a trade in the tape until it is in the log. */
export async function alertCost(kind: DatabaseKind): Promise<Use> {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'tipoff-wide-'));
  await using database = await kind.open();
  const tape = createGrowingTape(join(folder.path, 'tape.jsonl'), TRADE_EVERY_MS);
  await tape.start();
  await using service = await startApi(database.url, {
    ROLES: 'ingest,api',
    MARKET_SOURCE: `tail:${tape.file}`,
  });
  await using client = await MongoClient.connect(database.url);
  await using opened = await openDatabase(database.url);
  const { alerts } = opened;
  const use = async () => ({ service: await service.cpuSeconds(), nginx: 0, ...(await serverUse(client)) });
  await sleep(START_MS);
  const cost = await costOf(use, NOTHING, async () => {
    const first = await alerts.last();
    await sleep(INGEST_MS);
    return ((await alerts.last())?.id ?? 0) - (first?.id ?? 0);
  });
  await tape.stop();
  return cost;
}

/** Of a delivery, for one process and for four. */
export async function deliveryCosts(kind: DatabaseKind): Promise<readonly Use[]> {
  const costs: Use[] = [];
  for (const processes of [1, 4]) {
    await using bench = await openDeliveryBench(await kind.open(), { receivers: RECEIVERS, processes });
    const client = await MongoClient.connect(bench.databaseUrl);
    const use = async () => ({ service: await bench.cpuSeconds(), nginx: 0, ...(await serverUse(client)) });
    await sleep(processes === 1 ? 0 : SHARES_MS);
    for (let warmUp = 0; warmUp < processes; warmUp++) await deliver(bench);
    costs.push(await costOf(use, await restOf(use), () => deliver(bench)));
    await client.close();
  }
  return costs;
}
