/**
 * The part of `reflect-metadata` that loading `@peculiar/x509` asks for (its container checks at import), so that
 * the tests need no polyfill of everything else. Import it before that package.
 */
const kept = new WeakMap<object, Map<unknown, unknown>>();
const read = (name: unknown, target: object) => kept.get(target)?.get(name);

Object.assign(Reflect, {
  getMetadata: read,
  getOwnMetadata: read,
  defineMetadata(name: unknown, value: unknown, target: object) {
    const named = kept.get(target) ?? new Map<unknown, unknown>();
    kept.set(target, named.set(name, value));
  },
});
