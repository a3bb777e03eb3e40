import { parseArgs } from 'node:util';
import { systemClock } from '../src/infra/system-clock.ts';
import { type FaultScript, NO_FAULTS, orderlyFaults, unrulyFaults } from '../test/support/market/faults.ts';
import { AS_MEASURED, IMMEDIATE } from '../test/support/market/market-profile.ts';
import { readRows, retimed, tapeOf } from '../test/support/market/market-tape.ts';
import { startMarket } from '../test/support/market/start-market.ts';

const HELP = `Plays the live market on this machine, for a service without access to the real one.

Usage: npm run market-sim -- [--speed N] [--from WHEN] [--market measured|immediate] [--faults none|some|all] [--seed N] [--port N] [--tape FILE]

  --speed N    how many times its own pace the tape goes on, from now (default 60: an hour a minute)
  --from WHEN  the moment of the tape that is now (default 2022-11-07T15:00:00Z, the eve of the midterms)
  --market     measured: with the cache, lags and gaps that the real one was seen to have (default)
               immediate: shows everything at once
  --faults     none (default); some: refusals, hangs, garbage, repeats; all: also pages in no order and late trades
  --seed N     of the faults (default 1)
  --port N     to listen on (default 4600)
  --tape FILE  another tape (default data/tapes/midterms-2022.jsonl.gz)

Start the service in another terminal with the settings that are printed. Ctrl-C ends it.`;

const { values } = parseArgs({
  options: {
    speed: { type: 'string', default: '60' },
    from: { type: 'string', default: '2022-11-07T15:00:00Z' },
    market: { type: 'string', default: 'measured' },
    faults: { type: 'string', default: 'none' },
    seed: { type: 'string', default: '1' },
    port: { type: 'string', default: '4600' },
    tape: { type: 'string', default: 'data/tapes/midterms-2022.jsonl.gz' },
    help: { type: 'boolean', short: 'h' },
  },
});
if (values.help === true) {
  console.log(HELP);
  process.exit(0);
}

const REPORT_EVERY_MS = 5_000;
const scripts: Readonly<Record<string, (seed: number) => FaultScript>> = {
  none: () => NO_FAULTS,
  some: orderlyFaults,
  // Late by up to a minute: longer would be longer than most people watch.
  all: (seed) => unrulyFaults(seed, 60_000),
};
const speed = Number(values.speed);
const pivot = Date.parse(values.from) / 1_000;
const script = scripts[values.faults]?.(Number(values.seed));
if (!(speed > 0) || Number.isNaN(pivot) || script === undefined) {
  console.error(`Something of that is not understood.\n\n${HELP}`);
  process.exit(2);
}

const origin = Date.now() / 1_000;
const toNow = (seconds: number) => origin + (seconds - pivot) / (seconds > pivot ? speed : 1);
const tape = retimed(tapeOf(await readRows(values.tape)), toNow);
const market = await startMarket({
  tape,
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
console.log(`The market of ${values.from} goes on now, at ${speed} times its pace. In another terminal:\n`);
console.log(`  MARKET_SOURCE=polymarket ${settings.join(' \\\n    ')} \\\n    npm start\n`);

/** Of the trades of the last minute. */
function lagText(now: number): string {
  const { p50, p90 } = market.view.listingLag(now - 60_000, now);
  return `${(p50 / 1_000).toFixed(1)} s (p90 ${(p90 / 1_000).toFixed(1)} s)`;
}

const seen = { trades: 0, requests: 0, at: Date.now() };
const report = setInterval(() => {
  const now = Date.now();
  const trades = seen.trades + market.view.listedIn(seen.at, now).length;
  const { total } = market.requests;
  const { limit, share } = market.largestShare();
  const faults = [...market.faults.struck.values()].reduce((sum, count) => sum + count, 0);
  const streams = market.streams.connections;
  console.log(
    `${new Date(now).toISOString().slice(11, 19)} UTC: ${trades} trades (+${trades - seen.trades}), ` +
      `${total} requests (+${total - seen.requests}), ${streams} stream connections so far, ${faults} faults; ` +
      `at most ${Math.round(share * 100)} % of a limit (${limit}); the list is ${lagText(now)} behind`,
  );
  Object.assign(seen, { trades, requests: total, at: now });
}, REPORT_EVERY_MS);

process.once('SIGINT', () => {
  clearInterval(report);
  void market.close();
});
