/** What processes of the API do in a time. Also the cost of one of each, in any unit. */
export interface ApiWork {
  readonly latest: number;
  readonly searches: number;
  /** Alerts sent to sockets, counted for each socket. */
  readonly frames: number;
  /** Open sockets, each of which sends a ping every 20 seconds. */
  readonly socketSeconds: number;
  /** Processes, which follow the alerts of other processes. */
  readonly processSeconds: number;
}

/** The processor time of the work, in the unit of the costs. Linear: no work makes another dearer. */
export function apiProcessorTime(costs: ApiWork, work: ApiWork): number {
  return (
    costs.latest * work.latest +
    costs.searches * work.searches +
    costs.frames * work.frames +
    costs.socketSeconds * work.socketSeconds +
    costs.processSeconds * work.processSeconds
  );
}
