import { setTimeout as sleep } from 'node:timers/promises';
import { openSqliteFile } from '../databases.ts';
import { exactly, type Figure, figure, mb, whole } from '../figure.ts';
import { startClients, startServer, streamPaths } from './processes.ts';

const CLIENTS = 500;
/** More than any socket may have unsent, whatever the system takes over. */
const ALERTS_MAX = 20_000;
const BURST = 200;
/** They are ended when they have been full for 10 s; a second more is theirs to answer the close. */
const SETTLE_MS = 15_000;
const LOOK_MS = 500;

/** Clients that never read, while alerts flow until the last of them is closed. */
export async function benchUnread(): Promise<readonly Figure[]> {
  await using database = await openSqliteFile();
  await using server = startServer();
  await using clients = startClients();
  const port = await server.call('start', 'service', { DATABASE_URL: database.url });
  const paths = await streamPaths(database.url, CLIENTS);
  await clients.call('connect', port, paths, { reads: false });
  await server.call('collect');
  await server.call('reset');
  const before = await server.call('measure');
  let published = 0;
  let bytes = 0;
  for (let isOver = false; !isOver && published < ALERTS_MAX; published += BURST) {
    for (let alert = 0; alert < BURST; alert++) bytes += (await server.call('publish')).bytes;
    isOver = (await server.call('measure')).sockets === 0;
  }
  for (let waited = 0; waited < SETTLE_MS && (await server.call('measure')).sockets > 0; waited += LOOK_MS)
    await sleep(LOOK_MS);
  await server.call('collect');
  const { peak, held, sockets: left } = await server.call('measure');
  return [
    figure(`${CLIENTS} connected clients that read nothing: heap and buffers`, mb(before.held)),
    figure('the same once they are closed', mb(held)),
    figure(`resident memory before, and at most while alerts flow`, `${mb(before.peak)}, ${mb(peak)}`),
    figure(
      `clients still connected after ${whole(published)} alerts (${mb(bytes)} for each)`,
      String(left),
      exactly(left, 0),
    ),
  ];
}
