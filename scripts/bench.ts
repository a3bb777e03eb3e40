import { fork } from 'node:child_process';
import { once } from 'node:events';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { HEAP_OPTIONS } from '../test/support/heap-options.ts';
import { progress } from './bench/figure.ts';
import { SECTIONS, type Section } from './bench/sections.ts';

const HELP = `Measures the service on this machine. A figure that misses its aim is shown so; it fails nothing.
Absolute figures are this machine’s; compare commits in turns within one run of both.

Usage: npm run bench -- [SECTION …]

${SECTIONS.map(({ name, title, isLong }) => `  ${name.padEnd(10)} ${title}${isLong ? ' (only when it is named)' : ''}`).join('\n')}

  --help     this text`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { help: { type: 'boolean', default: false } },
});
const unknown = positionals.filter((name) => !SECTIONS.some((section) => section.name === name));
const wanted = SECTIONS.filter(({ name, isLong }) =>
  positionals.length > 0 ? positionals.includes(name) : isLong !== true,
);

if (values.help) console.log(HELP);
else if (unknown.length > 0) throw new Error(`There is no section ${unknown.join(', ')}.\n\n${HELP}`);
else if (process.send !== undefined) await Promise.all(wanted.map(measure));
else {
  console.log(
    `Node ${process.version}, ${cpus().length} cores (${cpus()[0]?.model.trim() || 'model unknown'})\n`,
  );
  for (const section of wanted) await measureApart(section);
}

/** Measures in a process of its own, without the memory and compiled code of others, and with the heap of the service. */
async function measureApart({ name }: Section): Promise<void> {
  const execArgv = [...process.execArgv, ...HEAP_OPTIONS];
  const [code] = await once(fork(import.meta.filename, [name], { execArgv }), 'close');
  if (code !== 0) throw new Error(`the section ${name} ended with code ${code}`);
}

async function measure({ title, run }: Section): Promise<void> {
  progress(title);
  const figures = await run();
  console.log([title, ...figures.map((line) => `  ${line}`), ''].join('\n'));
}
