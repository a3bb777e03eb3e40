export type StoreMethod = (...args: unknown[]) => Promise<unknown>;

/** The store with each method replaced by `wrap`; an exception before the promise is a rejection too. */
export function withEachMethod<Store extends object>(
  store: Store,
  wrap: (name: string, method: StoreMethod) => StoreMethod,
): Store {
  const made = new Map<PropertyKey, { readonly method: unknown; readonly wrapped: StoreMethod }>();
  return new Proxy(store, {
    get(target, key) {
      const method: unknown = Reflect.get(target, key);
      if (typeof method !== 'function') return method;
      const known = made.get(key);
      if (known?.method === method) return known.wrapped;
      const wrapped = wrap(String(key), async (...args) => method.apply(target, args));
      made.set(key, { method, wrapped });
      return wrapped;
    },
  });
}
