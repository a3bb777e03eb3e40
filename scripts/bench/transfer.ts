import { mkdtempDisposable, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeBackup } from '../../src/infra/database/transfer/backup-file.ts';
import type { TransferWatch } from '../../src/infra/database/transfer/copy-rows.ts';
import { moveDatabase } from '../../src/infra/database/transfer/move-database.ts';
import { systemClock } from '../../src/infra/process/system-clock.ts';
import { createLogger } from '../../src/infra/telemetry/logger.ts';
import { type DatabaseKind, onEachDatabase } from './databases.ts';
import { type Figure, figure, mb, whole } from './figure.ts';
import { progress } from './progress.ts';

const ALERTS = 100_000;
const LOG = {
  clock: systemClock,
  logger: createLogger('warn', { write: (line) => void process.stderr.write(line) }),
};

/** The time in which the alerts were copied, and all of it with the comparison. */
class Stopwatch implements TransferWatch {
  readonly signal = new AbortController().signal;
  readonly #startedAt = performance.now();
  #alertsAt: number | null = null;
  #copyMs = 0;

  onTable(step: 'copy' | 'compare', name: string): void {
    if (this.#alertsAt !== null) this.#copyMs = performance.now() - this.#alertsAt;
    this.#alertsAt = step === 'copy' && name === 'alerts' ? performance.now() : null;
  }

  onRows(): void {}

  get figures(): { readonly rowsPerSecond: number; readonly totalMs: number } {
    return { rowsPerSecond: ALERTS / (this.#copyMs / 1_000), totalMs: performance.now() - this.#startedAt };
  }
}

/** A backup of an archive, and its restore into an empty database of the same kind. */
export function benchTransfer(): Promise<readonly Figure[]> {
  return onEachDatabase(async (kind) => {
    await using database = await kind.open();
    await using folder = await mkdtempDisposable(join(tmpdir(), 'tipoff-bench-backup-'));
    await database.seed({ after: 0, upto: ALERTS });
    const file = join(folder.path, 'backup.db');
    const backup = new Stopwatch();
    await writeBackup({ url: database.url, file, isForced: false, log: LOG, watch: backup });
    const { size } = await stat(file);
    return [
      ...figuresOf(`${kind.name}: backup`, backup),
      figure(`${kind.name}: size of the backup`, mb(size)),
      ...(await restoredFigures(kind, file)),
    ];
  });
}

async function restoredFigures(kind: DatabaseKind, file: string): Promise<readonly Figure[]> {
  await using empty = await kind.open();
  const restore = new Stopwatch();
  await moveDatabase({ from: { url: `sqlite:${file}` }, to: empty }, restore, LOG);
  return figuresOf(`${kind.name}: restore`, restore);
}

function figuresOf(name: string, { figures }: Stopwatch): readonly Figure[] {
  progress(`${name}: ${whole(figures.rowsPerSecond)} alerts/s`);
  return [
    figure(`${name}, alerts copied`, `${whole(figures.rowsPerSecond)} rows/s`),
    figure(
      `${name} with the comparison, ${whole(ALERTS)} alerts`,
      `${(figures.totalMs / 1_000).toFixed(1)} s`,
    ),
  ];
}
