import type { Socket } from 'node:net';

/** Requests sent ahead on one connection. A client that waits for its answers has one. */
const MOST = 100;

/**
 * Bounds what a connection may send before it reads: Node begins every request it has read, and would hold the answers
 * of all of them.
 */
export function createPipelineLimit() {
  const inHand = new WeakMap<Socket, { count: number }>();
  return {
    /** False when there are too many. Every call is ended by `leave`. */
    enter(socket: Socket): boolean {
      const entry = inHand.get(socket);
      if (entry === undefined) inHand.set(socket, { count: 1 });
      else entry.count += 1;
      return entry === undefined || entry.count <= MOST;
    },
    leave(socket: Socket): void {
      const entry = inHand.get(socket);
      if (entry !== undefined) entry.count -= 1;
    },
  };
}
