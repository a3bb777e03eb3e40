/** Names of the driver's errors that mean "cannot be reached now" rather than "cannot be done". */
const OUTAGES = new Set([
  'DatabaseTimeout',
  'MongoNetworkError',
  'MongoNetworkTimeoutError',
  'MongoServerSelectionError',
  'MongoPoolClearedError',
  'MongoPoolClosedError',
  'MongoWaitQueueTimeoutError',
  'PoolClearedOnNetworkError',
  'MongooseServerSelectionError',
]);

/** Whether a fault means that the database is away, so that asking again later is right. */
export function isOutage(error: unknown): boolean {
  return error instanceof Error && OUTAGES.has(error.name);
}

/** Names of errors of calls that may have been sent: the server may carry them out, now or later. */
const UNANSWERED = new Set([
  'DatabaseTimeout',
  'MongoNetworkError',
  'MongoNetworkTimeoutError',
  'PoolClearedOnNetworkError',
]);

/** Whether a write that failed may have happened or may still happen: one that is not idempotent is not repeated then. */
export function isOutcomeUnknown(error: unknown): boolean {
  return error instanceof Error && UNANSWERED.has(error.name);
}
