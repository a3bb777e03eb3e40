import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { loadRules } from '../config/detection-rules.ts';
import { UserError } from '../core/base/user-error.ts';
import type { DetectionRules } from '../core/detection/rules.ts';
import { recordCsv } from '../core/record/record-csv.ts';
import type { RecordReport } from '../core/record/record-report.ts';
import { MIDTERMS_TAPE, PROGRAM } from '../infra/process/program.ts';
import { recordOfTape } from '../wiring/tape-record.ts';
import { periodHeading, periodTexts } from './backtest/period-text.ts';
import { recordCharts } from './backtest/record-charts.ts';
import { readConfig } from './read-config.ts';
import { runCommand } from './run-cli.ts';
import { createTerminal, progressBar, type Terminal } from './terminal.ts';

const HELP = `What the alerts on a tape were worth, measured as the service measures its own: losses included.

Usage: ${PROGRAM} backtest TAPE [--rules FILE] [--out DIR] [--json]

  TAPE          a tape (.jsonl or .jsonl.gz), for example ${MIDTERMS_TAPE}
  --rules FILE  a JSON file with the detection rules to change
  --out DIR     writes record.json, record.csv (months), drift.svg and months.svg to this folder
  --json        prints the record as JSON, as in record.json, and no tables
  --help        this text`;

interface Options {
  readonly file: string;
  readonly rules: DetectionRules;
  readonly out: string | null;
  readonly isJson: boolean;
}

async function backtest(args: string[]): Promise<void> {
  const options = await optionsOf(args);
  // With --json standard output is the record.
  const terminal = createTerminal(options.isJson ? process.stderr : process.stdout);
  const { text, summary } = await play(options, terminal);
  const report = JSON.parse(text) as RecordReport;
  if (options.out !== null) await writeFiles(options.out, report, text);
  if (options.isJson) createTerminal(process.stdout).line(text);
  else print(report, summary, terminal);
}

async function optionsOf(args: string[]): Promise<Options> {
  const { positionals, values } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      rules: { type: 'string' },
      out: { type: 'string' },
      json: { type: 'boolean', default: false },
    },
  });
  const [file, ...rest] = positionals;
  if (file === undefined || rest.length > 0) throw new UserError(`Name one tape.\n\n${HELP}`);
  const rules = await loadRules(values.rules ?? null);
  return { file, rules, out: values.out ?? null, isJson: values.json };
}

async function play({ file, rules }: Options, terminal: Terminal) {
  const startedAt = performance.now();
  const { freeDelayMs } = readConfig({ FREE_DELAY_SECONDS: process.env['FREE_DELAY_SECONDS'] });
  const onProgress = (part: number) => terminal.progress(progressBar(part));
  const { trades, alerts, dropped, until, text } = await recordOfTape(file, {
    rules,
    freeDelayMs,
    onProgress,
  });
  if (trades === 0) throw new UserError(`${file}: not one line is a trade as docs/tapes.md describes it.`);
  const seconds = (performance.now() - startedAt) / 1_000;
  const speed = Math.round(trades / seconds).toLocaleString('en-US');
  const left = [...dropped].map(([reason, count]) => `${count.toLocaleString('en-US')} ${reason}`);
  const summary = [
    `${file}, rules ${rules.version}, up to ${new Date(until).toISOString()}`,
    `${trades.toLocaleString('en-US')} trades in ${seconds.toFixed(1)} s (${speed}/s), ${alerts} alerts`,
    ...(left.length > 0 ? [`rows left out: ${left.join(', ')}`] : []),
  ];
  return { text, summary };
}

async function writeFiles(folder: string, report: RecordReport, text: string): Promise<void> {
  const [newest] = report.periods;
  const files = new Map([
    ['record.json', text],
    ['record.csv', recordCsv(report)],
    ...(newest === undefined ? [] : recordCharts(newest)),
  ]);
  await mkdir(folder, { recursive: true });
  for (const [name, content] of files) await writeFile(join(folder, name), content);
}

function print({ conclusion, periods }: RecordReport, summary: readonly string[], terminal: Terminal): void {
  terminal.prose(terminal.style('bold', conclusion));
  terminal.line();
  for (const line of summary) terminal.line(line);
  for (const period of periods) {
    terminal.line();
    terminal.prose(terminal.style('bold', periodHeading(period)));
    for (const text of periodTexts(period)) terminal.line(`\n${text}`);
  }
}

await runCommand(HELP, backtest);
