import { unlessAborted } from './unless-aborted.ts';

/** Room for so many at a time under each name. */
export interface KeyedSemaphore {
  /** Waits for its turn, first come, first served; rejects with the reason of the signal. */
  take(name: string, signal: AbortSignal): Promise<void>;
  free(name: string): void;
}

interface Room {
  taken: number;
  readonly waiting: (() => void)[];
}

/** Nothing is kept of a name under which nobody is. */
export function createKeyedSemaphore(perName: number): KeyedSemaphore {
  const rooms = new Map<string, Room>();

  async function granted(name: string, room: Room, signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    room.waiting.push(resolve);
    try {
      await unlessAborted(promise, signal);
    } catch (error) {
      const place = room.waiting.indexOf(resolve);
      // Its turn came at the very moment of the abort.
      if (place === -1) free(name);
      else room.waiting.splice(place, 1);
      throw error;
    }
  }

  function free(name: string): void {
    const room = rooms.get(name);
    if (room === undefined) return;
    const next = room.waiting.shift();
    if (next === undefined) room.taken -= 1;
    else next();
    if (room.taken === 0) rooms.delete(name);
  }

  return {
    async take(name, signal) {
      const room = rooms.get(name) ?? { taken: 0, waiting: [] };
      rooms.set(name, room);
      if (room.taken >= perName) return granted(name, room, signal);
      room.taken += 1;
    },
    free,
  };
}
