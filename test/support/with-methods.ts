/** The object with some of its methods replaced; the others are called on the object itself. */
export function withMethods<Subject extends object>(subject: Subject, methods: Partial<Subject>): Subject {
  return new Proxy(subject, {
    get(target, name) {
      if (name in methods) return Reflect.get(methods, name);
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
