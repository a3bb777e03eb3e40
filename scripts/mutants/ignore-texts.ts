/** What is read of a node of Babel's tree and its ancestors. */
interface TreePath {
  readonly node: { readonly type: string; readonly callee?: Callee };
  readonly parentPath: TreePath | null;
  readonly listKey?: string;
}

interface Callee {
  readonly name?: string;
  readonly object?: Callee;
  readonly property?: Callee;
}

const LOG_METHOD = /^(?:debug|info|warn|error|fatal)$/;

/** Leaves out what no test should repeat: the texts of errors, and what a log line says. */
export const textIgnorer = {
  shouldIgnore(path: unknown): string | undefined {
    const { node, parentPath, listKey } = path as TreePath;
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

function isLog({ object, property }: Callee): boolean {
  if (!LOG_METHOD.test(property?.name ?? '')) return false;
  return /log/i.test(object?.name ?? object?.property?.name ?? '') || /log/i.test(privateName(object));
}

/** Babel names `#log` by a node within the node. */
function privateName(object: Callee | undefined): string {
  const { id } = (object?.property ?? {}) as { readonly id?: { readonly name?: string } };
  return id?.name ?? '';
}
