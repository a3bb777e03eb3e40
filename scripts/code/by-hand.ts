import { ts } from '@ts-morph/common';
import { type Finding, findingAt, isFunction, nodesOf, type Source } from './sources.ts';

/** Tools that `core/async` and packages have: each is expected there alone. Found by their usual form, not proved. */
const BY_HAND: readonly (readonly [string, (node: ts.Node) => boolean])[] = [
  ['loops that sleep on the clock', (node) => isLoop(node) && hasOwn(node, isSleep)],
  ['backoffs (a power of two or a doubled delay)', isBackoff],
  ['time limits (a race)', (node) => isCallOf(node, ['race'])],
  ['bounded maps (the oldest key is deleted)', isOldestDeleted],
  ['limiters: named so (semaphore, mutex, queue, scheduler, pacer)', isNamedLimiter],
  ['limiters: a resolver waits in a list', (node) => isFunction(node) && queuesResolver(node)],
  ['limiters: a count per key in a map', isCountPerKey],
  ['limiters: promises chained one after the other', isPromiseChain],
  ['bags that are spread (...deps, ...context, ...database)', isBag],
];

export function byHand({ tree }: Source): Finding[] {
  return [...nodesOf(tree)].flatMap((node) =>
    BY_HAND.filter(([, fits]) => fits(node)).map(([what]) => findingAt(what, node)),
  );
}

function isLoop(node: ts.Node): boolean {
  return ts.isWhileStatement(node) || ts.isForStatement(node) || ts.isDoStatement(node);
}

function isSleep(node: ts.Node): boolean {
  return isCallOf(node, ['sleep', 'delay']);
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

/** A class, or a function that makes one. */
function isNamedLimiter(node: ts.Node): boolean {
  if (!ts.isClassDeclaration(node) && !ts.isFunctionDeclaration(node)) return false;
  const name = node.name?.text ?? '';
  const isMaker = ts.isClassDeclaration(node) || name.startsWith('create');
  return isMaker && /(?:Semaphore|Mutex|Queue|Scheduler|Pacer)$/.test(name);
}

/** `map.set(key, (map.get(key) ?? 0) + 1)` and its like. */
function isCountPerKey(node: ts.Node): boolean {
  if (!isCallOf(node, ['set'])) return false;
  return /\.get\([^)]*\)\s*\?\?\s*0\)?\s*[+-]\s*1\b/.test(node.getText());
}

/** `tail = tail.then(…)`, by which calls are made one after the other. */
function isPromiseChain(node: ts.Node): boolean {
  if (!ts.isBinaryExpression(node) || node.operatorToken.kind !== ts.SyntaxKind.EqualsToken) return false;
  const name = node.left.getText();
  return node.right.getText().startsWith(`${name}.then(`);
}

/** Whether it puts the resolver of a promise of its own into a list, set or map, from which another call takes it. */
function queuesResolver(node: ts.Node): boolean {
  const resolvers = new Set<string>();
  let isQueued = false;
  const visit = (at: ts.Node): void => {
    for (const name of resolversMadeBy(at)) resolvers.add(name);
    if (isCallOf(at, ['push', 'unshift', 'add', 'set', 'enqueue'])) {
      const [...names] = at.arguments.flatMap((argument) => [...nodesOf(argument)]);
      isQueued ||= names.some((name) => ts.isIdentifier(name) && resolvers.has(name.text));
    }
    ts.forEachChild(at, (child) => {
      if (!isFunction(child) || isExecutor(child) || ts.isCallExpression(child.parent)) visit(child);
    });
  };
  if (isExecutor(node)) return false;
  visit(node);
  return isQueued;
}

/** `new Promise((resolve) => …)` and `const { resolve: go } = Promise.withResolvers()`: names of what resolves it. */
function resolversMadeBy(node: ts.Node): string[] {
  if (isFunction(node) && isExecutor(node)) return node.parameters.map(({ name }) => name.getText());
  if (!ts.isVariableDeclaration(node) || node.initializer === undefined) return [];
  if (!isCallOf(node.initializer, ['withResolvers'])) return [];
  if (!ts.isObjectBindingPattern(node.name)) return [node.name.getText()];
  return node.name.elements.map(({ name }) => name.getText());
}

function isExecutor(node: ts.Node): boolean {
  return (
    isFunction(node) && ts.isNewExpression(node.parent) && node.parent.expression.getText() === 'Promise'
  );
}

/** An object literal that takes over all that a bag of dependencies has. */
function isBag(node: ts.Node): boolean {
  return (
    ts.isSpreadAssignment(node) &&
    /^(?:this\.)?#?(?:deps|context|database|parts|stores|services|dependencies)$/i.test(
      node.expression.getText(),
    )
  );
}

function isCallOf(node: ts.Node, names: readonly string[]): node is ts.CallExpression {
  return (
    ts.isCallExpression(node) &&
    ts.isPropertyAccessExpression(node.expression) &&
    names.includes(node.expression.name.text)
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
