import { once } from 'node:events';
import { appendFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import { alignColumns } from '../src/cli/terminal.ts';
import { UserError } from '../src/core/base/user-error.ts';
import { DEFAULT_RULES } from '../src/core/detection/rules.ts';
import { parseJson } from '../src/infra/market/tapes/text-fields.ts';
import { readOptions } from './command-line.ts';
import type { SimulationOutcome } from './record-sim/outcome.ts';
import { powerCurves, powerTable } from './record-sim/power.ts';
import { SCENARIOS, scenarioNamed } from './record-sim/scenarios.ts';
import { type Simulation, simulatedTape } from './record-sim/simulated-tape.ts';
import { type Share, type Tally, tallies } from './record-sim/tally.ts';

const HELP = `Simulates worlds in which the alerts are worth something or nothing, plays their tapes through the service,
and counts how often the record says so. Ends with 1 when an aim is missed.

Usage: npm run record-sim -- [--scenario NAME] [--seeds N] [--events N] [--jobs N] [--json FILE] [--power]
       npm run record-sim -- --tape FILE --scenario NAME [--first N] [--events N]

  --scenario NAME  one of ${SCENARIOS.map(({ name }) => name).join(', ')} (default: all)
  --seeds N        worlds of each scenario (default 200)
  --first N        the first seed (default 1)
  --events N       events in a world (default 100)
  --jobs N         threads (default 2)
  --json FILE      appends what each record said, a line each; those that it has are not run again
  --power          prints how often an effect is found, by its size and the number of events
  --tape FILE      writes the tape of the first seed (.jsonl), for npm run backtest
  --help           this text`;

const options = readOptions(HELP, {
  ...{ scenario: undefined, seeds: '200', first: '1', events: '100' },
  ...{ jobs: '2', json: undefined, power: false, tape: undefined },
});
const scenarios = options.scenario === undefined ? SCENARIOS : [scenarioNamed(options.scenario)];
const [first, events] = [wholeNumber('--first', options.first), wholeNumber('--events', options.events)];

if (options.tape === undefined) await run();
else await writeTape(options.tape);

async function writeTape(file: string): Promise<void> {
  const [scenario] = scenarios;
  if (scenario === undefined || scenarios.length > 1) throw new UserError('Name one scenario.');
  const { lines, startsAt, verdictDay } = simulatedTape({ scenario, seed: first, events });
  await writeFile(file, `${lines.join('\n')}\n`);
  const rules = { version: DEFAULT_RULES.version, record: { startsAt, verdictDays: [verdictDay] } };
  console.log(`${file}: ${lines.length} lines; rules for backtest: ${JSON.stringify(rules)}`);
}

async function run(): Promise<void> {
  const outcomes = await readOutcomes(options.json);
  const known = new Set(outcomes.map(nameOf));
  const simulations = Array.from({ length: wholeNumber('--seeds', options.seeds) }, (_, index) =>
    scenarios.map((scenario) => ({ scenario, seed: first + index, events })),
  )
    .flat()
    .filter(({ scenario, seed }) => !known.has(nameOf({ scenario: scenario.name, seed, planned: events })));
  const startedAt = performance.now();
  let done = 0;
  await runSimulations(simulations, wholeNumber('--jobs', options.jobs), (outcome) => {
    outcomes.push(outcome);
    appendOutcome(options.json, outcome);
    done += 1;
    const left = ((performance.now() - startedAt) / 60_000 / done) * (simulations.length - done);
    process.stderr.write(`\r${done} of ${simulations.length} tapes, ${left.toFixed(1)} min left `);
  });
  process.stderr.write('\n');
  const shown = tallies(outcomes.filter(({ planned }) => planned === events));
  console.log(printedTallies(shown));
  if (options.power) printPower(shown);
  if (shown.some(({ isReached }) => isReached === false)) process.exitCode = 1;
}

/** From the deviation of an event's figure on the tapes, mostly those without an effect. */
function printPower(shown: readonly Tally[]): void {
  const deviation = shown[0]?.deviation ?? null;
  if (deviation === null) throw new UserError('The table needs records with a primary figure.');
  console.log(alignColumns(powerTable(powerCurves(deviation))).join('\n'));
}

function nameOf({
  scenario,
  seed,
  planned,
}: Pick<SimulationOutcome, 'scenario' | 'seed' | 'planned'>): string {
  return `${scenario} ${seed} ${planned}`;
}

function wholeNumber(name: string, text: string): number {
  const value = Number(text);
  if (Number.isSafeInteger(value) && value > 0) return value;
  throw new UserError(`${name}: expected a whole number above 0`);
}

/** Those of an earlier run; a line that it had not finished is left out. */
async function readOutcomes(file: string | undefined): Promise<SimulationOutcome[]> {
  if (file === undefined) return [];
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  return text.split('\n').flatMap((line) => (parseJson(line) as SimulationOutcome | undefined) ?? []);
}

function appendOutcome(file: string | undefined, outcome: SimulationOutcome): void {
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(outcome)}\n`);
}

function printedTallies(tallies: readonly Tally[]): string {
  const rows = tallies.map(({ scenario, found, above, any, mean, deviation, blocks, isReached }) => [
    scenario.name,
    `${found.of}`,
    percent(found),
    percent(above),
    percent(any),
    `${cents(mean)}`,
    `${cents(deviation)}`,
    blocks.toFixed(0),
    isReached === null ? '-' : isReached ? 'reached' : 'missed',
  ]);
  const head = ['', 'seeds', 'primary above', 'any above', 'any verdict', 'mean ¢', 'SD ¢', 'blocks', 'aim'];
  return alignColumns([head, ...rows]).join('\n');
}

function percent({ count, of, low, high }: Share): string {
  const [share, from, until] = [count / of, low, high].map((value) => (value * 100).toFixed(1));
  return `${share} % [${from}, ${until}]`;
}

function cents(value: number | null): string {
  return value === null ? '-' : (value * 100).toFixed(2);
}

async function runSimulations(
  simulations: readonly Simulation[],
  jobs: number,
  onOutcome: (outcome: SimulationOutcome) => void,
): Promise<void> {
  const waiting = simulations.values();
  const threads = Math.min(jobs, simulations.length);
  await Promise.all(Array.from({ length: threads }, () => runThread(waiting, onOutcome)));
}

async function runThread(
  waiting: IterableIterator<Simulation>,
  onOutcome: (outcome: SimulationOutcome) => void,
): Promise<void> {
  const worker = new Worker(new URL('./record-sim/worker.ts', import.meta.url));
  try {
    for (const simulation of waiting) {
      worker.postMessage(simulation);
      // Rejects with the error that ends the thread.
      const [outcome] = (await once(worker, 'message')) as [SimulationOutcome];
      onOutcome(outcome);
    }
  } finally {
    await worker.terminate();
  }
}
