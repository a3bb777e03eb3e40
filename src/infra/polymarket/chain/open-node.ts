import type { ChainNode, ChainNodeDeps } from './chain-node.ts';
import { createHttpNode } from './http-node.ts';
import { SocketNode } from './socket-node.ts';

/** The node of a URL: `ws` and `wss` subscribe to heads, `http` and `https` poll them. */
export function openNode(options: ChainNodeDeps): ChainNode {
  return /^ws/.test(options.url) ? new SocketNode(options) : createHttpNode(options);
}
