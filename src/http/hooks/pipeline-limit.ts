import type { Socket } from 'node:net';

/** Pipelined requests on one connection. A client that waits for its answers has one. */
const MOST = 100;

/** Limits pipelined requests: Node starts every request it has read, and buffers the answers of all of them. */
export function createPipelineLimit() {
  const inHand = new WeakMap<Socket, { count: number }>();
  return {
    /** False if there are too many. Each call must be followed by `leave`. */
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
