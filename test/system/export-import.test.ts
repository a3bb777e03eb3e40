import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type TestContext, test } from 'vitest';
import type { Alert } from '../../src/core/alerts/alert.ts';
import type { Database } from '../../src/core/database.ts';
import type { Webhook } from '../../src/core/delivery/webhooks/webhook.ts';
import { openDatabase } from '../../src/infra/database/database.ts';
import { toLines, wireTrade } from '../infra/market/tapes/source-fixture.ts';
import { DATABASES, type DatabaseKind, type TestDatabase } from '../support/databases.ts';
import { runTipoff } from '../support/run-tipoff.ts';
import type { ServiceProcess } from '../support/service-process.ts';
import { silentLogger } from '../support/silent-logger.ts';
import { openStream } from '../support/stream-client.ts';
import {
  checkSignatures,
  eventually,
  issueKey,
  openDeliveryServiceFixture,
  register,
} from './delivery-service-fixture.ts';

const [SQLITE, MONGODB] = DATABASES as [DatabaseKind, DatabaseKind];

function linesOf(number: number): string {
  const proxyWallet = `0x${number.toString(16).padStart(40, '0')}`;
  const now = Date.now();
  const market = number % 5;
  const wallet = { proxyWallet, createdAt: new Date(now).toISOString(), traded: 0 };
  const given = { proxyWallet, size: 4_000, price: 0.5, timestamp: Math.floor(now / 1_000) };
  const trade = {
    ...given,
    asset: `${market}`,
    conditionId: `0xm${market}`,
    transactionHash: `0xt${number}`,
  };
  return toLines([wallet, wireTrade(trade)]);
}

const LINES_MAX = 120;

function feed(tape: string) {
  let isStopped = false;
  const running = (async () => {
    for (let line = 1; !isStopped && line <= LINES_MAX; line += 1) {
      await appendFile(tape, linesOf(line));
      await delay(100);
    }
  })();
  return async () => {
    isStopped = true;
    await running;
  };
}

async function openFixture({ onTestFinished }: TestContext) {
  const folder = await mkdtemp(join(tmpdir(), 'tipoff-export-'));
  const [source, target, receivers] = await Promise.all([
    SQLITE.open(),
    MONGODB.open(),
    openDeliveryServiceFixture(),
  ]);
  onTestFinished(async () => {
    await receivers.close();
    await Promise.all([source.drop(), target.drop()]);
    await rm(folder, { recursive: true, force: true });
  });
  const tape = join(folder, 'tape.jsonl');
  const start = ({ url }: TestDatabase): ServiceProcess =>
    receivers.start(url, {
      MARKET_SOURCE: `tail:${tape}`,
      SNAPSHOT_SECONDS: '0.2',
    });
  return { source, target, receivers, tape, start, folder, file: join(folder, 'export.jsonl') };
}

const addressOf = async (service: ServiceProcess) => String((await service.logged('listening'))['address']);

async function newest({ alerts }: Database): Promise<number> {
  return (await alerts.latest({ limit: 1 }))[0]?.id ?? 0;
}

/** Alerts whose delivery was claimed or ended: it is not sent again. */
async function settledIn({ deliveries }: Database, { id }: Webhook): Promise<ReadonlySet<number>> {
  const log = await deliveries.list(id, { limit: 10_000 });
  return new Set(log.flatMap(({ alertId, state }) => (state === 'pending' ? [] : (alertId ?? []))));
}

type Fixture = Awaited<ReturnType<typeof openFixture>>;

/** Runs the service under load, exports its database while a key is issued, and kills it. */
async function exportRunning({ source, receivers, start, file }: Fixture) {
  const { database, url } = source;
  const { keyId, secret } = await issueKey(database);
  const webhook = await register(database, keyId, receivers.url);
  const service = start(source);
  const address = await addressOf(service);
  await eventually(() => {
    if (receivers.received.length <= 10) throw new Error('few alerts were delivered');
  });
  const answer = await fetch(`${address}/api/v1/events?limit=0`, {
    headers: { authorization: `Bearer ${secret}` },
  });
  const { head } = (await answer.json()) as {
    readonly head: { readonly seq: number; readonly hash: string };
  };
  const exporting = runTipoff(['export', file], { ...process.env, DATABASE_URL: url });
  await Promise.all([exporting, issueKey(database)]);
  await service.end('SIGKILL');
  const alerts = await database.alerts.after(0, 10_000);
  return { secret, webhook, head, alerts, sent: receivers.received.length };
}

async function checkImport(context: TestContext) {
  const { expect, onTestFinished } = context;
  const fixture = await openFixture(context);
  const { target, receivers, tape, start, folder, file } = fixture;
  const stopFeeding = feed(tape);
  onTestFinished(stopFeeding);
  const before = await exportRunning(fixture);

  await target.database.close();
  const imported = await runTipoff(['import', file], { ...process.env, DATABASE_URL: target.url });
  expect(imported).toMatchObject({ code: 0 });
  const restored = await openDatabase(target.url, { logger: silentLogger });
  onTestFinished(() => restored.close());
  const end = await newest(restored);
  expect(await restored.alerts.after(0, 10_000)).toEqual(before.alerts.slice(0, end));
  const settled = await settledIn(restored, before.webhook);

  const address = await addressOf(start(target));
  const stream = openStream(address, `api_key=${before.secret}&since_id=${end - 3}`);
  onTestFinished(() => stream.socket.terminate());
  await eventually(async () => expect(await newest(restored)).toBeGreaterThanOrEqual(before.alerts.length));
  await stopFeeding();

  // Lines that were written last are judged while this is read.
  let after: readonly Alert[] = [];
  await eventually(async () => {
    after = await restored.alerts.after(0, 10_000);
    const ids = after.map(({ id }) => id);
    expect(await settledIn(restored, before.webhook)).toEqual(new Set(ids));
    expect(stream.ids()).toEqual(ids.slice(end - 3));
  });
  expect(after.map(({ id }) => id)).toEqual(after.map((_, index) => index + 1));
  const keysOf = (alerts: readonly Alert[]) => alerts.map(({ key }) => key);
  expect(keysOf(after.slice(0, before.alerts.length))).toEqual(keysOf(before.alerts));

  const sent = receivers.received.slice(before.sent).map(({ alert }) => alert);
  expect(sent.filter((id, index) => settled.has(id) || sent.indexOf(id) < index)).toEqual([]);
  await checkSignatures(receivers.received, restored, before.webhook);
  const head = join(folder, 'head');
  await writeFile(head, `${before.head.seq}:${before.head.hash}`);
  const verified = await runTipoff(['verify', address, '--key', before.secret, '--head', head], process.env);
  expect(verified).toMatchObject({ code: 0 });
}

test.skipIf(!MONGODB.available)(
  'an export of a running service on SQLite, imported into MongoDB: keys work, streams and webhooks continue, no alert is lost, doubled or sent twice, the log verifies',
  { timeout: 120_000 },
  checkImport,
);
