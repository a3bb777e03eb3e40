import { createRecentMap } from '../recent-map.ts';
import type { Bound, Candidate, Lane, Lanes } from './delivery-lanes.ts';

/** How much is sent at once, overall and to one. */
export interface PlaceLimits {
  readonly inFlight: number;
  readonly inFlightPerKey: number;
  readonly inFlightPerHost: number;
  /** While the host's last attempt had no answer. */
  readonly inFlightPerSickHost: number;
}

/** Who is being sent to. */
export interface DeliveryPlaces {
  /** Takes a place for what is first in the lane. False: there is none, and the lane is set aside until there is. */
  enter(lane: Lane): boolean;
  /** `hasAnswered`: what is now known of the host; null when nothing new is. */
  leave(candidate: Candidate, hasAnswered: boolean | null): void;
  isFull(): boolean;
  /** Whether the host did not answer the last time. */
  isSick(host: string): boolean;
  readonly taken: number;
}

/** Hosts of which it is remembered that they did not answer. */
const SICK_HOSTS = 20_000;

/** Places, all of them free. */
export function createDeliveryPlaces(limits: PlaceLimits, lanes: Lanes): DeliveryPlaces {
  const sick = createRecentMap<true>(SICK_HOSTS);
  let taken = 0;

  const isSick = (host: string) => sick.get(host) === true;
  const hasHostPlace = ({ name, inFlight }: Bound) =>
    inFlight < (isSick(name) ? limits.inFlightPerSickHost : limits.inFlightPerHost);
  const hasKeyPlace = ({ inFlight }: Bound) => inFlight < limits.inFlightPerKey;

  /** There may be more places than the one that was given back: others are called up while there is one. */
  function callUpMore({ host, key }: Lane): void {
    if (hasHostPlace(host)) lanes.callUp(host);
    if (hasKeyPlace(key)) lanes.callUp(key);
  }

  return {
    enter(lane) {
      const { host, key } = lane;
      if (hasHostPlace(host) && hasKeyPlace(key)) {
        taken += 1;
        host.inFlight += 1;
        key.inFlight += 1;
        callUpMore(lane);
        return true;
      }
      (hasHostPlace(host) ? key : host).blocked.add(lane);
      callUpMore(lane);
      return false;
    },
    leave(candidate, hasAnswered) {
      if (hasAnswered === true) sick.delete(candidate.host);
      if (hasAnswered === false) sick.set(candidate.host, true);
      taken -= 1;
      lanes.leave(candidate);
    },
    isFull: () => taken >= limits.inFlight,
    isSick,
    get taken() {
      return taken;
    },
  };
}
