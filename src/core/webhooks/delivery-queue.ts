import type { EpochMs } from '../trade.ts';
import { type Candidate, createLanes, type Lane, shiftFrom, waitingIn } from './delivery-lanes.ts';
import { createDeliveryPlaces, type PlaceLimits } from './delivery-places.ts';

/** How much is sent at once, and how much waits in memory; what does not fit stays in the store. */
export interface QueueLimits extends PlaceLimits {
  readonly waiting: number;
  /** Of one key for one host. */
  readonly waitingPerLane: number;
  /** Of those a lane may hold so many however full the memory is: what others have waiting keeps nobody out. */
  readonly waitingPerLaneWhenFull: number;
}

/** The bounds of one process. */
export const QUEUE_LIMITS: QueueLimits = {
  inFlight: 1_024,
  inFlightPerKey: 64,
  inFlightPerHost: 16,
  inFlightPerSickHost: 2,
  waiting: 200_000,
  waitingPerLane: 1_000,
  waitingPerLaneWhenFull: 50,
};

/**
 * Chooses what is sent next, so that no host and no key delays another: they take turns, and one that has no place is
 * not looked at until it has. Choosing costs the same however many wait.
 */
export interface DeliveryQueue {
  /** False when it is held already, or there is no room for it. */
  offer(candidate: Candidate): boolean;
  /** Those that may be sent now, hosts that did not answer last; each holds a place until `release`. */
  take(limit: number): readonly Candidate[];
  /** `hasAnswered`: what is now known of its host; null when nothing new is. */
  release(candidate: Candidate, hasAnswered: boolean | null): void;
  /** Whether it waits here or holds a place. */
  holds(id: string): boolean;
  /** Drops the waiting ones made before the moment. */
  dropBefore(moment: EpochMs): void;
  readonly waiting: number;
  readonly inFlight: number;
  /** When the oldest of the waiting was made; null when none waits. */
  oldest(): EpochMs | null;
}

/** A queue with nothing in it. */
export function createDeliveryQueue(limits: QueueLimits = QUEUE_LIMITS): DeliveryQueue {
  const lanes = createLanes();
  const places = createDeliveryPlaces(limits, lanes);
  const held = new Set<string>();
  let waiting = 0;

  function shift(lane: Lane, count: number): readonly Candidate[] {
    waiting -= count;
    const shifted = shiftFrom(lane, count);
    if (waitingIn(lane) === 0) lanes.remove(lane);
    return shifted;
  }

  return {
    offer(candidate) {
      if (held.has(candidate.id)) return false;
      const lane = lanes.of(candidate);
      const most = waiting >= limits.waiting ? limits.waitingPerLaneWhenFull : limits.waitingPerLane;
      if (waitingIn(lane) >= most) return false;
      held.add(candidate.id);
      lane.candidates.push(candidate);
      waiting += 1;
      if (!lane.host.blocked.has(lane) && !lane.key.blocked.has(lane)) lanes.ready.add(lane);
      return true;
    },
    take(limit) {
      const chosen: Candidate[] = [];
      for (const lane of lanes.ready) {
        if (chosen.length >= limit || places.isFull()) break;
        lanes.ready.delete(lane);
        if (!places.enter(lane)) continue;
        lanes.ready.add(lane);
        chosen.push(...shift(lane, 1));
      }
      const { sick = [], well = [] } = Object.groupBy(chosen, ({ host }) =>
        places.isSick(host) ? 'sick' : 'well',
      );
      return [...well, ...sick];
    },
    release(candidate, hasAnswered) {
      held.delete(candidate.id);
      places.leave(candidate, hasAnswered);
    },
    holds: (id) => held.has(id),
    dropBefore(moment) {
      for (const lane of lanes.all()) {
        const rest = lane.candidates.slice(lane.taken);
        const kept = rest.findIndex(({ createdAt }) => createdAt >= moment);
        for (const { id } of shift(lane, kept < 0 ? rest.length : kept)) held.delete(id);
      }
    },
    get waiting() {
      return waiting;
    },
    get inFlight() {
      return places.taken;
    },
    oldest: () => oldestOf(lanes.all()),
  };
}

function oldestOf(lanes: Iterable<Lane>): EpochMs | null {
  let oldest: EpochMs | null = null;
  for (const { candidates, taken } of lanes) {
    const first = candidates[taken]?.createdAt ?? null;
    if (oldest === null || (first !== null && first < oldest)) oldest = first;
  }
  return oldest;
}
