/** Names of driver errors that mean "unavailable" rather than "invalid". */
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

/** Whether an error means that the database is unavailable, so that the call may be retried later. */
export function isOutage(error: unknown): boolean {
  return error instanceof Error && OUTAGES.has(error.name);
}

/** Names of errors after which the server may still execute the call. */
const UNANSWERED = new Set([
  'DatabaseTimeout',
  'MongoNetworkError',
  'MongoNetworkTimeoutError',
  'PoolClearedOnNetworkError',
]);

/** Whether a failed write may have been executed, or may be later. Then only an idempotent write is repeated. */
export function isOutcomeUnknown(error: unknown): boolean {
  return error instanceof Error && UNANSWERED.has(error.name);
}
