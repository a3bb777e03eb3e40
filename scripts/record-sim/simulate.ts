import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MINUTE_MS } from '../../src/core/base/time/duration.ts';
import { DEFAULT_RULES } from '../../src/core/detection/rules.ts';
import type { RecordReport, Verdict } from '../../src/core/record/record-report.ts';
import { recordOfTape } from '../../src/wiring/tape-record.ts';
import { scratchFolder } from '../../test/support/scratch-folder.ts';
import { type Simulation, simulatedTape } from './simulated-tape.ts';

export interface SimulationOutcome {
  readonly world: string;
  readonly alerts: number;
  readonly bets: number;
  readonly verdict: Verdict;
  readonly held: Verdict;
  readonly move: number | null;
}

export async function simulate(simulation: Simulation): Promise<SimulationOutcome> {
  const { lines, startsAt } = simulatedTape(simulation);
  await using folder = await mkdtempDisposable(join(scratchFolder(), 'tipoff-record-sim-'));
  const file = join(folder.path, 'tape.jsonl');
  await writeFile(file, `${lines.join('\n')}\n`);
  const rules = { ...DEFAULT_RULES, record: { startsAt } };
  const { text } = await recordOfTape(file, { rules, freeDelayMs: 5 * MINUTE_MS });
  const { stages } = JSON.parse(text) as RecordReport;
  const stage = stages.find(({ stage: name }) => name === 'plan');
  if (stage === undefined) throw new Error('the simulated record has no alerts');
  const { bettor, holder, counts, figures } = stage;
  return {
    ...{ world: simulation.world.name, alerts: counts.counted, bets: bettor.bets },
    ...{ verdict: bettor.verdict, held: holder.verdict, move: figures.move_24h.per_alert },
  };
}
