import { isDeepStrictEqual } from 'node:util';
import type { Alert } from '../../src/core/alerts/alert.ts';
import { UserError } from '../../src/core/base/user-error.ts';
import { alertJson } from '../../src/http/views/alert-view.ts';
import { openDatabase } from '../../src/infra/database/database.ts';
import { isOutage } from '../../src/infra/database/outage.ts';
import type { ReplicaSet } from '../../test/support/mongod/replica-set.ts';
import { waitUntil } from '../../test/support/wait-until.ts';
import { issueKeys } from '../bench/service.ts';
import { type Answer, followStream, startProbes } from './clients.ts';
import type { Fault } from './faults.ts';
import { startMember } from './member.ts';
import { type AlertContent, contentOf, startTape, tradeOf } from './tape.ts';

const TRADE_EVERY_MS = 250;
/** The newest trades may wait for what closes their orders. */
const UNJUDGED = 2;
const SETTLED_MS = 120_000;
/** Promised are 5 s (docs/operation.md); a busy machine may take a second more. */
const ANSWER_MS = 6_000;

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
  const ledger = async () => {
    try {
      await using database = await openDatabase(set.uri);
      return await database.alerts.after(0, 1_000_000);
    } catch (error) {
      if (isOutage(error) || error instanceof UserError) return [];
      throw error;
    }
  };
  const worker = () => {
    const found = members.find(
      (member) =>
        member.isRunning() &&
        member.output().lastIndexOf('"ingesting"') > member.output().lastIndexOf('standing by'),
    );
    if (found === undefined) throw new Error('no process has the lease');
    return found;
  };

  /** Waits until all that was traded has arrived. Returns what is wrong with it. */
  async function settled(): Promise<readonly string[]> {
    const due = expected.filter((alert) => tradeOf(alert) < tape.trades - UNJUDGED).length;
    const options = { timeoutMs: SETTLED_MS, everyMs: 1_000 };
    await waitUntil(() => ((stream.received.at(-1)?.id ?? 0) >= due ? true : null), {
      ...options,
      what: `${due} alerts on the stream`,
    });
    const sent = [...stream.received];
    const alerts = await waitUntil(
      async () => {
        const found = await ledger();
        return found.length >= sent.length ? found : null;
      },
      { ...options, what: `${sent.length} alerts in the database` },
    );
    return problemsOf(alerts, sent, expected);
  }

  return {
    async run({ strike, mayCut = false }: Fault): Promise<string> {
      // What came before was caught up with.
      await settled();
      await probes.taken();
      await strike({ set, members, worker });
      const problems = [...(await settled())];
      const answers = await probes.taken();
      const wrong = answers.filter((answer) => !isInOrder(answer, mayCut));
      problems.push(...new Set(wrong.map(({ route, status, ms }) => `${status} of ${route}, ${ms} ms`)));
      if (problems.length > 0) throw new Error(problems.slice(0, 20).join('\n'));
      const slowest = Math.max(...answers.map(({ ms }) => ms)) / 1_000;
      return `${stream.received.length} alerts, ${answers.length} answers, the slowest ${slowest.toFixed(1)} s`;
    },
    async close(): Promise<void> {
      await Promise.all([tape.stop(), stream.stop(), probes.stop()]);
      for (const member of members) member.signal('SIGCONT');
      await Promise.all(members.map((member) => member.kill()));
    },
  };
}

/** What is wrong with the alerts of the database, or with what the stream sent of them. */
function problemsOf(
  alerts: readonly Alert[],
  sent: readonly { readonly id: number }[],
  expected: readonly AlertContent[],
): readonly string[] {
  return [
    ...alerts.flatMap((alert, index) => [
      ...(alert.id === index + 1 ? [] : [`alert ${alert.id} is in place ${index + 1}`]),
      ...(alert.createdAt >= (alerts[index - 1]?.createdAt ?? 0) ? [] : [`created_at of ${alert.id}`]),
      ...(isDeepStrictEqual(contentOf(alert), expected[index]) ? [] : [`alert ${alert.id} is another`]),
    ]),
    ...sent.flatMap((body, index) => {
      const alert = alerts[index];
      const isSame = alert !== undefined && isDeepStrictEqual(body, JSON.parse(alertJson(alert)));
      return isSame ? [] : [`frame ${index + 1} is alert ${body.id}, or not as in the database`];
    }),
  ];
}

function isInOrder({ status, ms }: Answer, mayCut: boolean): boolean {
  const isAllowed = status === 200 || status === 503 || (status === 0 && mayCut);
  return isAllowed && ms <= ANSWER_MS;
}
