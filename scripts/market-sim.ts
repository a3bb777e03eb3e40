import { createInterface } from 'node:readline';
import { systemClock } from '../src/infra/process/system-clock.ts';
import {
  type FaultScript,
  NO_FAULTS,
  OUTAGES,
  orderlyFaults,
  unrulyFaults,
} from '../test/support/market/faults.ts';
import { AS_MEASURED, IMMEDIATE } from '../test/support/market/market-profile.ts';
import { readRows, retimed, tapeOf } from '../test/support/market/market-tape.ts';
import { startMarket } from '../test/support/market/start-market.ts';
import { readOptions } from './command-line.ts';

const HELP = `Plays the live market on this machine, for a service without access to the real one.

Usage: npm run market-sim -- [options]

  --speed N      how many times its own pace the tape is played, from now (default 60: an hour a minute)
  --from WHEN    the moment of the tape that is now (default 2022-11-07T15:00:00Z, the eve of the midterms)
  --market       measured: with the cache, lags, gaps and limits that the real one was seen to have (default)
                 immediate: shows everything immediately
  --faults       none (default); some: refusals, hangs, garbage, repeats; all: also pages in no order and late trades
  --port N       to listen on (default 4600)

Type trades, data, gamma or rtds while it runs to take that part of the market away, and again to bring it back.
Start the service in another terminal with the settings that are printed. Ctrl-C ends it.`;

const values = readOptions(HELP, {
  speed: '60',
  from: '2022-11-07T15:00:00Z',
  market: 'measured',
  faults: 'none',
  port: '4600',
});

const REPORT_EVERY_MS = 5_000;
const SEED = 1;
const scripts: Readonly<Record<string, FaultScript>> = {
  none: NO_FAULTS,
  some: orderlyFaults(SEED),
  // Late by up to a minute, which a user of the simulator can still watch.
  all: unrulyFaults(SEED, 60_000),
};
const speed = Number(values.speed);
const pivot = Date.parse(values.from) / 1_000;
const script = scripts[values.faults];
if (!(speed > 0) || Number.isNaN(pivot) || script === undefined) {
  console.error(`Something of that is not understood.\n\n${HELP}`);
  process.exit(2);
}

const origin = Date.now() / 1_000;
const toNow = (seconds: number) => origin + (seconds - pivot) / (seconds > pivot ? speed : 1);
const market = await startMarket({
  tape: retimed(tapeOf(await readRows('data/tapes/midterms-2022.jsonl.gz')), toNow),
  clock: systemClock,
  faults: script,
  profile: values.market === 'immediate' ? IMMEDIATE : AS_MEASURED,
  port: Number(values.port),
}).catch((error: NodeJS.ErrnoException) => {
  if (error.code !== 'EADDRINUSE') throw error;
  console.error(`Port ${values.port} is taken: another sim may be running. --port names another.`);
  process.exit(1);
});
const settings = Object.entries(market.settings).map(([name, value]) => `${name}=${value}`);
console.log(`The market of ${values.from} continues now, at ${speed} times its pace. In another terminal:\n`);
console.log(`  MARKET_SOURCE=polymarket ${settings.join(' \\\n    ')} \\\n    npm start\n`);

const away = new Set<keyof typeof OUTAGES>();
const lines = createInterface({ input: process.stdin }).on('line', (line) => {
  const part = line.trim() as keyof typeof OUTAGES;
  if (!Object.hasOwn(OUTAGES, part))
    return console.error(`There is ${Object.keys(OUTAGES).join(', ')} to take away.`);
  if (!away.delete(part)) away.add(part);
  market.faults.script = {
    ...script,
    faults: [...[...away].flatMap((gone) => OUTAGES[gone]), ...script.faults],
  };
  console.log(`${part} is ${away.has(part) ? 'away' : 'back'}`);
});

let trades = 0;
let seenAt = market.view.now();
const report = setInterval(() => {
  const now = market.view.now();
  trades += market.view.listedIn(seenAt, now).length;
  seenAt = now;
  const { limit, share } = market.largestShare();
  const { p50, p90 } = market.view.listingLag(now - 60_000, now);
  const faults = [...market.faults.struck.values()].reduce((sum, count) => sum + count, 0);
  const streams = market.streams.connections;
  console.log(
    `${new Date(now).toISOString().slice(11, 19)} UTC: ${trades} trades, ${market.requests.total} requests, ` +
      `${streams} stream connections so far, ${faults} faults, ${market.requests.refused} above a limit; ` +
      `at most ${Math.round(share * 100)}% of a limit (${limit}); the list is ${(p50 / 1_000).toFixed(1)} s behind (p90 ${(p90 / 1_000).toFixed(1)} s)`,
  );
}, REPORT_EVERY_MS);

process.once('SIGINT', () => {
  clearInterval(report);
  lines.close();
  void market.close();
});
