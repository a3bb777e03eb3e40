import { lookup, Resolver } from 'node:dns/promises';

/** The addresses of a name, in the order in which to try them; rejects when there are none. An abort may end it early. */
export type ResolveHost = (name: string, signal: AbortSignal) => Promise<readonly string[]>;

/** Both tries end within the 5 seconds of an attempt. */
const QUERY = { timeout: 1_500, tries: 2 };

/**
 * Queries name servers directly; default: those of the system. The system's resolver blocks one of few threads for each
 * name, so that names whose server never answers would delay every other delivery. The hosts file is not read: its names
 * are of the operator's own network.
 */
export function createPublicResolver(servers?: readonly string[]): ResolveHost {
  return async (name, signal) => {
    const resolver = new Resolver(QUERY);
    if (servers !== undefined) resolver.setServers(servers);
    const cancel = () => resolver.cancel();
    signal.addEventListener('abort', cancel, { once: true });
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    signal.removeEventListener('abort', cancel);
    const failure = answers.find((answer) => answer.status === 'rejected');
    const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    if (addresses.length === 0 && failure !== undefined) throw failure.reason;
    return addresses;
  };
}

/** As the system resolves names, with its hosts file. */
export async function resolveAnyHost(name: string): Promise<readonly string[]> {
  const answers = await lookup(name, { all: true, order: 'verbatim' });
  return answers.map(({ address }) => address);
}
