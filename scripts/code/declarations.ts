import { ts } from '@ts-morph/common';
import type { Source } from './sources.ts';

export function exportedTwice(sources: readonly Source[]) {
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
