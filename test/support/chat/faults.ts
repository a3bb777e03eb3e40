/** Makes calls of stores fail. */
export interface Faults {
  /** The same store, whose methods fail on request. */
  around<Store extends object>(store: Store): Store;
  /** Every call fails, until `recover`. */
  breakAll(): void;
  /** The nth call from now fails: before it does anything, or when it has been done and only the answer is lost. */
  breakCall(nth: number, when: 'before' | 'after'): void;
  recover(): void;
  /** Calls since the last of `breakCall` and `recover`. */
  readonly calls: number;
}

export function createFaults(): Faults {
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
    around: (store) =>
      new Proxy(store, {
        get(target, name) {
          const value: unknown = Reflect.get(target, name);
          return typeof value === 'function' ? guarded(value.bind(target)) : value;
        },
      }),
    breakAll: () => set(() => 'before'),
    breakCall: (nth, when) => set((call) => (call === nth ? when : null)),
    recover: () => set(() => null),
    get calls() {
      return calls;
    },
  };
}
