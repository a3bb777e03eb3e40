import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { CLOSE_CODES } from '../../src/core/delivery/stream/close-codes.ts';
import type { ApiDocument } from '../../src/http/documents/describe-api.ts';
import { registryEntry } from '../../src/mcp/about.ts';
import { accepted } from '../support/tools.ts';
import { type ClientOperation, clientOperations } from './operations.ts';
import { pythonOperations } from './python-operations.ts';
import { PythonTypes } from './python-types.ts';

const NOTICE = 'Written by `npm run clients`. Do not edit.';
const TYPESCRIPT = 'clients/typescript/src/generated';
const PYTHON = 'clients/python/src/tipoff';
const TYPES_GENERATOR = join(import.meta.dirname, '../../test/support/generators/generate-types.ts');

export async function generatedFiles(document: ApiDocument): Promise<ReadonlyMap<string, string>> {
  const text = `${JSON.stringify(document, null, 2)}\n`;
  const operations = clientOperations(document);
  const types = new PythonTypes(document);
  // They name the types of bodies and answers that have none in the document.
  const pythonMethods = pythonOperations(operations, types);
  return new Map([
    ['clients/openapi.json', text],
    ['server.json', `${JSON.stringify(registryEntry(), null, 2)}\n`],
    [`${TYPESCRIPT}/api.ts`, `// ${NOTICE}\n${await typescriptTypes(text)}`],
    [
      `${TYPESCRIPT}/tables.ts`,
      [`// ${NOTICE}\n`, operationsTable(operations), listsTable(operations), closeCodesTable()].join('\n'),
    ],
    [`${PYTHON}/_operations.py`, `# ${NOTICE}\n${pythonMethods}`],
    [`${PYTHON}/types.py`, `# ${NOTICE}\n${types.text()}`],
    [`${PYTHON}/_close_codes.py`, `# ${NOTICE}\n${pythonCloseCodes()}`],
  ]);
}

async function typescriptTypes(document: string): Promise<string> {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'tipoff-types-'));
  const file = join(folder.path, 'openapi.json');
  await writeFile(file, document);
  return (await accepted(process.execPath, [TYPES_GENERATOR, pathToFileURL(file).href])).stdout;
}

function operationsTable(operations: readonly ClientOperation[]): string {
  const rows = operations.map(({ id, method, path }) => `  ${id}: ${JSON.stringify({ method, path })},\n`);
  return `export const OPERATIONS = {\n${rows.join('')}} as const;\n`;
}

function listsTable(operations: readonly ClientOperation[]): string {
  const rows = operations.flatMap(({ id, list }) => {
    if (list === null) return [];
    const { name, items, defaults } = list;
    return [`  ${name}: ${JSON.stringify({ operation: id, items, defaults })},\n`];
  });
  return `/** The lists that come in pages. */\nexport const LISTS = {\n${rows.join('')}} as const;\n`;
}

function closeCodesTable(): string {
  const rows = Object.values(CLOSE_CODES).map(
    ({ code, meaning, isWorthRetrying }) => `  ${code}: ${JSON.stringify({ meaning, isWorthRetrying })},\n`,
  );
  return `/** The close codes of the server. */\nexport const CLOSE_CODES = {\n${rows.join('')}} as const;\n`;
}

function pythonCloseCodes(): string {
  const rows = Object.values(CLOSE_CODES).map(
    ({ code, meaning, isWorthRetrying }) =>
      `    ${code}: (${JSON.stringify(meaning)}, ${isWorthRetrying ? 'True' : 'False'}),\n`,
  );
  return `"""The close codes of the server: their meaning, and whether the same connection can succeed later."""\n\nCLOSE_CODES: dict[int, tuple[str, bool]] = {\n${rows.join('')}}\n`;
}
