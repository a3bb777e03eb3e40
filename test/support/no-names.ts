import dns from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';
import { isIP } from 'node:net';

// Loaded before a service of the tests: it finds no host by its name, so that no test of a webhook leaves this machine.
const { lookup, promises } = dns;
const { lookup: lookupLater } = promises;
const isHere = (host: string) => isIP(host) !== 0 || host === 'localhost';

function unknown(host: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`getaddrinfo ENOTFOUND ${host}`), { code: 'ENOTFOUND', hostname: host });
}

function lookupHere(host: string, ...rest: unknown[]): void {
  if (isHere(host)) return void Reflect.apply(lookup, dns, [host, ...rest]);
  const answer = rest.at(-1) as (error: Error) => void;
  process.nextTick(() => answer(unknown(host)));
}

function lookupHereLater(host: string, ...rest: unknown[]): Promise<unknown> {
  return isHere(host) ? Reflect.apply(lookupLater, promises, [host, ...rest]) : Promise.reject(unknown(host));
}

// The sender asks name servers itself.
const refuse = (host: string) => Promise.reject(unknown(host));
Object.assign(promises.Resolver.prototype, { resolve4: refuse, resolve6: refuse });
Object.assign(dns, { lookup: lookupHere });
Object.assign(promises, { lookup: lookupHereLater });
syncBuiltinESMExports();
