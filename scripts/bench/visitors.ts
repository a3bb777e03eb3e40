import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { seededRandom } from '../../test/support/random.ts';
import { ask, askEvenly } from './load.ts';

/** People who look at the site, in a process of their own, until it is killed. */
export interface Visitors {
  readonly address: string;
  readonly perSecond: number;
  /** Each is as likely as the others. */
  readonly paths: readonly string[];
  /** First pages that stay open, and read themselves again after an event. */
  readonly openPages: number;
}

/** Over so long the pages that an event reached read themselves again (src/site/assets/live.js). */
const JITTER_MS = 5_000;

const random = seededRandom(200);

process.once('message', async ({ address, perSecond, paths, openPages }: Visitors) => {
  standBack();
  const pool = new Pool(address, { connections: 50 });
  // A busy machine may make a page too late, which is answered 503.
  const visit = (path: string) =>
    ask(pool, path, { 'accept-encoding': 'gzip, br', ...anybody() }).catch(() => 0);
  const onChange = () => sleep(random() * JITTER_MS).then(() => visit('/'));
  for (let count = 0; count < openPages; count++) await openPage(address, onChange);
  process.send?.('all pages are open');
  const forever = new AbortController().signal;
  await askEvenly(perSecond, forever, () => visit(paths[Math.floor(random() * paths.length)] ?? '/'));
});

process.once('disconnect', () => process.exit());

/** As a proxy names people of a thousand addresses. */
function anybody() {
  return { 'x-forwarded-for': `10.0.${Math.floor(random() * 4)}.${Math.floor(random() * 250)}` };
}

/** Visitors are on machines of their own. On this one they get what the others leave of the processors, where Linux can do that. */
function standBack(): void {
  spawnSync('chrt', ['--all-tasks', '--idle', '--pid', '0', String(process.pid)]);
}

async function openPage(address: string, onChange: () => unknown): Promise<void> {
  const request = get(`${address}/live?topics=alerts`, { agent: false, headers: anybody() });
  const [response] = await once(request, 'response');
  response.on('data', (chunk: Buffer) => chunk.includes('event: changed') && onChange());
}
