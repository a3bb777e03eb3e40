import type { BuildLog } from '../../infra/database/mongo/ensure-indexes.ts';
import type { DatabaseUse } from '../../infra/database/schema-version.ts';
import { isEqual, type TableReport, type TransferWatch } from '../../infra/database/transfer/copy-rows.ts';
import { systemClock } from '../../infra/process/system-clock.ts';
import { createLogger } from '../../infra/telemetry/logger.ts';
import { createTerminal } from '../terminal.ts';
import { grouped, reportLines, TransferDisplay } from './transfer-display.ts';

const DIFFERENT = 1;
const INTERRUPTED = 130;

export interface TransferTask {
  run(watch: TransferWatch, log: BuildLog): Promise<readonly TableReport[]>;
  /** The last line when both sides are equal. */
  doneText(): string;
  /** What is left after a signal. */
  readonly interruptedText: string;
  /** What to do when the sides differ. */
  readonly differentText: string;
}

/** Runs a transfer with its display, and sets the exit code: 0 equal, 1 different, 130 interrupted by a signal. */
export async function runTransfer({
  run,
  doneText,
  interruptedText,
  differentText,
}: TransferTask): Promise<void> {
  const stop = new AbortController();
  const onSignal = () => stop.abort();
  // A second signal ends the process immediately.
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, onSignal);
  const progress = createTerminal(process.stderr);
  const output = createTerminal(process.stdout);
  const display = new TransferDisplay(progress, systemClock, stop.signal);
  const logger = createLogger('info', { write: (line) => void process.stderr.write(line) });
  const startedAt = systemClock.now();
  try {
    const reports = await run(display, { clock: systemClock, logger });
    display.end();
    for (const line of reportLines(reports)) output.line(line);
    const rows = reports.reduce((sum, { source }) => sum + source.rows, 0);
    const isDone = reports.every(isEqual);
    const seconds = ((systemClock.now() - startedAt) / 1_000).toFixed(1);
    if (!isDone) process.exitCode = DIFFERENT;
    output.line(
      isDone ? `${grouped(rows)} rows, equal on both sides, in ${seconds} s. ${doneText()}` : differentText,
    );
  } catch (error) {
    if (!stop.signal.aborted) throw error;
    progress.line(interruptedText);
    process.exitCode = INTERRUPTED;
  } finally {
    for (const name of ['SIGINT', 'SIGTERM'] as const) process.off(name, onSignal);
  }
}

/** A database that is read, or a backup. */
export function sourceUse(setting: string): DatabaseUse {
  return { setting, ifUnusable: 'Name another file; a compressed one must be unpacked first.' };
}

/** A database that is filled. */
export function targetUse(setting: string): DatabaseUse {
  return { setting, ifUnusable: 'Name a new, empty database.' };
}
