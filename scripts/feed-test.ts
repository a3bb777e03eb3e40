import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { type FaultScript, orderlyFaults, unrulyFaults } from '../test/support/market/faults.ts';
import { differences, type FeedOutcome, measureBudget, runFeed } from '../test/support/market/feed-run.ts';
import { generatedTape } from '../test/support/market/generated-tape.ts';
import { type AlertFacts, judgeDirectly, liveFormOf } from '../test/support/market/live-form.ts';
import { AS_MEASURED } from '../test/support/market/market-profile.ts';
import { type MarketTape, readRows, tapeOf } from '../test/support/market/market-tape.ts';
import { seededRandom } from '../test/support/random.ts';
import { readOptions } from './command-line.ts';
import { proveLatency, proveOmission, proveOutages } from './feed-test/source-proofs.ts';
import { proveTraffic } from './feed-test/traffic-proof.ts';
import { accepted } from './support/tools.ts';

const HELP = `Runs the service on a simulator of the live market and compares its alerts with a direct replay.

Usage: npm run feed-test -- [--only orderly|unruly|budget|traffic|latency|outages|omission] [--kills N] [--seed N] [--mongodb URI]

  --only     orderly: the whole tape, all faults that leave the market's order, and kills
             unruly:  also pages in no order and trades up to an hour late; the recording is replayed
             budget:  500 trades a second; never above half of a published limit in any 10 s
             traffic: bytes of the list of trades at 40 trades a second, by polling, with the stream, with a node
             latency: from the trade to the alert by polling, with the stream, with a node
             outages: each source taken away in turn, all in pairs, and all of them
             omission: a node that leaves out half of its logs, beside the other sources and alone
             (default: all of them)
  --kills N  how often SIGKILL strikes (default 10)
  --seed N   of faults and kills (default 1)
  --mongodb  a server to use instead of SQLite; no database there may be called tipoff_feed_…`;

const values = readOptions(HELP, {
  ...{ only: undefined, kills: '10', seed: '1', mongodb: undefined },
});

const seed = Number(values.seed);
const rows = await readRows('data/tapes/midterms-2022.jsonl.gz');
const tape = tapeOf(rows);
const live = judgeDirectly(liveFormOf(tape), { isComplete: false });
await using folder = await mkdtempDisposable(join(tmpdir(), 'tipoff-feed-'));
const verdicts: boolean[] = [];

function verdict(text: string, isRight: boolean): void {
  verdicts.push(isRight);
  console.log(`  ${isRight ? 'right' : 'WRONG'}: ${text}`);
}

const urlOf = (name: string) =>
  values.mongodb === undefined
    ? `sqlite:${join(folder.path, `${name}.db`)}`
    : `${values.mongodb}/tipoff_feed_${name}`;

const run = (name: string, faults: FaultScript, kills = 0) =>
  runFeed({
    tape,
    url: urlOf(name),
    faults,
    profile: AS_MEASURED,
    random: seededRandom(seed),
    kills,
    onStep: console.log,
  });

function judgeOutcome(outcome: FeedOutcome, expected: ReadonlyMap<string, AlertFacts>): void {
  const { alerts, missing, twice, largestShare, requests, seconds, struck } = outcome;
  console.log(`  ${Math.round(seconds)} s, ${requests} requests, faults: ${JSON.stringify([...struck])}`);
  verdict(`${missing} trades missing, ${twice} delivered twice`, missing === 0 && twice === 0);
  const wrong = differences(alerts, expected, isDeepStrictEqual);
  verdict(
    `${alerts.length} alerts, ${wrong.length} unlike those of the recording replayed`,
    wrong.length === 0,
  );
  const byKey = new Map(alerts.map((alert) => [alert.key, alert]));
  for (const key of wrong.slice(0, 3))
    console.log(
      `    ${JSON.stringify(expected.get(key) ?? null)}\n    ${JSON.stringify(byKey.get(key) ?? null)}`,
    );
  const percent = Math.round(largestShare.share * 100);
  verdict(`at most ${percent} % of a published limit (${largestShare.limit})`, largestShare.share <= 0.5);
}

/**
 * Wallets may count markets of all time while the list of their trades fails: differences are printed only.
 */
async function judgeRecorded(name: string, outcome: FeedOutcome): Promise<void> {
  judgeOutcome(outcome, judgeDirectly(await recordingOf(name), { isComplete: false }));
  const unlike = differences(outcome.alerts, live, isDeepStrictEqual);
  console.log(`  ${unlike.length} unlike those of a direct replay of the tape`);
}

async function recordingOf(name: string) {
  const file = join(folder.path, `${name}.jsonl`);
  const env = { DATABASE_URL: urlOf(name) };
  await accepted(process.execPath, ['src/cli/tipoff.ts', 'capture', file], { env });
  return (await readRows(file)).filter((row) => !('tape' in row));
}

const kit = { seed, start: tape.timeOf(0), urlOf, verdict, recordingOf };

const proofs: Readonly<Record<string, () => Promise<void>>> = {
  async orderly() {
    await judgeRecorded('orderly', await run('orderly', orderlyFaults(seed), Number(values.kills)));
  },
  async unruly() {
    await judgeRecorded('unruly', await run('unruly', unrulyFaults(seed), Number(values.kills)));
  },
  async budget() {
    const busy: MarketTape = generatedTape({ trades: 60_000, perSecond: 500, start: tape.timeOf(0), seed });
    const { limit, share } = await measureBudget({
      tape: busy,
      url: urlOf('budget'),
      speed: 2,
      profile: AS_MEASURED,
    });
    verdict(`at most ${Math.round(share * 100)} % of a published limit (${limit})`, share <= 0.5);
  },
  traffic: () => proveTraffic(kit),
  latency: () => proveLatency(kit),
  outages: () => proveOutages(kit),
  omission: () => proveOmission(kit),
};

for (const [name, prove] of Object.entries(proofs)) {
  if (values.only !== undefined && values.only !== name) continue;
  console.log(name);
  await prove();
}
process.exitCode = verdicts.length > 0 && verdicts.every(Boolean) ? 0 : 1;
