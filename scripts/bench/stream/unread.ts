import { setTimeout as sleep } from 'node:timers/promises';
import { openSqliteFile } from '../databases.ts';
import { type Figure, note, whole } from '../figure.ts';
import { streamPaths } from './keys.ts';
import { startClients, startServer } from './processes.ts';

const CLIENTS = 500;
/** More than any socket may have unsent, whatever the system takes over. */
const ALERTS_MAX = 20_000;
const BURST = 200;
/** They are ended when they have been full for 10 s; a second more is theirs to answer the close. */
const SETTLE_MS = 15_000;
const LOOK_MS = 500;

/** Clients that never read, while alerts flow until the last of them is closed. */
export async function benchUnread(): Promise<readonly Figure[]> {
  const database = await openSqliteFile();
  const server = await startServer('service', { DATABASE_URL: database.url });
  const clients = startClients();
  try {
    const paths = await streamPaths(database.url, CLIENTS);
    await clients.connect(server.port, paths, { reads: false });
    await server.collect();
    await server.reset();
    const before = await server.measure();
    let published = 0;
    let bytes = 0;
    for (let isOver = false; !isOver && published < ALERTS_MAX; published += BURST) {
      for (let alert = 0; alert < BURST; alert++) bytes += (await server.publish()).bytes;
      isOver = (await server.measure()).sockets === 0;
    }
    for (let waited = 0; waited < SETTLE_MS && (await server.measure()).sockets > 0; waited += LOOK_MS)
      await sleep(LOOK_MS);
    await server.collect();
    const { peakMb, heldMb, sockets: left } = await server.measure();
    return [
      note(`${CLIENTS} connected clients that read nothing: heap and buffers`, mb(before.heldMb)),
      note('the same once they are closed', mb(heldMb)),
      note(`resident memory before, and at most while alerts flow`, `${mb(before.peakMb)}, ${mb(peakMb)}`),
      {
        what: `clients still connected after ${whole(published)} alerts (${mb(bytes / 2 ** 20)} for each)`,
        value: String(left),
        aim: '0',
        isMet: left === 0,
      },
    ];
  } finally {
    await Promise.all([server.stop(), clients.stop()]);
    await database.drop();
  }
}

function mb(value: number): string {
  return `${value.toFixed(1)} MB`;
}
