import { eachCall } from './each-call.ts';

/** What happens to the calls of a store: each waits its turns, and the one at `dies` never returns. */
export interface Rule {
  /** Turns of the loop before each call, in a circle. */
  readonly waits: readonly number[];
  /** The number of the call, from 0, at which the process is killed; null: it lives. */
  readonly dies: number | null;
  /** Whether the call at which it dies is still carried out. */
  readonly isLastDone: boolean;
}

export class Killed extends Error {}

/** A process that is killed in the middle: all stores given to `wrap` count their calls together. */
export function createUnrulyProcess({ waits, dies, isLastDone }: Rule) {
  const names: string[] = [];
  let stores = 0;

  async function run(call: () => Promise<unknown>, name: string): Promise<unknown> {
    const number = names.push(name) - 1;
    const turns = waits[number % waits.length] ?? 0;
    for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
    if (dies !== null && number > dies) throw new Killed();
    if (number !== dies) return call();
    if (isLastDone) await call();
    throw new Killed();
  }

  return {
    wrap<Store extends object>(store: Store): Store {
      const label = stores++;
      return eachCall(store, (call, name) => run(call, `${label}.${name}`));
    },
    calls: () => names.length,
    /** What was called so far: the number of the store, and its method. */
    names: (): readonly string[] => names,
  };
}

/** Null when the process was killed meanwhile. */
export async function unlessKilled<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Killed) return null;
    throw error;
  }
}
