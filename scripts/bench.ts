import { execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { cpus, loadavg, platform, release, totalmem } from 'node:os';
import { parseArgs } from 'node:util';
import { HEAP_OPTIONS } from '../test/support/heap-options.ts';
import { type Figure, progress } from './bench/figure.ts';
import { SECTIONS, type Section } from './bench/sections.ts';

const PAGE = 'docs/benchmarks.md';
const MISSED = /^\| (.*) \| (.*) \| (.*), \*\*missed\*\* \|$/gm;
const HELP = `Measures the service on this machine. A figure that misses its aim is shown so; it fails nothing.

Usage: npm run bench -- [SECTION …] [--write]

${SECTIONS.map(({ name, title }) => `  ${name.padEnd(10)} ${title.replaceAll('`', '')}`).join('\n')}

  --write    replaces the sections in ${PAGE}
  --help     this text`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { write: { type: 'boolean', default: false }, help: { type: 'boolean', default: false } },
});
const unknown = positionals.filter((name) => !SECTIONS.some((section) => section.name === name));
const isPartial = positionals.length > 0;

if (values.help) console.log(HELP);
else if (unknown.length > 0) throw new Error(`There is no section ${unknown.join(', ')}.\n\n${HELP}`);
else await bench(SECTIONS.filter(({ name, isLong }) => (isPartial ? positionals.includes(name) : !isLong)));

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

interface SectionResult {
  readonly section: Section;
  readonly figures: readonly Figure[];
}

/** The page docs/benchmarks.md with these sections; what this run did not measure stays as in `former`. */
function toPage(former: string, results: readonly SectionResult[], minutes: number | null): string {
  const [formerHead = '', ...formerTexts] = former.split(/^(?=## )/m);
  const head =
    minutes === null ? (formerHead.split(/^(?=What falls short|Every aim)/m)[0] ?? '') : newHead(minutes);
  const texts = new Map(formerTexts.map((text) => [titleOf(text), text.trimEnd()]));
  for (const result of results) texts.set(result.section.title, sectionText(result).trimEnd());
  const ordered = SECTIONS.flatMap(({ title }) => texts.get(title) ?? []);
  return `${head}${summary(ordered)}\n${ordered.join('\n\n')}\n`;
}

function newHead(minutes: number): string {
  const machine = machineLines().map((line) => `- ${line}\n`);
  return `# Benchmarks

Made by \`npm run bench -- --write\` at commit \`${commit()}\` in ${minutes.toFixed(1)} minutes; do not edit by hand. Absolute
figures are this machine’s; ratios are between things measured in the same run.

${machine.join('')}
`;
}

/** A section that a run of all leaves as it is has its own date, commit and machine. */
function dateOf({ isLong }: Section): string {
  return isLong
    ? `, ${new Date().toISOString().slice(0, 10)} at commit \`${commit()}\`, ${processors()}`
    : '';
}

function processors(): string {
  const [cpu] = cpus();
  return `${cpus().length} cores (${cpu?.model.trim() || 'model unknown'})`;
}

function commit(): string {
  return execFileSync('git', ['describe', '--always', '--dirty'], { encoding: 'utf8' }).trim();
}

function titleOf(text: string): string {
  return text.slice('## '.length, text.indexOf('\n'));
}

function toText({ section, figures }: SectionResult): string {
  const lines = figures.map(({ what, value, aim, isMet }) => {
    const verdict = aim === '' ? '' : `  [aim ${aim}${isMet === false ? ': MISSED' : ''}]`;
    return `  ${what}: ${value}${verdict}`;
  });
  return [section.title.replaceAll('`', ''), ...lines, ''].join('\n');
}

function machineLines(): string[] {
  return [
    `${processors()}, ${(totalmem() / 2 ** 30).toFixed(0)} GB of memory`,
    `${platform()} ${release()}, Node ${process.version}, Fastify ${versionOf('fastify')}, undici ${versionOf('undici')}`,
    `SQLite ${process.versions['sqlite'] ?? '(unknown)'}, file in the system’s temporary folder, synchronous FULL`,
    `load of the machine when the run ended: ${loadavg()
      .map((load) => load.toFixed(1))
      .join(', ')} (1, 5, 15 minutes)`,
  ];
}

function versionOf(name: string): string {
  const file = new URL(`../node_modules/${name}/package.json`, import.meta.url);
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}

function summary(texts: readonly string[]): string {
  const missed = texts.flatMap((text) => [...text.matchAll(MISSED)]);
  if (missed.length === 0) return 'Every aim is met.\n';
  const lines = missed.map(([, what, value, aim]) => `- ${what}: ${value}, aim ${aim}`);
  return `What falls short:\n\n${lines.join('\n')}\n`;
}

function sectionText({ section, figures }: SectionResult): string {
  const rows = figures.map(
    ({ what, value, aim, isMet }) =>
      `| ${what} | ${value} | ${isMet === false ? `${aim}, **missed**` : aim} |`,
  );
  return `## ${section.title}

${section.method} (\`npm run bench -- ${section.name}\`${dateOf(section)})

| what | figure | aim |
|---|---|---|
${rows.join('\n')}
`;
}
