import { fork } from 'node:child_process';
import { once } from 'node:events';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { HEAP_OPTIONS } from '../test/support/heap-options.ts';
import { type Figure, progress } from './bench/figure.ts';
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

if (values.help) console.log(HELP);
else if (unknown.length > 0) throw new Error(`There is no section ${unknown.join(', ')}.\n\n${HELP}`);
else {
  console.log(
    `Node ${process.version}, ${cpus().length} cores (${cpus()[0]?.model.trim() || 'model unknown'})\n`,
  );
  const isWanted = ({ name, isLong }: Section) =>
    positionals.length > 0 ? positionals.includes(name) : isLong !== true;
  for (const section of SECTIONS.filter(isWanted)) {
    progress(section.title);
    const lines = (await inItsOwnProcess(section)).map(toLine);
    console.log([section.title, ...lines, ''].join('\n'));
  }
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

function toLine({ what, value, aim, isMet }: Figure): string {
  const verdict = aim === '' ? '' : `  [aim ${aim}${isMet === false ? ': MISSED' : ''}]`;
  return `  ${what}: ${value}${verdict}`;
}
