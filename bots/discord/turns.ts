/** One thing at a time for each name; names do not wait for each other. */
export interface Turns {
  take<Result>(name: string, act: () => Promise<Result>): Promise<Result>;
}

export function createTurns(): Turns {
  const last = new Map<string, Promise<unknown>>();
  return {
    async take(name, act) {
      const before = last.get(name) ?? Promise.resolve();
      const mine = before.then(act);
      const done = mine.catch(() => {});
      last.set(name, done);
      try {
        return await mine;
      } finally {
        if (last.get(name) === done) last.delete(name);
      }
    },
  };
}
