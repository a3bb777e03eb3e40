import { onTestFinished } from 'vitest';
import { ExitReader } from '../../src/core/alerts/exits/exit-reader.ts';
import type { ServerDeps } from '../../src/http/server-deps.ts';
import type { SiteDeps } from '../../src/site/site.ts';
import { wireFigures } from '../../src/wiring/figures.ts';
import { wireSite } from '../../src/wiring/site.ts';
import { type Answer, ask, startApi } from './api-server.ts';
import { configOf } from './config.ts';
import { silentLogger } from './silent-logger.ts';

type RunningSite = ReturnType<typeof wireSite>;

export const BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

export type SiteServer = Awaited<ReturnType<typeof startSite>>;

/** `settings`: as in the environment. `change` and `siteChange` replace parts of the server and of the site. */
export async function startSite(
  change: Partial<ServerDeps> = {},
  settings: Readonly<Record<string, string>> = {},
  siteChange: Partial<SiteDeps> = {},
) {
  const config = configOf({ DATABASE_URL: 'sqlite::memory:', MARKET_SOURCE: 'none', ...settings });
  const wired: RunningSite[] = [];
  const api = await startApi(({ database, clock, feed }) => {
    const running = wireSite({
      config,
      clock,
      logger: silentLogger,
      database,
      feed,
      exits: new ExitReader(database),
    });
    wired.push(running);
    Object.assign(running.deps, siteChange);
    return {
      site: running.server,
      figures: wireFigures({ config, database, clock }),
      ...change,
    };
  });
  const [site] = wired as [RunningSite];
  await site.open();
  onTestFinished(() => site.close());
  return {
    ...api,
    site,
    page: (path: string, headers: Record<string, string> = {}): Promise<Answer> =>
      ask(api.baseUrl + path, { headers: { ...BROWSER, ...headers } }),
  };
}
