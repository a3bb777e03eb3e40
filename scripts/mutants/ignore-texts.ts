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
export const textIgnorer = {
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

/** Babel names `#log` by a node within the node. */
function privateName(object: Callee | undefined): string {
  const { id } = (object?.property ?? {}) as { readonly id?: { readonly name?: string } };
  return id?.name ?? '';
}
