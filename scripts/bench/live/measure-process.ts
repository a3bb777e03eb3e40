import { queryObjects, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

type Class = new (...args: never[]) => unknown;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

const CLASSES: Readonly<Record<string, Class>> = {
  Timeout: timeoutClass(),
  Listener: listenerClass(),
  AbortSignal: AbortSignal as unknown as Class,
  Promise: Promise as unknown as Class,
};

/** What stays in a process after a forced collection. */
export type Measured = ReturnType<typeof measureProcess>;

/** Blocks for as long as it takes, some hundred milliseconds. */
export function measureProcess() {
  const entries = Object.entries(CLASSES).map(([name, type]) => [
    name,
    queryObjects(type, { format: 'count' }),
  ]);
  collect();
  const { heapUsed, arrayBuffers, rss } = process.memoryUsage();
  const { user, system } = process.cpuUsage();
  const kinds = Object.entries(Object.groupBy(process.getActiveResourcesInfo(), (kind) => kind));
  return {
    heap: heapUsed,
    buffers: arrayBuffers,
    resident: rss,
    /** Microseconds since its start. */
    processor: user + system,
    /** What keeps the loop going, by kind. */
    resources: Object.fromEntries(kinds.map(([kind, those = []]) => [kind, those.length])),
    /** Objects on the heap, by class. */
    objects: Object.fromEntries(entries) as Readonly<Record<string, number>>,
  };
}

function timeoutClass(): Class {
  const timer = setTimeout(() => {}, 0);
  clearTimeout(timer);
  return timer.constructor as Class;
}

/** What Node keeps for each listener of an EventTarget. It exports no such class, so one listener is looked at. */
function listenerClass(): Class {
  const target = new EventTarget();
  target.addEventListener('probe', () => {});
  for (const symbol of Object.getOwnPropertySymbols(target)) {
    const events = Reflect.get(target, symbol) as { get?: (type: string) => { next?: object } } | undefined;
    const listener = events?.get?.('probe').next;
    if (listener !== undefined) return listener.constructor as Class;
  }
  throw new Error('this Node keeps listeners in another way');
}
