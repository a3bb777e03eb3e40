/** The object with each call of its methods, which answer promises, made by `run`; `name` is that of the method. */
export function eachCall<Subject extends object>(
  subject: Subject,
  run: (call: () => Promise<unknown>, name: string) => Promise<unknown>,
): Subject {
  return new Proxy(subject, {
    get(target, name, receiver) {
      const method: unknown = Reflect.get(target, name, receiver);
      if (typeof method !== 'function') return method;
      return (...args: unknown[]) => run(() => method.apply(target, args) as Promise<unknown>, String(name));
    },
  });
}
