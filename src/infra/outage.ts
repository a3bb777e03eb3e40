/** Names of the driver's errors that mean "cannot be reached now" rather than "cannot be done". */
const OUTAGES = new Set([
  'MongoNetworkError',
  'MongoNetworkTimeoutError',
  'MongoServerSelectionError',
  'MongoPoolClearedError',
  'MongoPoolClosedError',
  'MongoWaitQueueTimeoutError',
  'MongooseServerSelectionError',
]);

/** Whether a fault means that the database is away, so that asking again later is right. */
export function isOutage(error: unknown): boolean {
  return error instanceof Error && OUTAGES.has(error.name);
}
