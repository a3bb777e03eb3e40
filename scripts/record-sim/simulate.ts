import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MINUTE_MS } from '../../src/core/base/time/duration.ts';
import { DEFAULT_RULES, type DetectionRules } from '../../src/core/detection/rules.ts';
import type { RecordReport } from '../../src/core/record/record-report.ts';
import { recordOfTape } from '../../src/wiring/tape-record.ts';
import { scratchFolder } from '../../test/support/scratch-folder.ts';
import { type SimulationOutcome, summarise } from './outcome.ts';
import { type SimulatedTape, type Simulation, simulatedTape } from './simulated-tape.ts';

/** Writes the tape of a simulation, plays it as `backtest` does, and returns what its record says. */
export async function simulate(simulation: Simulation): Promise<SimulationOutcome> {
  const startedAt = performance.now();
  const tape = simulatedTape(simulation);
  await using folder = await mkdtempDisposable(join(scratchFolder(), 'tipoff-record-sim-'));
  const file = join(folder.path, 'tape.jsonl');
  await writeFile(file, `${tape.lines.join('\n')}\n`);
  const { text, trades } = await recordOfTape(file, { rules: rulesOf(tape), freeDelayMs: 5 * MINUTE_MS });
  const seconds = (performance.now() - startedAt) / 1_000;
  const { scenario, seed, events: planned } = simulation;
  return {
    scenario: scenario.name,
    seed,
    planned,
    trades,
    ...summarise(JSON.parse(text) as RecordReport),
    seconds,
  };
}

/** The plan of the service with one verdict, at the end of the tape. */
function rulesOf({ startsAt, verdictDay }: SimulatedTape): DetectionRules {
  return { ...DEFAULT_RULES, record: { ...DEFAULT_RULES.record, startsAt, verdictDays: [verdictDay] } };
}
