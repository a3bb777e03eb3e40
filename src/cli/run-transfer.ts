import { grouped } from '../core/base/text/formats.ts';
import type { BuildLog } from '../infra/database/mongo/schema.ts';
import type { DatabaseUse } from '../infra/database/schema-version.ts';
import { isEqual, type TableReport, type TransferWatch } from '../infra/database/transfer/copy-rows.ts';
import { systemClock } from '../infra/process/system-clock.ts';
import { createLogger } from '../infra/telemetry/logger.ts';
import { interruptible } from './command.ts';
import { alignColumns, createTerminal, progressBar, type Terminal } from './terminal.ts';

const DIFFERENT = 1;
const INTERRUPTED = 130;
const DRAW_EVERY_MS = 100;
const LINE_EVERY_MS = 10_000;
const SHOWN_DIGITS = 16;

interface TransferTask {
  run(watch: TransferWatch, log: BuildLog): Promise<readonly TableReport[]>;
  doneText(): string;
  readonly interruptedText: string;
  readonly differentText: string;
}

export function runTransfer({ run, doneText, interruptedText, differentText }: TransferTask): Promise<void> {
  return interruptible(async (signal) => {
    const progress = createTerminal(process.stderr);
    const output = createTerminal(process.stdout);
    const logger = createLogger('info', { write: (line) => void process.stderr.write(line) });
    const startedAt = systemClock.now();
    try {
      const reports = await run(watchOn(progress, signal), { clock: systemClock, logger });
      progress.progress('');
      for (const line of reportLines(reports)) output.line(line);
      const rows = reports.reduce((sum, { source }) => sum + source.rows, 0);
      const isDone = reports.every(isEqual);
      const seconds = ((systemClock.now() - startedAt) / 1_000).toFixed(1);
      if (!isDone) process.exitCode = DIFFERENT;
      output.line(
        isDone ? `${grouped(rows)} rows, equal on both sides, in ${seconds} s. ${doneText()}` : differentText,
      );
    } catch (error) {
      if (!signal.aborted) throw error;
      progress.line(interruptedText);
      process.exitCode = INTERRUPTED;
    }
  });
}

/** Shows how far a transfer has come: a line that is replaced on a terminal, a line every 10 s elsewhere. */
function watchOn(terminal: Terminal, signal: AbortSignal): TransferWatch {
  const table = { title: '', total: 0, rows: 0 };
  let shownAt = systemClock.now();
  const show = terminal.isInteractive ? terminal.progress : terminal.line;
  return {
    signal,
    onTable(step, name, total) {
      Object.assign(table, { title: step === 'copy' ? name : `comparing ${name}`, total, rows: 0 });
    },
    onRows(count) {
      table.rows += count;
      const now = systemClock.now();
      if (now - shownAt < (terminal.isInteractive ? DRAW_EVERY_MS : LINE_EVERY_MS)) return;
      shownAt = now;
      const part = table.total === 0 ? 0 : Math.min(1, table.rows / table.total);
      show(`${progressBar(part)}  ${table.title}: ${grouped(table.rows)} rows`);
    },
  };
}

function reportLines(reports: readonly TableReport[]): readonly string[] {
  const rows = reports.map((report) => {
    const { name, source, target } = report;
    const hashes = [source, target].map(({ hash }) => hash.slice(0, SHOWN_DIGITS));
    const note = isEqual(report) ? 'equal' : `DIFFERENT: ${grouped(target.rows)} rows in the target`;
    return [name, grouped(source.rows), ...hashes, note];
  });
  return alignColumns([['table', 'rows', 'source', 'target', ''], ...rows], (column) => column !== 1);
}

export function sourceUse(setting: string): DatabaseUse {
  return { setting, ifUnusable: 'Name another file; a compressed one must be unpacked first.' };
}

export function targetUse(setting: string): DatabaseUse {
  return { setting, ifUnusable: 'Name a new, empty database.' };
}
