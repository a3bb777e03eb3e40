import type { Database } from '../../../src/core/database.ts';

type Method = (...args: unknown[]) => Promise<unknown>;
interface Call {
  readonly name: string;
  readonly method: Method;
}

/** Every method of a database, whatever its stores are made of: `alerts.append`, `lease.renew`, `ping` … */
export function callsOf(database: Database): Call[] {
  return Object.entries(database).flatMap(([name, part]) => {
    if (name === 'ping' || name === 'readTime')
      return part === null ? [] : [{ name, method: part as Method }];
    // It is in memory, and reads by calls of the stores.
    if (typeof part !== 'object' || part === null || name === 'alertIndex') return [];
    return methodNames(part).map((method) => ({ name: `${name}.${method}`, method: part[method] as Method }));
  });
}

function methodNames(store: object): (keyof typeof store)[] {
  const names = new Set<string>();
  for (let level = store; level !== Object.prototype; level = Object.getPrototypeOf(level))
    for (const name of Object.getOwnPropertyNames(level)) names.add(name);
  names.delete('constructor');
  return [...names].filter(
    (name) => typeof Reflect.get(store, name) === 'function',
  ) as (keyof typeof store)[];
}
