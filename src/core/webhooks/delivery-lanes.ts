import type { EpochMs } from '../trade.ts';

/** A delivery that waits for its turn in this process. */
export interface Candidate {
  readonly id: string;
  readonly webhookId: string;
  readonly alertId: number;
  readonly createdAt: EpochMs;
  /** Of the target, with its port. */
  readonly host: string;
  readonly keyId: string;
}

/** A host or a key: what is under way, and the lanes that wait for a place. */
export interface Bound {
  readonly name: string;
  inFlight: number;
  readonly blocked: Set<Lane>;
  /** How many lanes lead to it. */
  lanes: number;
}

/** What one key has waiting for one host, oldest first. */
export interface Lane {
  readonly name: string;
  readonly host: Bound;
  readonly key: Bound;
  readonly candidates: Candidate[];
  /** How many of `candidates` are gone from its front. */
  taken: number;
}

/** The lanes that have something waiting: each is ready, or set aside at its host or its key. */
export interface Lanes {
  readonly ready: Set<Lane>;
  all(): Iterable<Lane>;
  of(candidate: Candidate): Lane;
  remove(lane: Lane): void;
  /** Makes one ready that was set aside at this host or key. */
  callUp(bound: Bound): void;
  /** Gives a place at a host and a key back, and calls up who waits for it. */
  leave(candidate: Candidate): void;
}

/** How many wait in a lane. */
export function waitingIn({ candidates, taken }: Lane): number {
  return candidates.length - taken;
}

/** When so many are gone from a lane's front its list is cut, so that taking one costs the same however many wait. */
const CUT_AT = 1_000;

/** Takes so many off the lane's front. */
export function shiftFrom(lane: Lane, count: number): readonly Candidate[] {
  const shifted = lane.candidates.slice(lane.taken, lane.taken + count);
  lane.taken += shifted.length;
  if (lane.taken >= CUT_AT) {
    lane.candidates.splice(0, lane.taken);
    lane.taken = 0;
  }
  return shifted;
}

/** No lanes. Nothing is kept of a host or key that has nothing waiting and nothing under way. */
export function createLanes(): Lanes {
  const lanes = new Map<string, Lane>();
  const hosts = new Map<string, Bound>();
  const keys = new Map<string, Bound>();
  const ready = new Set<Lane>();

  function callUp(bound: Bound): void {
    const [lane] = bound.blocked;
    if (lane === undefined) return;
    bound.blocked.delete(lane);
    ready.add(lane);
  }

  function afterChange(bounds: Map<string, Bound>, bound: Bound): void {
    callUp(bound);
    if (bound.lanes === 0 && bound.inFlight === 0) bounds.delete(bound.name);
  }

  return {
    ready,
    callUp,
    all: () => lanes.values(),
    of({ host: hostName, keyId }) {
      const name = `${keyId} ${hostName}`;
      const found = lanes.get(name);
      if (found !== undefined) return found;
      const [host, key] = [boundOf(hosts, hostName), boundOf(keys, keyId)];
      host.lanes += 1;
      key.lanes += 1;
      const lane: Lane = { name, host, key, candidates: [], taken: 0 };
      lanes.set(name, lane);
      return lane;
    },
    remove(lane) {
      lanes.delete(lane.name);
      ready.delete(lane);
      for (const [bounds, bound] of [[hosts, lane.host] as const, [keys, lane.key] as const]) {
        bound.blocked.delete(lane);
        bound.lanes -= 1;
        // The one that goes may have been called up to a place; another takes it.
        afterChange(bounds, bound);
      }
    },
    leave({ host, keyId }) {
      for (const [bounds, name] of [[hosts, host] as const, [keys, keyId] as const]) {
        const bound = boundOf(bounds, name);
        bound.inFlight -= 1;
        afterChange(bounds, bound);
      }
    },
  };
}

function boundOf(bounds: Map<string, Bound>, name: string): Bound {
  const bound = bounds.get(name) ?? { name, inFlight: 0, blocked: new Set(), lanes: 0 };
  bounds.set(name, bound);
  return bound;
}
