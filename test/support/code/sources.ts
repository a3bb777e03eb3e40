import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ts } from '@ts-morph/common';
import { filesBelow, ROOT } from './imports.ts';

export const PRODUCT = ['src', 'bots', 'jobs'];

export interface Source {
  readonly file: string;
  readonly text: string;
  readonly tree: ts.SourceFile;
}

export function readSources(): readonly Source[] {
  return PRODUCT.flatMap((folder) => filesBelow(folder)).map((file) =>
    sourceOf(file, readFileSync(join(ROOT, file), 'utf8')),
  );
}

function sourceOf(file: string, text: string): Source {
  return { file, text, tree: ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true) };
}

export function lineAt(tree: ts.SourceFile, position: number): number {
  return tree.getLineAndCharacterOfPosition(position).line + 1;
}

export function isFunction(node: ts.Node): node is ts.FunctionLikeDeclaration {
  return ts.isFunctionLike(node) && 'body' in node && node.body !== undefined;
}

export function* nodesOf(node: ts.Node): Generator<ts.Node> {
  yield node;
  const children: ts.Node[] = [];
  ts.forEachChild(node, (child) => void children.push(child));
  for (const child of children) yield* nodesOf(child);
}
