import { sqliteFailure } from './sqlite/open-failure.ts';

/** Names of errors after which the server may still execute the call. */
const UNANSWERED = [
  'DatabaseTimeout',
  'MongoNetworkError',
  'MongoNetworkTimeoutError',
  'PoolClearedOnNetworkError',
];

/** Names of errors that mean "unavailable" rather than "invalid". */
const OUTAGES = [
  ...UNANSWERED,
  'DatabaseUnavailable',
  'MongoServerSelectionError',
  'MongoPoolClearedError',
  'MongoPoolClosedError',
  'MongoWaitQueueTimeoutError',
  'MongooseServerSelectionError',
];

/** Codes of a MongoDB server that stops, or is not the primary any more, also at the driver's second attempt. */
const REPLACED = new Set<unknown>([91, 189, 10_107, 11_600, 11_602, 13_435, 13_436]);
/** It ended a read that took too long. */
const MAX_TIME_EXPIRED = 50;

/** Whether an error means that the database is unavailable, so that the call may be retried later. */
export function isOutage(error: unknown): boolean {
  const found = ofDriver(error);
  if (!(found instanceof Error)) return false;
  if (OUTAGES.includes(found.name) || sqliteFailure(found) !== null) return true;
  return isReplaced(found) || codeOf(found) === MAX_TIME_EXPIRED;
}

/** Whether a failed write may have been executed, or may be later. Then only an idempotent write is repeated. */
export function isOutcomeUnknown(error: unknown): boolean {
  const found = ofDriver(error);
  return found instanceof Error && (UNANSWERED.includes(found.name) || isReplaced(found));
}

/** The error itself, where the driver reports the failure of its connection as a failed bulk write. */
function ofDriver(error: unknown): unknown {
  const isBulk = error instanceof Error && error.name === 'MongoBulkWriteError';
  return isBulk && 'errorResponse' in error && error.errorResponse instanceof Error
    ? error.errorResponse
    : error;
}

function isReplaced(error: Error): boolean {
  return REPLACED.has(codeOf(error));
}

function codeOf(error: Error): unknown {
  return error.name.startsWith('Mongo') && 'code' in error ? error.code : null;
}
