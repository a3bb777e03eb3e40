import { z } from 'zod';

/**
 * Why a call of a node failed. `pruned`: the node no longer has blocks that old. `missing`: the node does not have the block,
 * because it is too old or the node lags. `unavailable`: all else.
 */
export type RpcFaultKind = 'pruned' | 'missing' | 'unavailable';

export class RpcFault extends Error {
  override readonly name = 'RpcFault';
  readonly kind: RpcFaultKind;

  constructor(message: string, kind: RpcFaultKind = 'unavailable') {
    super(message.slice(0, 200));
    this.kind = kind;
  }
}

/** Messages of geth, bor, erigon and the public gateways. Error codes differ between them and say nothing. */
const PRUNED = /pruned|archive|personal token|historical|missing trie node/i;

const SECRET_MIN = 6;

const answerSchema = z.union([
  z.object({ error: z.object({ message: z.string() }) }),
  z.object({ result: z.unknown() }),
]);

/** The result of a JSON-RPC answer. Throws the error that it contains, with the secrets of the node's URL removed from its message. */
export function resultOf(answer: unknown, url: string): unknown {
  const { success, data } = answerSchema.safeParse(answer);
  if (!success) throw new RpcFault('not a JSON-RPC answer');
  if ('error' in data) {
    const { message } = data.error;
    throw new RpcFault(withoutSecrets(message, url), PRUNED.test(message) ? 'pruned' : 'unavailable');
  }
  return data.result;
}

/** Keys are in the path, the query or the password. Short parts are version numbers and names. */
function withoutSecrets(message: string, url: string): string {
  const { pathname, searchParams, username, password } = new URL(url);
  const parts = [...pathname.split('/'), ...searchParams.values(), username, password];
  return parts
    .filter((part) => part.length >= SECRET_MIN)
    .reduce((text, part) => text.replaceAll(part, '…'), message);
}
