/** Names of errors that mean "cannot be reached now" rather than "cannot be done": the driver's, and our own. */
const OUTAGES = new Set([
  'ArchiveBusy',
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
