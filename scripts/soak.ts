import { mkdtempDisposable } from 'node:fs/promises';
import { join } from 'node:path';
import { DEFAULT_RULES } from '../src/core/detection/rules.ts';
import { scratchFolder } from '../test/support/scratch-folder.ts';
import { readOptions } from './command-line.ts';
import { type DetectorSample, soakDetector } from './soak/detector-soak.ts';
import { type ServiceSample, soakService } from './soak/service-soak.ts';

const HELP = `Runs at the volume of the market and prints what it takes: 38 rows a second with bursts of 100, 60,000 wallets and
24,000 new markets a day.

Usage: npm run soak -- --detector [--days N] [--wallets N]
       npm run soak -- --service [--hours N] [--speed N]

  --detector   the detector alone, with its snapshots in an SQLite file
  --days N     days of the market (default 15)
  --wallets N  how many wallets are remembered at most, instead of the rules' own number
  --service    the whole service on the market simulator
  --hours N    hours of the market (default 6)
  --speed N    times the market's own pace (default 10)`;

const options = readOptions(HELP, {
  ...{ detector: false, days: '15', wallets: `${DEFAULT_RULES.memory.wallets}` },
  ...{ service: false, hours: '6', speed: '10' },
});
if (options.detector === options.service) {
  console.log(HELP);
  process.exit(1);
}

await using folder = await mkdtempDisposable(join(scratchFolder(), 'tipoff-soak-'));
if (options.detector) await runDetector();
else await runService();

async function runDetector(): Promise<void> {
  const memory = { ...DEFAULT_RULES.memory, wallets: Number(options.wallets) };
  const rules = { ...DEFAULT_RULES, memory };
  await soakDetector({
    days: Number(options.days),
    rules,
    file: join(folder.path, 'soak.db'),
    onSample: printDetector,
  });
}

async function runService(): Promise<void> {
  const [hours, speed] = [Number(options.hours), Number(options.speed)];
  const { listed, taken, ...rest } = await soakService({
    hours,
    speed,
    folder: folder.path,
    onSample: printService,
  });
  console.log(JSON.stringify({ listed, ...taken, ...rest }));
}

function printDetector(sample: DetectorSample): void {
  const { day, rows, nsPerRow, heapMb, residentMb, memory, planted } = sample;
  const { evicted, ...entries } = memory;
  console.log(
    [
      `day ${day.toFixed(2)}: ${rows} rows, ${Math.round(nsPerRow)} ns a row`,
      `heap and buffers ${heapMb.toFixed(0)} MB, RSS ${residentMb.toFixed(0)} MB`,
      `snapshots ${kb(sample.snapshotBytesPerSecond)}, longest ${Math.round(sample.longestSnapshotMs)} ms, ${(sample.snapshotShare * 100).toFixed(2)} % of a core`,
      JSON.stringify(entries),
      `evicted ${JSON.stringify(evicted)}`,
      `planted ${JSON.stringify(planted)}`,
    ].join('; '),
  );
}

function printService(sample: ServiceSample): void {
  const { hour, heapMb, residentMb, processorShare, memory, rows, lagMs } = sample;
  console.log(
    [
      `hour ${hour.toFixed(2)}: ${rows} rows`,
      `heap and buffers ${heapMb.toFixed(0)} MB, RSS ${residentMb.toFixed(0)} MB`,
      `${(processorShare * 100).toFixed(1)} % of a core at the market's pace`,
      `snapshots ${kb(sample.snapshotBytesPerSecond)}`,
      `at most ${(lagMs / 1_000).toFixed(1)} s unconfirmed`,
      JSON.stringify(memory),
    ].join('; '),
  );
}

function kb(bytesPerSecond: number): string {
  return `${(bytesPerSecond / 1_000).toFixed(0)} KB/s`;
}
