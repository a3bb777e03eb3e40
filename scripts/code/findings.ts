import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ts } from '@ts-morph/common';
import { filesBelow } from './imports.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const FOLDERS = ['src', 'bots', 'jobs'];
const MOST_LINES = 250;
const MOST_FUNCTION_LINES = 50;

/** A file of the product. */
export interface Source {
  readonly file: string;
  readonly text: string;
  readonly tree: ts.SourceFile;
}

/** What a rule or a count found, and where. */
export interface Finding {
  readonly what: string;
  readonly where: string;
}

/** All files below src, bots and jobs. */
export function readSources(): readonly Source[] {
  return FOLDERS.flatMap((folder) => filesBelow(folder)).map((file) => {
    const text = readFileSync(join(ROOT, file), 'utf8');
    return { file, text, tree: ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true) };
  });
}

/** Lines on which a token begins or ends; comments are none. */
export function codeLines(tree: ts.SourceFile): number {
  const found = new Set<number>();
  const visit = (node: ts.Node): void => {
    if (ts.isToken(node) && node.kind !== ts.SyntaxKind.EndOfFileToken) {
      const first = tree.getLineAndCharacterOfPosition(node.getStart(tree)).line;
      const last = tree.getLineAndCharacterOfPosition(node.getEnd()).line;
      for (let line = first; line <= last; line++) found.add(line);
    }
    for (const child of node.getChildren(tree)) if (child.kind !== ts.SyntaxKind.JSDoc) visit(child);
  };
  visit(tree);
  return found.size;
}

/** What is too long in a file, or written by hand. */
export function findingsOf({ file, text, tree }: Source): Finding[] {
  const found: Finding[] = [];
  const add = (what: string, node: ts.Node) => {
    const { line } = tree.getLineAndCharacterOfPosition(node.getStart(tree));
    found.push({ what, where: `${file}:${line + 1}` });
  };
  if (text.split('\n').length - 1 > MOST_LINES) add(`files above ${MOST_LINES} lines`, tree);
  const visit = (node: ts.Node): void => {
    if (isFunction(node) && linesOf(node, tree) > MOST_FUNCTION_LINES)
      add(`functions above ${MOST_FUNCTION_LINES} lines`, node);
    for (const [what, fits] of BY_HAND) if (fits(node)) add(what, node);
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

/** What `core/async` and libraries have: each is expected there alone. */
const BY_HAND: readonly (readonly [string, (node: ts.Node) => boolean])[] = [
  ['loops that sleep on the clock', (node) => isLoop(node) && hasOwn(node, isSleep)],
  ['backoffs (a power of two or a doubled delay)', isBackoff],
  ['time limits (a race)', (node) => isCallOf(node, 'race')],
  ['bounded maps (the oldest key is deleted)', isOldestDeleted],
];

function isLoop(node: ts.Node): boolean {
  return ts.isWhileStatement(node) || ts.isForStatement(node) || ts.isDoStatement(node);
}

function isSleep(node: ts.Node): boolean {
  return isCallOf(node, 'sleep') || isCallOf(node, 'delay');
}

function isBackoff(node: ts.Node): boolean {
  if (!ts.isBinaryExpression(node)) return false;
  const { left, operatorToken, right } = node;
  if (operatorToken.kind === ts.SyntaxKind.AsteriskAsteriskToken)
    return left.getText() === '2' && !ts.isNumericLiteral(right);
  const isDoubling = operatorToken.kind === ts.SyntaxKind.AsteriskToken && right.getText() === '2';
  return isDoubling && /delay|wait|pause|backoff/i.test(left.getText());
}

/** `map.delete(map.keys().next().value)` and its like. */
function isOldestDeleted(node: ts.Node): boolean {
  return ts.isCallExpression(node) && /\.keys\(\)\.next\(\)$/.test(node.getText());
}

function isCallOf(node: ts.Node, name: string): boolean {
  return (
    ts.isCallExpression(node) &&
    ts.isPropertyAccessExpression(node.expression) &&
    node.expression.name.text === name
  );
}

/** Whether it has such a node outside of functions that it contains. */
function hasOwn(node: ts.Node, fits: (node: ts.Node) => boolean): boolean {
  return (
    ts.forEachChild(
      node,
      (child) => fits(child) || (!isFunction(child) && hasOwn(child, fits)) || undefined,
    ) === true
  );
}

function isFunction(node: ts.Node): node is ts.FunctionLikeDeclaration {
  return ts.isFunctionLike(node) && 'body' in node && node.body !== undefined;
}

function linesOf(node: ts.Node, tree: ts.SourceFile): number {
  const { line: first } = tree.getLineAndCharacterOfPosition(node.getStart(tree));
  return tree.getLineAndCharacterOfPosition(node.getEnd()).line - first + 1;
}

/** Names that more than one file exports. */
export function exportedTwice(sources: readonly Source[]): Finding[] {
  const files = new Map<string, string[]>();
  for (const { file, tree } of sources)
    for (const name of new Set(tree.statements.flatMap(exportedNames)))
      files.set(name, [...(files.get(name) ?? []), file]);
  return [...files]
    .filter(([, where]) => where.length > 1)
    .map(([name, where]) => ({ what: 'names exported by two files', where: `${name}: ${where.join(', ')}` }));
}

function exportedNames(statement: ts.Statement): string[] {
  const modifiers = ts.canHaveModifiers(statement) ? (ts.getModifiers(statement) ?? []) : [];
  if (!modifiers.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) return [];
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.map(({ name }) => name.getText());
  const name = (statement as ts.Statement & { readonly name?: ts.Identifier }).name?.text;
  return name === undefined ? [] : [name];
}
