import type { Lease } from '../../../src/core/base/lease/lease.ts';
import type { Database } from '../../../src/core/database.ts';
import type { Delivery } from '../../../src/core/delivery/webhooks/delivery.ts';
import { FollowService } from '../../../src/core/follow/follow-service.ts';
import { HOUR_MS, hourOf, marketOf } from '../../infra/database/observed.ts';
import { candidateOf } from '../alerts.ts';
import { openCustomerFixture, visitorOf } from '../customer-fixture.ts';
import { walletOf } from '../followers.ts';
import { takeLease } from '../lease.ts';
import { ledgerParts } from '../ledger.ts';
import { START } from '../rows.ts';
import { webhookOf } from '../webhooks.ts';

export const SOURCE = 'tail:a.b$c';
export const WEBHOOK = 'wh_all';
const OUTCOMES = ['Yes', 'No'];

/** The tasks of a service, each of which repeats until its calls are no longer made. */
export function busyTasks(database: Database): readonly (() => Promise<void>)[] {
  return [
    () => ingest(database),
    () => deliver(database),
    () => serveChat(database),
    () => operate(database),
  ];
}

/** Per round: rows in the journal, an alert, sometimes an outcome, observations and a snapshot. */
async function ingest(database: Database): Promise<void> {
  const { journal, observations } = database;
  const lease = await takeLease(database, 'a/1/x');
  const { ledger, logRecorder } = ledgerParts(database);
  await ledger.open();
  for (let round = 1; ; round += 1) {
    const at = START + round * 1_000;
    await journal.append(lease, { first: round, acceptedAt: at, lines: [`row ${round}`] });
    const marketId = `0xm${round % 7}`;
    await ledger.append([
      {
        candidate: candidateOf({ key: `row:${round}`, marketId }),
        tradedAt: at,
        detectedAt: at,
        isHistory: false,
      },
    ]);
    if (round % 3 === 0)
      await ledger.resolve({ id: marketId, outcomes: OUTCOMES, payouts: [round % 2, 1 - (round % 2)] }, at);
    await logRecorder.look(() => at);
    if (round % 2 === 0) {
      const market = marketOf({ marketId, alerts: [{ key: `row:${round}`, tradedAt: at, detectedAt: at }] });
      await observations.write(lease, { markets: [market], hours: [hourOf(marketId, round)] });
      await writeSnapshot(database, lease, round);
    }
  }
}

/** Two sets: one that this round begins, and the one before it. */
async function writeSnapshot({ ingest }: Database, lease: Lease, offset: number): Promise<void> {
  const id = (round: number) => `${lease.epoch}-${round}`;
  const chunks = [0, 1].map((position) => ({
    set: id(offset),
    position,
    text: `state ${offset} ${position}`,
  }));
  for (const chunk of chunks) await ingest.writeChunks(lease, SOURCE, [chunk]);
  const sets = [offset - 2, offset]
    .filter((round) => round > 0)
    .map((round) => ({ id: id(round), count: 2 }));
  await ingest.writeSnapshot(lease, { source: SOURCE, checkpoint: { offset }, sets });
  while ((await ingest.dropChunks(lease, SOURCE, 1)) > 0);
}

/** Rows for the alerts after the cursor, then the cursor. */
async function deliver({ alerts, deliveries, chat, webhooks }: Database): Promise<void> {
  await webhooks.insert(webhookOf({ id: WEBHOOK, keyId: 'key_of_none' }), 100);
  for (;;) {
    const cursor = (await deliveries.cursor()) ?? 0;
    for (const { id } of await alerts.after(cursor, 2)) {
      const row: Delivery = {
        id: `msg_${id}`,
        webhookId: WEBHOOK,
        alertId: id,
        state: 'pending',
        createdAt: START,
        finishedAt: null,
        result: null,
      };
      await deliveries.add([row]);
      await deliveries.claim([row.id], { owner: 'a/1/x', at: START, call: `claim ${id}` });
      await deliveries.advance(id);
      await chat.advance('channel_alerts', id);
    }
  }
}

/** People get keys, follow wallets, and have themselves deleted. */
async function serveChat(database: Database): Promise<void> {
  const { service, give, clock } = openCustomerFixture(database);
  const follows = new FollowService({ ...database, customers: service, clock });
  for (let person = 1; ; person += 1) {
    const { id } = await service.visit(visitorOf(String(person)));
    const { key } = await give({
      customerId: id,
      tier: person % 2 === 0 ? 'pro' : 'free',
      request: `r${person}`,
    });
    await database.webhooks.insert(webhookOf({ id: `wh_${person}`, keyId: key.id }), 100);
    await service.keys.rotate({ customerId: id, keyId: key.id, keepOld: true, request: `again${person}` });
    await follows.add({ customerId: id, platform: 'telegram' }, walletOf(person));
    if (person % 4 === 0) await service.erase(id);
  }
}

async function operate({ hiddenWallets, coverage, audit }: Database): Promise<void> {
  for (let round = 1; ; round += 1) {
    const at = START + round;
    await hiddenWallets.add({ wallet: `0x${round}`, reason: `${round}`, at });
    const window = {
      id: `w${round}`,
      startedAt: START + round * HOUR_MS,
      cause: 'upstream',
      backfilledAt: null,
    } as const;
    await coverage.putWindow({ ...window, endedAt: null } as never);
    await coverage.putWindow({ ...window, endedAt: window.startedAt + 1 } as never);
    await audit.append({ at, actor: 'ann', command: 'note', args: '', outcome: 'done' });
  }
}
