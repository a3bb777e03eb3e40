import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { HEAP_OPTIONS } from '../test/support/heap-options.ts';
import type { Figure } from './bench/figure.ts';
import { progress } from './bench/progress.ts';
import { type SectionResult, toPage, toText } from './bench/report.ts';
import { SECTIONS, type Section } from './bench/sections.ts';

const PAGE = 'docs/benchmarks.md';
const LONG = SECTIONS.filter(({ isLong }) => isLong);
const HELP = `Measures the service on this machine. A figure that misses its aim is shown so; it fails nothing.

Usage: npm run bench -- [SECTION …] [--write]

${SECTIONS.map(({ name, title }) => `  ${name.padEnd(10)} ${title.replaceAll('`', '')}`).join('\n')}

  --write    writes ${PAGE}; with all sections, or with those that take long (${LONG.map(({ name }) => name).join(', ')})
  --help     this text`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { write: { type: 'boolean', default: false }, help: { type: 'boolean', default: false } },
});
const unknown = positionals.filter((name) => !SECTIONS.some((section) => section.name === name));
const isPartial = positionals.length > 0;
const isLongOnly = isPartial && positionals.every((name) => LONG.some((section) => section.name === name));

if (values.help) console.log(HELP);
else if (unknown.length > 0) fail(`There is no section ${unknown.join(', ')}.`);
else if (values.write && isPartial && !isLongOnly) fail('--write goes with all sections.');
else await bench(SECTIONS.filter(({ name, isLong }) => (isPartial ? positionals.includes(name) : !isLong)));

function fail(problem: string): void {
  console.error(`${problem}\n\n${HELP}`);
  process.exitCode = 2;
}

async function bench(sections: readonly Section[]): Promise<void> {
  const startedAt = performance.now();
  const results: SectionResult[] = [];
  for (const section of sections) {
    progress(section.title.replaceAll('`', ''));
    const result = { section, figures: await inItsOwnProcess(section) };
    results.push(result);
    console.log(toText(result));
  }
  if (!values.write) return;
  const minutes = isPartial ? null : (performance.now() - startedAt) / 60_000;
  await writeFile(PAGE, toPage(await readFile(PAGE, 'utf8'), results, minutes));
}

/** Runs a section in a process of its own, without the memory and compiled code of others. */
async function inItsOwnProcess({ name, isLong }: Section): Promise<readonly Figure[]> {
  // Soaks measure memory with the heap limit of the service.
  const execArgv = isLong ? [...process.execArgv, ...HEAP_OPTIONS] : process.execArgv;
  const child = fork(new URL('./bench/run-section.ts', import.meta.url), [name], { execArgv });
  let figures: readonly Figure[] = [];
  child.once('message', (message) => {
    figures = message as readonly Figure[];
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`the section ${name} ended with code ${code}`);
  return figures;
}
