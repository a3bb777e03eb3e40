import type { Alert } from '../../src/core/alerts/alert.ts';
import { HOUR_MS } from '../../src/core/base/time/duration.ts';
import { alertOf } from '../support/alerts.ts';
import { FREE_DELAY_MS } from '../support/api-server.ts';
import { START } from '../support/rows.ts';
import { startSite } from '../support/site.ts';

/** The list of all bets. */
export const NEWEST = '/?sort=newest';

/** An alert from before the start of the fixtures. */
export const aged = (id: number, ageMs: number, given: Partial<Alert> = {}): Alert => {
  const at = START - ageMs;
  return alertOf({ id, createdAt: at, publishedAt: at, tradedAt: at, ...given });
};

/** The site with these alerts, when all of them are visible. */
export async function startWith(...alerts: readonly Alert[]) {
  const server = await startSite();
  await server.append(...alerts);
  await server.clock.jump(FREE_DELAY_MS + HOUR_MS);
  const read = async (path = '/') => (await server.page(path)).text;
  const ids = async (path = '/') =>
    [...(await read(path)).matchAll(/<article class="alert" id="alert-(\d+)-row"/g)].map(([, id]) =>
      Number(id),
    );
  return { ...server, read, ids, count: async (path = '/') => countIn(await read(path)) };
}

/** The words above a list. */
export const countIn = (html: string) => html.match(/<h2 id="list-title" data-live>(.*?)<\/h2>/)?.[1];
