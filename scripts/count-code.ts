import { codeLines, exportedTwice, findingsOf, readSources } from './code/findings.ts';
import { proseHitsIn, proseHitText } from './code/prose.ts';
import { UNCHECKED_PROSE } from './code/prose-rules.ts';

const HELP = `Counts the code: lines without comments and blank lines, long files and functions, names that two files export, and tools that
are written by hand although they exist once. Also the patterns to avoid in prose that \`npm run check\` does not check yet.

Usage: npm run count [-- --list]

  --list   also prints where each is`;

const STORES = /^src\/infra\/(?:mongo|sqlite|database|stores)\//;

if (process.argv.includes('--help')) {
  console.log(HELP);
  process.exit(0);
}

const sources = readSources();
const lines = sources.map(({ file, tree }) => ({ file, count: codeLines(tree) }));
print('files', sources.length);
print('source lines without comments', sum(lines));
print('of them in the stores of both databases', sum(lines.filter(({ file }) => STORES.test(file))));
const findings = [...sources.flatMap(findingsOf), ...exportedTwice(sources)];
for (const [what, found] of Map.groupBy(findings, (finding) => finding.what)) {
  print(what, found.length);
  if (process.argv.includes('--list')) for (const { where } of found) console.log(`    ${where}`);
}
for (const path of UNCHECKED_PROSE) {
  const hits = proseHitsIn([path]);
  print(`patterns to avoid in the prose of ${path}`, hits.length);
  if (process.argv.includes('--list')) for (const hit of hits) console.log(`    ${proseHitText(hit)}`);
}

function print(what: string, count: number): void {
  console.log(`${what.padEnd(50)} ${count}`);
}

function sum(counted: readonly { readonly count: number }[]): number {
  return counted.reduce((total, { count }) => total + count, 0);
}
