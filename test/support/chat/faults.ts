export function createFaults() {
  let calls = 0;
  let plan: (call: number) => 'before' | 'after' | null = () => null;

  function guarded(method: (...args: unknown[]) => unknown): (...args: unknown[]) => Promise<unknown> {
    return async (...args) => {
      calls += 1;
      const fault = plan(calls);
      if (fault === 'before') throw new Error('the store did not answer');
      const answer = await method(...args);
      if (fault === 'after') throw new Error('the answer of the store was lost');
      return answer;
    };
  }

  const set = (next: typeof plan) => {
    calls = 0;
    plan = next;
  };
  return {
    around: <Store extends object>(store: Store): Store =>
      new Proxy(store, {
        get(target, name) {
          const value: unknown = Reflect.get(target, name);
          return typeof value === 'function' ? guarded(value.bind(target)) : value;
        },
      }),
    breakAll: () => set(() => 'before'),
    /** The nth call from now fails: before it does anything, or when it has been done and only the answer is lost. */
    breakCall: (nth: number, when: 'before' | 'after') => set((call) => (call === nth ? when : null)),
    recover: () => set(() => null),
    get calls() {
      return calls;
    },
  };
}
