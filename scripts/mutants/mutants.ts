import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Instrumenter } from '@stryker-mutator/instrumenter';
import { filesBelow, ROOT } from '../../test/support/code/imports.ts';

export interface Mutant {
  readonly id: string;
  readonly area: string;
  readonly file: string;
  readonly line: number;
  readonly context: string;
  readonly from: number;
  readonly to: number;
  readonly code: string;
  readonly original: string;
  readonly replacement: string;
}

type Position = Readonly<{ line: number; column: number }>;
type StrykerLogger = ConstructorParameters<typeof Instrumenter>[0];

const quiet = new Proxy({}, { get: () => () => false }) as StrykerLogger;

export async function mutantsOf(area: string): Promise<readonly Mutant[]> {
  const files = filesBelow(`src/core/${area}`);
  const sources = files.map((name) => ({ name, mutate: true, content: textOf(name) }));
  const { mutants } = await new Instrumenter(quiet).instrument(sources, {
    plugins: null,
    excludedMutations: [],
    ignorers: [textIgnorer],
  });
  const seen = new Map<string, number>();
  return mutants
    .filter(({ status }) => status !== 'Ignored')
    .map(({ fileName: file, location, replacement: code, mutatorName }) => {
      const text = textOf(file);
      const from = offsetOf(text, location.start);
      const to = offsetOf(text, location.end);
      const context = (text.split('\n')[location.start.line] as string).trim();
      const name = JSON.stringify([file, mutatorName, context, text.slice(from, to), code]);
      const count = seen.get(name) ?? 0;
      seen.set(name, count + 1);
      return {
        id: hash(`${name} ${count}`),
        area,
        file,
        line: location.start.line + 1,
        context,
        from,
        to,
        code,
        original: brief(text.slice(from, to)),
        replacement: brief(code),
      };
    });
}

/** The same mutants for the same seed; a changed file changes the choice among its own only. */
export function sample(mutants: readonly Mutant[], { seed, size }: { seed: string; size: number }) {
  const drawn = mutants
    .map((mutant) => ({ mutant, rank: hash(`${seed} ${mutant.id}`) }))
    .toSorted((a, b) => (a.rank < b.rank ? -1 : 1))
    .slice(0, size)
    .map(({ mutant }) => mutant);
  return drawn.toSorted((a, b) => (a.file === b.file ? a.line - b.line : a.file < b.file ? -1 : 1));
}

function textOf(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8');
}

function offsetOf(text: string, { line, column }: Position): number {
  let start = 0;
  for (let at = 0; at < line; at += 1) start = text.indexOf('\n', start) + 1;
  return start + column;
}

function brief(code: string): string {
  const flat = code.replaceAll(/\s+/g, ' ');
  return flat.length > 70 ? `${flat.slice(0, 67)}…` : flat;
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

interface TreePath {
  readonly node: {
    readonly type: string;
    readonly callee?: Callee;
    readonly id?: { readonly name?: string };
  };
  readonly parentPath: TreePath | null;
  readonly listKey?: string;
}

interface Callee {
  readonly name?: string;
  readonly object?: Callee;
  readonly property?: Callee;
}

const LOG_METHOD = /^(?:debug|info|warn|error|fatal)$/;

/** Leaves out what no test should repeat: the texts of errors, what a log line says, and the words of `*_MEANINGS`. */
const textIgnorer = {
  shouldIgnore(path: unknown): string | undefined {
    const { node, parentPath, listKey } = path as TreePath;
    if (node.type === 'StringLiteral' && isMeaning(parentPath)) return 'words for people';
    const callee = parentPath?.node.callee;
    if (listKey !== 'arguments' || callee === undefined) return undefined;
    if (parentPath?.node.type === 'NewExpression') {
      const isText = node.type === 'StringLiteral' || node.type === 'TemplateLiteral';
      return isText && /(?:Error|Timeout|FailureLog)$/.test(callee.name ?? '')
        ? 'text of an error'
        : undefined;
    }
    return isLog(callee) ? 'argument of a log line' : undefined;
  },
};

function isMeaning(property: TreePath | null): boolean {
  const constant = property?.parentPath?.parentPath?.node;
  return property?.node.type === 'ObjectProperty' && /_MEANINGS$/.test(constant?.id?.name ?? '');
}

function isLog({ object, property }: Callee): boolean {
  if (!LOG_METHOD.test(property?.name ?? '')) return false;
  return /log/i.test(object?.name ?? object?.property?.name ?? '') || /log/i.test(privateName(object));
}

function privateName(object: Callee | undefined): string {
  const { id } = (object?.property ?? {}) as { readonly id?: { readonly name?: string } };
  return id?.name ?? '';
}
