import { setTimeout as sleep } from 'node:timers/promises';
import { openFilesLimit } from '../../../src/infra/process/open-files.ts';
import { openSqliteFile } from '../databases.ts';
import { atMost, type Figure, figure, inMs, ms, progress, whole } from '../figure.ts';
import { startSide, streamPaths } from './processes.ts';
import type { Memory } from './server.ts';

const SOCKETS = 20_000;
/** The limit of open files (`ulimit -n`) must exceed the sockets by so many, or fewer are opened. */
const OTHER_FILES = 100;
const SECONDS = 30;
const BLOCK_AIM_MS = 15;

export async function benchIdle(): Promise<readonly Figure[]> {
  const files = openFilesLimit() ?? Number.POSITIVE_INFINITY;
  const count = Math.min(SOCKETS, files - OTHER_FILES);
  await using database = await openSqliteFile();
  const paths = await streamPaths(database.url, count);
  progress(`${whole(count)} sockets are opened`);
  await using side = await startSide('service', {
    DATABASE_URL: database.url,
    MAX_CONNECTIONS: String(SOCKETS),
  });
  const { server, clients } = side;
  const empty = await server.call('memory');
  await side.connect(paths);
  const full = await server.call('memory');
  progress('they ping');
  await server.call('reset');
  const before = await server.call('measure');
  await sleep(SECONDS * 1_000);
  const after = await server.call('measure');
  const open = await clients.call('open');
  const each = (kind: keyof Memory) => `${((full[kind] - empty[kind]) / count / 1_024).toFixed(1)} KiB`;
  const share = (after.cpuSeconds - before.cpuSeconds) / SECONDS;
  return [
    figure(
      `sockets in one process that are open after ${SECONDS} s of pings`,
      `${whole(open)} of ${whole(count)} (${whole(SOCKETS + OTHER_FILES)} open files are needed for ${whole(SOCKETS)}; the limit is ${files})`,
    ),
    figure(
      'memory of each socket, after a full collection',
      `${each('heapUsed')} of heap, ${each('rss')} in all`,
    ),
    figure('processor for their pings, each once in 10 s', `${(share * 100).toFixed(1)} % of a core`),
    figure(
      'the longest block of the loop meanwhile',
      ms(after.longestBlockMs),
      atMost(after.longestBlockMs, BLOCK_AIM_MS, inMs),
    ),
    figure('the same by processor time of its thread', ms(after.longestWorkMs)),
  ];
}
