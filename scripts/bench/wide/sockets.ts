import { setTimeout as sleep } from 'node:timers/promises';
import { alertJson } from '../../../src/http/views/alert-view.ts';
import { openDatabase } from '../../../src/infra/database/database.ts';
import { sampleAlert } from '../sample-alerts.ts';
import { startClients } from '../stream/processes.ts';
import type { Side, Stage } from './stage.ts';

const FRAME_HEADER_BYTES = 4;
const LATE_MS = 25_000;

/** Sockets of the stream through the side's nginx, and what publishes alerts to them. */
export async function connectSockets(
  { env, secrets }: Stage,
  { side, url, count }: { readonly side: Side; readonly url: string; readonly count: number },
) {
  const [clients, database] = [startClients(env), await openDatabase(url)];
  const paths = Array.from({ length: count }, (_, n) => `/ws/alerts?api_key=${secrets[n % secrets.length]}`);
  await clients.call('connect', Number(new URL(side.address).port), paths, true);
  let last = (await database.alerts.last())?.id ?? 0;
  return {
    /** Returns the number of frames, once all clients have them. */
    async publish(alerts: number, everyMs = 0): Promise<number> {
      for (let n = 0; n < alerts; n++) {
        last += 1;
        const alert = sampleAlert(last);
        const frame = Buffer.byteLength(`{"type":"alert","data":${alertJson(alert)}}`) + FRAME_HEADER_BYTES;
        // For one alert at a time: a socket without pings is closed after 30 s.
        await clients.call('pausePings');
        const late = sleep(LATE_MS, null, { ref: false }).then(() => {
          throw new Error(`not all of ${count} sockets got an alert within ${LATE_MS / 1_000} s`);
        });
        const got = clients.call('expect', frame * count);
        await Promise.race([late, Promise.all([got, database.alerts.append(alert)])]);
        await clients.call('resumePings');
        await sleep(everyMs);
      }
      return alerts * count;
    },
    async [Symbol.asyncDispose]() {
      await clients[Symbol.asyncDispose]();
      await database.close();
    },
  };
}
