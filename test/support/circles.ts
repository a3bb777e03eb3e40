/** Each circle among the nodes by one path through it: `a → b → a`. */
export function circlesOf(
  nodes: readonly string[],
  targetsOf: (node: string) => readonly string[],
): string[] {
  const done = new Set<string>();
  const circles: string[] = [];
  const visit = (node: string, path: readonly string[]): void => {
    if (path.includes(node)) circles.push([...path.slice(path.indexOf(node)), node].join(' → '));
    if (done.has(node) || path.includes(node)) return;
    for (const target of new Set(targetsOf(node))) visit(target, [...path, node]);
    done.add(node);
  };
  for (const node of nodes.toSorted()) visit(node, []);
  return circles;
}
