/** Says when to check whether jobs are due. A tick that comes late or twice does no harm: `JobRunStore` decides what is due. */
export interface TickSource {
  /**
   * Calls `onTick` with the name of each job, immediately and then at intervals; `onTick` must neither wait nor throw.
   * Throws when the database is unavailable.
   */
  start(onTick: (job: string) => void): Promise<void>;
  /** Ends the ticks and releases connections. Also allowed before `start` and after its failure. */
  close(): Promise<void>;
}
