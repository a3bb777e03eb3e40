import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ts } from '@ts-morph/common';
import { filesBelow, ROOT } from '../test/support/code/imports.ts';
import { fileLines } from '../test/support/code/sizes.ts';
import { PRODUCT, readSources, type Source } from '../test/support/code/sources.ts';
import { readOptions } from './command-line.ts';

const HELP = `Counts the lines of the code, and the names that two files of src, bots and jobs export.

Usage: npm run count [-- --list]

  --list     also prints those names and their files`;

const options = readOptions(HELP, { list: false });
const product = PRODUCT.flatMap((folder) => filesBelow(folder));
const twice = exportedTwice(readSources());
print('lines in src, bots and jobs', linesOf(product));
print('files in src, bots and jobs', product.length);
print('lines in scripts', linesOf(filesBelow('scripts')));
print('lines in test', linesOf(filesBelow('test')));
print('names exported by two files', twice.length);
if (options.list) for (const { name, files } of twice) console.log(`    ${name}: ${files.join(', ')}`);

function linesOf(files: readonly string[]): number {
  return files.reduce((sum, file) => sum + fileLines(readFileSync(join(ROOT, file), 'utf8')), 0);
}

function print(what: string, count: number): void {
  console.log(`${what.padEnd(30)} ${count.toLocaleString('en-US').padStart(8)}`);
}

function exportedTwice(sources: readonly Source[]) {
  const files = new Map<string, string[]>();
  for (const { file, tree } of sources)
    for (const name of new Set(tree.statements.flatMap(exportedNames)))
      files.set(name, [...(files.get(name) ?? []), file]);
  return [...files]
    .filter(([, where]) => where.length > 1)
    .map(([name, where]) => ({ name, files: where }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

function exportedNames(statement: ts.Statement): string[] {
  const modifiers = ts.canHaveModifiers(statement) ? (ts.getModifiers(statement) ?? []) : [];
  if (!modifiers.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) return [];
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.map(({ name }) => name.getText());
  const name = (statement as ts.Statement & { readonly name?: ts.Identifier }).name?.text;
  return name === undefined ? [] : [name];
}
