import { RequestSender } from '../../src/core/operations/operator-request.ts';
import { openDatabase } from '../../src/infra/database/database.ts';
import { systemClock } from '../../src/infra/process/system-clock.ts';
import { secureRandom } from '../../src/infra/secrets/key-crypto.ts';
import { startService } from './service-process.ts';
import { waitUntil } from './wait-until.ts';

const SOURCE = 'replay:data/tapes/midterms-2022.jsonl.gz';

/** What a service answers at /record.json, over a database in which the tape of the midterms was played to its end. */
export async function storedRecord(url: string): Promise<string> {
  const service = startService({ DATABASE_URL: url, MARKET_SOURCE: SOURCE, ROLES: 'api,jobs' });
  const database = await openDatabase(url);
  try {
    const { address } = await service.logged('listening');
    const { operatorRequests: requests, heartbeats } = database;
    const sender = new RequestSender({ requests, heartbeats, clock: systemClock, random: secureRandom });
    const command = { needs: 'jobs', command: 'run', args: 'record now', actor: 'test' } as const;
    // Its first heartbeat may follow its first answer.
    const ask = async () => {
      const { outcome } = await sender.send(command);
      return outcome === 'no_process' ? null : outcome;
    };
    const outcome = await waitUntil(ask, { timeoutMs: 20_000, what: 'the heartbeat of the service' });
    if (outcome !== 'done') throw new Error(`the record was not made: ${outcome}`);
    return await (await fetch(`${address}/record.json`)).text();
  } finally {
    await service.end('SIGTERM');
    await database.close();
  }
}
