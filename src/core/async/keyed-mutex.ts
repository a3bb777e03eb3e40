/** Runs tasks of the same name one after the other. */
export type KeyedMutex = <T>(name: string, task: () => Promise<T>) => Promise<T>;

/** Tasks of different names run at once. Memory: one entry a name that has tasks under way. */
export function createKeyedMutex(): KeyedMutex {
  const last = new Map<string, Promise<unknown>>();
  return (name, task) => {
    const before = last.get(name) ?? Promise.resolve();
    const run = before.then(task, task);
    last.set(name, run);
    const forget = () => {
      if (last.get(name) === run) last.delete(name);
    };
    run.then(forget, forget);
    return run;
  };
}
