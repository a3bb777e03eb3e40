import { resolve } from 'node:path';
import { byHand } from './code/by-hand.ts';
import { declarationFindings } from './code/declarations.ts';
import { codeLines, fileLines, longFunctions, MAX_FILE_LINES, MAX_FUNCTION_LINES } from './code/sizes.ts';
import { type Finding, readSources, type Source } from './code/sources.ts';
import { readOptions } from './command-line.ts';

const HELP = `Counts the code of src, bots and jobs: lines without comments and blank lines, long files and functions, names that
two files export, and tools that are written by hand although they exist once.

Usage: npm run count [-- --at DIR] [--list | --json]

  --at DIR   counts another checkout
  --list     also prints where each is
  --json     prints counts, places and the lines of each folder as JSON`;

const STORES = /^src\/infra\/(?:mongo|sqlite|database|stores)\//;

const options = readOptions(HELP, { at: undefined, list: false, json: false });
const sources = readSources(options.at === undefined ? undefined : resolve(options.at));
const lines = sources.map(({ file, tree }) => ({ file, count: codeLines(tree) }));
const totals = {
  files: sources.length,
  'source lines without comments': sum(lines),
  'of them in the stores of both databases': sum(lines.filter(({ file }) => STORES.test(file))),
};
const found = Map.groupBy(
  [...sources.flatMap((source) => [...tooLong(source), ...byHand(source)]), ...declarationFindings(sources)],
  ({ what }) => what,
);
if (options.json) printJson();
else printTable();

function tooLong(source: Source): Finding[] {
  const functions = longFunctions(source).map(({ file, line, name }) => ({
    what: `functions above ${MAX_FUNCTION_LINES} lines`,
    where: `${file}:${line} ${name}`,
  }));
  if (fileLines(source.text) <= MAX_FILE_LINES) return functions;
  return [{ what: `files above ${MAX_FILE_LINES} lines`, where: source.file }, ...functions];
}

function printJson(): void {
  const places = [...found].sort().map(([what, of]) => [what, of.map(({ where }) => where)] as const);
  const counts = { ...totals, ...Object.fromEntries(places.map(([what, of]) => [what, of.length])) };
  const folders = Map.groupBy(lines, ({ file }) => folderOf(file));
  console.log(
    JSON.stringify(
      {
        counts,
        linesByFolder: Object.fromEntries([...folders].map(([folder, of]) => [folder, sum(of)])),
        places: Object.fromEntries(places),
      },
      null,
      2,
    ),
  );
}

function printTable(): void {
  for (const [what, count] of Object.entries(totals)) print(what, count);
  for (const [what, of] of [...found].sort()) {
    print(what, of.length);
    if (options.list) for (const { where } of of) console.log(`    ${where}`);
  }
}

/** The first three folders of a file's path below src, the first two elsewhere. */
function folderOf(file: string): string {
  const parts = file.split('/').slice(0, -1);
  return parts.slice(0, parts[0] === 'src' ? 3 : 2).join('/');
}

function print(what: string, count: number): void {
  console.log(`${what.padEnd(58)} ${count}`);
}

function sum(counted: readonly { readonly count: number }[]): number {
  return counted.reduce((total, { count }) => total + count, 0);
}
