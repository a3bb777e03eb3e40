import assert from 'node:assert/strict';
import type { Alert } from '../../src/core/alerts/alert.ts';
import { alertJson } from '../../src/http/views/alert-view.ts';
import { openDatabase } from '../../src/infra/database/database.ts';
import { freePort } from '../../test/support/mongod/own-mongod.ts';
import type { ReplicaSet } from '../../test/support/mongod/replica-set.ts';
import { startService } from '../../test/support/service-process.ts';
import { waitUntil } from '../../test/support/wait-until.ts';
import { issueKeys } from '../bench/service.ts';
import { followStream, startProbes } from './clients.ts';
import { type AlertContent, contentOf, startTape } from './tape.ts';

const TRADE_EVERY_MS = 250;
/** The newest trades may wait for what closes their orders. */
const UNJUDGED = 2;
const SETTLED_MS = 120_000;
/** Promised are 5 s (docs/operation.md); a busy machine may take a second more. */
const ANSWER_MS = 6_000;

export type Stage = Awaited<ReturnType<typeof openStage>>;
export type Member = Awaited<ReturnType<typeof startMember>>;

/** Two processes that can be the worker and one of the API, a growing tape, a client of the stream, and probes. */
export async function openStage(folder: string, set: ReplicaSet, expected: readonly AlertContent[]) {
  const tape = await startTape(`${folder}/tape.jsonl`, TRADE_EVERY_MS);
  const [key = ''] = await issueKeys(set.uri, 1);
  const settings = {
    DATABASE_URL: set.uri,
    MARKET_SOURCE: `tail:${folder}/tape.jsonl`,
    SNAPSHOT_SECONDS: '2',
  };
  const api = await startMember({ ...settings, ROLES: 'api' });
  const members = [await startMember(settings), await startMember(settings), api];
  const stream = followStream(api.address, key);
  const probes = startProbes(api.address, key);
  return {
    set,
    members,
    /** The process that has the lease. */
    worker(): Member {
      const found = members.find((member) => member.isWorker());
      if (found === undefined) throw new Error('no process has the lease');
      return found;
    },
    /** Waits until all that was traded has arrived. Throws what is wrong with it, or with the answers since the last call. */
    async settle(mayCut: boolean): Promise<string> {
      const due = tape.trades - UNJUDGED;
      await waitUntil(() => (stream.received.length >= due ? true : null), {
        what: `${due} alerts on the stream`,
        timeoutMs: SETTLED_MS,
        everyMs: 1_000,
      });
      const sent = [...stream.received];
      await using database = await openDatabase(set.uri);
      examine(await database.alerts.after(0, sent.length), sent, expected);
      const answers = probes.taken();
      const wrong = answers.find(({ status, ms }) => {
        const isAllowed = status === 200 || status === 503 || (status === 0 && mayCut);
        return !isAllowed || ms > ANSWER_MS;
      });
      if (wrong !== undefined) throw new Error(`${wrong.status} of ${wrong.route}, ${wrong.ms} ms`);
      const slowest = Math.max(...answers.map(({ ms }) => ms)) / 1_000;
      return `${sent.length} alerts, ${answers.length} answers, the slowest ${slowest.toFixed(1)} s`;
    },
    async close(): Promise<void> {
      await Promise.all([tape.stop(), stream.stop(), probes.stop()]);
      for (const member of members) member.signal('SIGCONT');
      await Promise.all(members.map((member) => member.kill()));
    },
  };
}

/** A process that is killed and started again; its address stays. */
async function startMember(settings: Readonly<Record<string, string>>) {
  const port = await freePort();
  const start = () => startService({ ...settings, PORT: String(port) });
  let service = start();
  await service.logged('listening');
  return {
    address: `http://127.0.0.1:${port}`,
    isWorker(): boolean {
      const output = service.output();
      const isRunning = service.child.exitCode === null && service.child.signalCode === null;
      return isRunning && output.lastIndexOf('"ingesting"') > output.lastIndexOf('standing by');
    },
    signal: (signal: 'SIGSTOP' | 'SIGCONT') => void service.child.kill(signal),
    kill: () => service.end('SIGKILL'),
    async killAndRestart(): Promise<void> {
      await service.end('SIGKILL');
      service = start();
    },
  };
}

/** Throws when an alert is lost, doubled, out of order or another than without faults, in the database or on the stream. */
function examine(
  alerts: readonly Alert[],
  sent: readonly unknown[],
  expected: readonly AlertContent[],
): void {
  for (const [index, frame] of sent.entries()) {
    const [former, alert] = [alerts[index - 1], alerts[index]];
    if (alert === undefined) throw new Error(`alert ${index + 1} is not in the database`);
    if (alert.createdAt < (former?.createdAt ?? 0)) throw new Error(`created_at of ${alert.id} decreases`);
    assert.deepEqual(contentOf(alert), expected[index]);
    assert.deepEqual(frame, JSON.parse(alertJson(alert)));
  }
}
