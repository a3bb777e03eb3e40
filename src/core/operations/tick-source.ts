/**
 * Runs jobs when it is time to check whether they are due. A check that comes late or twice does no harm: `JobRunStore`
 * decides what is due.
 */
export interface TickSource {
  /**
   * Calls `run` with the name of each job, immediately and then at intervals, again only after it has ended. `run` rejects
   * when the job failed, and has logged that. Throws when the database is unavailable.
   */
  start(run: (job: string) => Promise<void>): Promise<void>;
  /** Starts nothing more and releases connections. Also allowed before `start` and after its failure. */
  close(): Promise<void>;
}
