import { ts } from '@ts-morph/common';
import { isFunction, lineAt, nodesOf, type Source } from './sources.ts';

export const MAX_FILE_LINES = 300;
/** Lines that a function may have, from its first to its last; its doc comment is not counted. */
export const MAX_FUNCTION_LINES = 60;

export interface LongFunction {
  readonly file: string;
  readonly line: number;
  readonly name: string;
  readonly lines: number;
}

export function fileLines(text: string): number {
  return text.split('\n').length - 1;
}

export function longFunctions({ file, tree }: Source): LongFunction[] {
  return [...nodesOf(tree)].filter(isFunction).flatMap((node) => {
    const line = lineAt(tree, node.getStart(tree));
    const lines = lineAt(tree, node.getEnd()) - line + 1;
    return lines > MAX_FUNCTION_LINES ? [{ file, line, name: nameOf(node), lines }] : [];
  });
}

function nameOf(node: ts.Node): string {
  const names: string[] = [];
  for (let at = node; !ts.isSourceFile(at); at = at.parent) {
    if (ts.isConstructorDeclaration(at)) names.unshift('constructor');
    const { name } = at as ts.Node & { readonly name?: ts.Node };
    if (name !== undefined && !ts.isObjectBindingPattern(name)) names.unshift(name.getText());
  }
  return names.join('.') || 'anonymous';
}
