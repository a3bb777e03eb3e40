import { once } from 'node:events';
import { copyFile, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { findChromium } from '../../test/support/browser/find-chromium.ts';
import { TestBrowser } from '../../test/support/browser/test-browser.ts';
import { freePort } from '../../test/support/mongod/own-mongod.ts';
import type { ServiceOverArchive } from '../../test/support/service-over-archive.ts';
import { outputOf, signed } from './examples.ts';
import { startFlakyProxy } from './flaky-proxy.ts';
import type { ClientPrograms, Missing } from './programs.ts';

const down = (from: number) => Array.from({ length: from }, (_, index) => from - index);
const up = (to: number) => down(to).reverse();

/** Every item of the archive of the service once and in order, and every mistake with the client's own error. */
const EXPECTED = {
  alerts: down(130),
  outcomes: [1, 2],
  exits: [1],
  logEntries: [1, 2],
  deliveries: ['msg_2_archive', 'msg_1_archive'],
  followed: { alert: up(130), outcome: [1, 2], exit: [1] },
  refused: ['TipoffError', 'alert_not_found', null, false],
  lost: ['TipoffConnectionError', null, true, true],
  verified: 'msg_1',
  forged: ['WebhookVerificationError', null, null, false],
  parsed: ['WebhookUsageError', null, null, false],
};

type Run = (given: object) => Promise<unknown>;

/** Runs the smoke program; throws with what differs from what it should find. */
export async function smoke(run: Run, service: ServiceOverArchive): Promise<void> {
  await using unstable = await startFlakyProxy(service.address);
  const found = (await run({
    url: service.address,
    unstableUrl: unstable.address,
    closedUrl: `http://127.0.0.1:${await freePort()}`,
    apiKey: service.keys.enterprise,
    delivery: signed(),
  })) as Readonly<Record<string, unknown>>;
  const { pauses, ...followed } = found['followed'] as { readonly pauses: readonly string[] };
  const all: Readonly<Record<string, unknown>> = { ...found, followed };
  const wrong = Object.entries(EXPECTED).filter(([name, value]) => !isDeepStrictEqual(all[name], value));
  if (wrong.length > 0)
    throw new Error(wrong.map(([name]) => `${name}: ${JSON.stringify(all[name])}`).join('\n'));
  // A lost connection is noticed when it is lost, not when its time is over.
  if (pauses.length < 2 || pauses.some((reason) => /in time|not answered/.test(reason)))
    throw new Error(`pauses: ${JSON.stringify(pauses)}`);
}

export async function smokeIn({ language, folder, start }: ClientPrograms): Promise<Run> {
  const file = `smoke.${language === 'python' ? 'py' : 'mjs'}`;
  await copyFile(join(import.meta.dirname, file), join(folder, file));
  return async (given) => {
    const out = await outputOf(start(file, [JSON.stringify(given)], {}));
    return JSON.parse(out);
  };
}

const PAGE = `<!doctype html><link rel="icon" href="data:,"><script type="importmap">{"imports":{"tipoff-client":"/client/index.js"}}</script>`;

/** A page of another origin, with the modules of the package as they are. */
export async function smokeInBrowser(
  folder: string,
): Promise<{ readonly name: string; readonly run: Run } | Missing> {
  const chromium = await findChromium();
  if ('problem' in chromium) return { name: 'Chromium', missing: chromium.problem };
  const run: Run = async (given) => {
    await using browser = await TestBrowser.start(chromium);
    await using site = await startSite(folder);
    const tab = await browser.open(site.origin);
    await tab.visit('/');
    return await tab.page.evaluate(
      `import('/smoke.mjs').then(({ smoke }) => smoke(${JSON.stringify(given)}))`,
    );
  };
  return { name: 'Chromium', run };
}

async function startSite(folder: string): Promise<AsyncDisposable & { readonly origin: string }> {
  const client = join(folder, 'node_modules/tipoff-client/dist');
  const server = createServer(async ({ url = '/' }, response) => {
    const file = url.startsWith('/client/') ? join(client, url.slice(8)) : join(import.meta.dirname, url);
    const content = url === '/' ? PAGE : await readFile(file, 'utf8').catch(() => '');
    response.writeHead(200, { 'content-type': url === '/' ? 'text/html' : 'text/javascript' }).end(content);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}
