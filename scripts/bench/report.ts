import { readFileSync } from 'node:fs';
import { cpus, loadavg, platform, release, totalmem } from 'node:os';
import type { Figure } from './figure.ts';
import { SECTIONS, type Section } from './sections.ts';

export interface SectionResult {
  readonly section: Section;
  readonly figures: readonly Figure[];
}

/**
 * The page docs/benchmarks.md with these sections measured again; those that \`former\` has and this run did not measure
 * stay. Without \`minutes\` the head of the page stays too: it describes the run of all sections.
 */
export function toPage(former: string, results: readonly SectionResult[], minutes: number | null): string {
  const [formerHead = '', ...formerTexts] = former.split(/^(?=## )/m);
  const head =
    minutes === null ? (formerHead.split(/^(?=What falls short|Every aim)/m)[0] ?? '') : newHead(minutes);
  const texts = new Map(formerTexts.map((text) => [titleOf(text), text.trimEnd()]));
  for (const result of results) texts.set(result.section.title, sectionText(result).trimEnd());
  const ordered = SECTIONS.flatMap(({ title }) => texts.get(title) ?? []);
  return `${head}${summary(ordered)}\n${ordered.join('\n\n')}\n`;
}

function newHead(minutes: number): string {
  return `# Benchmarks

Made by \`npm run bench -- --write\` in ${minutes.toFixed(1)} minutes; do not edit by hand. Absolute figures are
this machine’s; ratios are between things measured in the same run.

${machine()
  .map((line) => `- ${line}`)
  .join('\n')}

`;
}

function titleOf(text: string): string {
  return text.slice('## '.length, text.indexOf('\n'));
}

export function toText({ section, figures }: SectionResult): string {
  const lines = figures.map(({ what, value, aim, isMet }) => {
    const verdict = aim === '' ? '' : `  [aim ${aim}${isMet === false ? ': MISSED' : ''}]`;
    return `  ${what}: ${value}${verdict}`;
  });
  return [section.title.replaceAll('`', ''), ...lines, ''].join('\n');
}

function machine(): string[] {
  const [cpu] = cpus();
  return [
    `${cpus().length} cores (${cpu?.model.trim() || 'model unknown'}), ${(totalmem() / 2 ** 30).toFixed(0)} GB of memory`,
    `${platform()} ${release()}, Node ${process.version}, Fastify ${versionOf('fastify')}, autocannon ${versionOf('autocannon')}`,
    `SQLite ${process.versions['sqlite'] ?? '(unknown)'}, file in the system’s temporary folder, synchronous FULL`,
    `load of the machine when the run ended: ${loadavg()
      .map((load) => load.toFixed(1))
      .join(', ')} (1, 5, 15 minutes)`,
  ];
}

function versionOf(name: string): string {
  const file = new URL(`../../node_modules/${name}/package.json`, import.meta.url);
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}

const MISSED = /^\| (.*) \| (.*) \| (.*), \*\*missed\*\* \|$/gm;

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

${section.method} (\`npm run bench -- ${section.name}\`)

| what | figure | aim |
|---|---|---|
${rows.join('\n')}
`;
}
