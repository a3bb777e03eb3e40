import { createInterface } from 'node:readline';
import { systemClock } from '../src/infra/process/system-clock.ts';
import {
  type Fault,
  type FaultScript,
  NO_FAULTS,
  OUTAGES,
  orderlyFaults,
  unrulyFaults,
} from '../test/support/market/faults.ts';
import { AS_MEASURED, IMMEDIATE } from '../test/support/market/market-profile.ts';
import { readRows, retimed, tapeOf } from '../test/support/market/market-tape.ts';
import { withProtocolV2 } from '../test/support/market/protocol-v2-tape.ts';
import { startMarket } from '../test/support/market/start-market.ts';
import { readOptions } from './command-line.ts';

const HELP = `Plays the live market on this machine, for a service without access to the real one.

Usage: npm run market-sim -- [options]

  --speed N      how many times its own pace the tape is played, from now (default 60: an hour a minute)
  --from WHEN    the moment of the tape that is now (default 2022-11-07T15:00:00Z, the eve of the midterms)
  --market       measured: with the cache, lags, gaps and limits that the real one was seen to have (default)
                 immediate: shows everything immediately
  --faults       none (default); some: refusals, hangs, garbage, repeats; all: also pages in no order and late trades
  --v2 N         share of markets in Protocol V2, 0 to 1 (default 0)
  --undescribed N  share of markets that Gamma has no row of (default 0)
  --wordless N   share of transactions whose rows have no title and no outcome (default 0)
  --undated N    share of wallets without join date and profile, for which activity is refused (default 0)
  --skew N       seconds by which the market's clock is ahead of this machine's (default 0)
  --seed N       of the faults and lags (default 1)
  --port N       to listen on (default 4600)

Type trades, data, gamma or rtds while it runs to take that part of the market away, and again to bring it back.
Start the service in another terminal with the settings that are printed. Ctrl-C ends it.`;

const values = readOptions(HELP, {
  ...{ speed: '60', from: '2022-11-07T15:00:00Z', market: 'measured', faults: 'none' },
  ...{ seed: '1', port: '4600' },
  ...{ v2: '0', undescribed: '0', wordless: '0', undated: '0', skew: '0' },
});

const REPORT_EVERY_MS = 5_000;
const scripts: Readonly<Record<string, (seed: number) => FaultScript>> = {
  none: () => NO_FAULTS,
  some: orderlyFaults,
  // Late by up to a minute, which a user of the simulator can still watch.
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
const tape = withProtocolV2(
  retimed(tapeOf(await readRows('data/tapes/midterms-2022.jsonl.gz')), toNow),
  Number(values.v2),
);
const undated = Number(values.undated);
const standing: readonly Fault[] =
  undated > 0 ? [...script.faults, { kind: '410', path: '/v2/activity' }] : script.faults;
const market = await startMarket({
  tape,
  clock: systemClock,
  faults: { ...script, faults: standing },
  profile: {
    ...(values.market === 'immediate' ? IMMEDIATE : AS_MEASURED),
    ...{ withoutGamma: Number(values.undescribed), withoutWords: Number(values.wordless) },
    ...{ withoutJoinDate: undated, withoutProfile: undated, skewMs: Number(values.skew) * 1_000 },
  },
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
  market.faults.script = { ...script, faults: [...[...away].flatMap((gone) => OUTAGES[gone]), ...standing] };
  console.log(`${part} is ${away.has(part) ? 'away' : 'back'}`);
});

function lagText(now: number): string {
  const { p50, p90 } = market.view.listingLag(now - 60_000, now);
  return `${(p50 / 1_000).toFixed(1)} s (p90 ${(p90 / 1_000).toFixed(1)} s)`;
}

const seen = { trades: 0, requests: 0, at: market.view.now() };
const report = setInterval(() => {
  const now = market.view.now();
  const trades = seen.trades + market.view.listedIn(seen.at, now).length;
  const { total } = market.requests;
  const { limit, share } = market.largestShare();
  const faults = [...market.faults.struck.values()].reduce((sum, count) => sum + count, 0);
  const streams = market.streams.connections;
  console.log(
    `${new Date(now).toISOString().slice(11, 19)} UTC: ${trades} trades (+${trades - seen.trades}), ` +
      `${total} requests (+${total - seen.requests}), ${streams} stream connections so far, ${faults} faults, ${market.requests.refused} above a limit; ` +
      `at most ${Math.round(share * 100)} % of a limit (${limit}); the list is ${lagText(now)} behind`,
  );
  Object.assign(seen, { trades, requests: total, at: now });
}, REPORT_EVERY_MS);

process.once('SIGINT', () => {
  clearInterval(report);
  lines.close();
  void market.close();
});
