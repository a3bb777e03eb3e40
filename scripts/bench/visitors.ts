import { spawnSync } from 'node:child_process';
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
  /** First pages that stay open and are seen: each reads itself again and again. */
  readonly openPages: number;
}

/** How long a page waits before it reads itself again (src/site/assets/live.js). */
const READ_EVERY_MS = 15_000;
const JITTER_MS = 5_000;

const random = seededRandom(200);

process.once('message', async ({ address, perSecond, paths, openPages }: Visitors) => {
  standBack();
  const pool = new Pool(address, { connections: 50 });
  // A busy machine may make a page too late, which is answered 503.
  const visit = (path: string) =>
    ask(pool, path, { 'accept-encoding': 'gzip, br', ...anybody() }).catch(() => 0);
  for (let count = 0; count < openPages; count++) void stayOpen(pool);
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

/** They were opened at different moments, as visitors do. */
async function stayOpen(pool: Pool): Promise<void> {
  let tag = '';
  await sleep(random() * READ_EVERY_MS);
  for (;;) {
    const headers = { 'accept-encoding': 'gzip, br', 'if-none-match': tag, ...anybody() };
    const answer = await pool.request({ path: '/', method: 'GET', headers }).catch(() => null);
    await answer?.body.dump();
    tag = String(answer?.headers['etag'] ?? tag);
    await sleep(READ_EVERY_MS + random() * JITTER_MS);
  }
}
