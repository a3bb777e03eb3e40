import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { loadRules } from '../config/detection-rules.ts';
import { grouped } from '../core/base/text/formats.ts';
import { UserError } from '../core/base/user-error.ts';
import type { RecordReport } from '../core/record/record-report.ts';
import { MIDTERMS_TAPE } from '../infra/process/program.ts';
import { recordOfTape } from '../wiring/tape-record.ts';
import { commandOf } from './command.ts';
import { printFigures } from './record-text.ts';
import { createTerminal, progressBar, type Terminal } from './terminal.ts';

export const backtestCommand = commandOf({
  about: 'What the alerts on a tape were worth, measured as the service measures its own: losses included.',
  usage: 'backtest TAPE [--rules FILE] [--out DIR] [--json]',
  operand: {
    name: 'TAPE',
    noun: 'tape',
    help: `a tape (.jsonl or .jsonl.gz), for example ${MIDTERMS_TAPE}`,
  },
  options: {
    rules: { type: 'string', value: 'FILE', help: 'a JSON file with the detection rules to change' },
    out: {
      type: 'string',
      value: 'DIR',
      help: 'writes record.json to this folder',
    },
    json: { type: 'boolean', help: 'prints the record as JSON (that of record.json) instead of tables' },
  },
  async run({ rules = null, out, json = false }, file) {
    // With --json standard output is the record.
    const terminal = createTerminal(json ? process.stderr : process.stdout);
    const { report, summary } = await play(file, rules, terminal);
    const text = JSON.stringify(report);
    if (out !== undefined) await writeRecord(out, text);
    if (json) createTerminal(process.stdout).line(text);
    else print(report, summary, terminal);
  },
});

async function play(file: string, rulesFile: string | null, terminal: Terminal) {
  const rules = await loadRules(rulesFile);
  const startedAt = performance.now();
  const onProgress = (part: number) => terminal.progress(progressBar(part));
  const played = await recordOfTape(file, { rules, onProgress });
  const { trades, alerts, dropped, until, report } = played;
  if (trades === 0) throw new UserError(`${file}: no line is a trade in the format of docs/tapes.md.`);
  const seconds = (performance.now() - startedAt) / 1_000;
  const speed = grouped(Math.round(trades / seconds));
  const left = [...dropped].map(([reason, count]) => `${grouped(count)} ${reason}`);
  const summary = [
    `${file}, rules ${rules.version}, up to ${new Date(until).toISOString()}`,
    `${grouped(trades)} trades in ${seconds.toFixed(1)} s (${speed}/s), ${alerts} alerts`,
    ...(left.length > 0 ? [`rows left out: ${left.join(', ')}`] : []),
  ];
  return { report, summary };
}

async function writeRecord(folder: string, text: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'record.json'), text);
}

function print(report: RecordReport, summary: readonly string[], terminal: Terminal): void {
  const { conclusion, results } = report;
  terminal.prose(terminal.style('bold', conclusion));
  if (results !== null) terminal.prose(results);
  terminal.line();
  for (const line of summary) terminal.line(line);
  terminal.line();
  printFigures(report, terminal);
}
