import { onTestFinished } from 'vitest';
import type { ServerDeps, SiteDeps } from '../../src/http/server-deps.ts';
import { type RunningSite, wireSite } from '../../src/wiring/site.ts';
import { type Answer, type ApiServer, ask, FREE_DELAY_MS, startApi } from './api-server.ts';

/** As browsers send it. */
export const BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

const CONFIG = {
  freeDelayMs: FREE_DELAY_MS,
  source: { kind: 'none' },
  replay: { speed: 0, shift: null, headStartMs: 0 },
  server: { contact: null },
} as const;

/** The API with the pages for people. */
export interface SiteServer extends ApiServer {
  readonly site: RunningSite;
  /** Asks as a browser does. */
  page(path: string, headers?: Record<string, string>): Promise<Answer>;
}

/** `change` and `siteChange` replace parts of the server and of the site. */
export async function startSite(
  change: Partial<ServerDeps> = {},
  siteChange: Partial<SiteDeps> = {},
): Promise<SiteServer> {
  const wired: RunningSite[] = [];
  const api = await startApi(({ database, clock, feed }) => {
    const running = wireSite({ config: CONFIG, clock, database, feed });
    wired.push(running);
    return { site: { ...running.deps, ...siteChange }, ...change };
  });
  const [site] = wired as [RunningSite];
  await site.open();
  onTestFinished(() => site.close());
  return {
    ...api,
    site,
    page: (path, headers = {}) => ask(api.baseUrl + path, { headers: { ...BROWSER, ...headers } }),
  };
}
