import { ts } from '@ts-morph/common';
import { type Finding, findingAt, isFunction, nodesOf, type Source } from './sources.ts';

/** What is declared twice, or only for the sake of another declaration. */
export function declarationFindings(sources: readonly Source[]): Finding[] {
  return [...interfacesOfOneFactory(sources), ...bagTypes(sources), ...exportedTwice(sources)];
}

/** Interfaces that one function alone returns, in the same file, and no class implements: a class would be both. */
function interfacesOfOneFactory(sources: readonly Source[]): Finding[] {
  const makers = new Map<string, string[]>();
  const implemented = new Set<string>();
  for (const { file, tree } of sources) {
    for (const node of nodesOf(tree)) {
      if (isFunction(node) && isFactory(node)) {
        const name = returnedBy(node);
        if (name !== null) makers.set(name, [...(makers.get(name) ?? []), file]);
      }
      if (ts.isClassDeclaration(node))
        for (const clause of node.heritageClauses ?? [])
          for (const { expression } of clause.types) implemented.add(expression.getText());
    }
  }
  const isOfOneFactory = (file: string, name: string) =>
    makers.get(name)?.length === 1 && makers.get(name)?.[0] === file && !implemented.has(name);
  return sources.flatMap(({ file, tree }) =>
    tree.statements
      .filter(ts.isInterfaceDeclaration)
      .filter(({ name, members }) => members.some(isMethod) && isOfOneFactory(file, name.text))
      .map((node) => findingAt('interfaces beside their only factory', node)),
  );
}

function isMethod(member: ts.TypeElement): boolean {
  return (
    ts.isMethodSignature(member) ||
    (ts.isPropertySignature(member) && member.type !== undefined && ts.isFunctionTypeNode(member.type))
  );
}

function isFactory(node: ts.FunctionLikeDeclaration): boolean {
  return /^(?:create|open|start|make|build|connect)[A-Z]/.test(node.name?.getText() ?? '');
}

/** The name of the type that a function gives, also as a promise. */
function returnedBy({ type }: ts.FunctionLikeDeclaration): string | null {
  if (type === undefined || !ts.isTypeReferenceNode(type)) return null;
  const name = type.typeName.getText();
  const [inner] = type.typeArguments ?? [];
  if (name !== 'Promise') return name;
  return inner !== undefined && ts.isTypeReferenceNode(inner) ? inner.typeName.getText() : null;
}

/** `XDeps` and `XParts`: types that repeat what a constructor takes. */
function bagTypes(sources: readonly Source[]): Finding[] {
  return sources.flatMap(({ tree }) =>
    tree.statements
      .filter((node) => ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node))
      .filter(({ name }) => /(?:Deps|Parts)$/.test(name.text))
      .map((node) => findingAt('types of dependencies (*Deps, *Parts)', node)),
  );
}

/** Names that more than one file exports. */
function exportedTwice(sources: readonly Source[]): Finding[] {
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
