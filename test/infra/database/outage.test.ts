import { mongo } from 'mongoose';
import { expect, test } from 'vitest';
import { isOutage, isOutcomeUnknown } from '../../../src/infra/database/outage.ts';

const { MongoBulkWriteError, MongoNetworkTimeoutError, MongoServerSelectionError } = mongo;

/** As the driver throws it: its types allow only the server's own errors. */
function bulkFailure(cause: object): Error {
  return new MongoBulkWriteError(cause as never, {} as never);
}

test('a bulk write whose connection failed is an outage, and may have been executed', () => {
  const failure = bulkFailure(new MongoNetworkTimeoutError('connection timed out'));

  expect([isOutage(failure), isOutcomeUnknown(failure)]).toEqual([true, true]);
});

test('a bulk write for which there was no server is an outage, and was not executed', () => {
  const failure = bulkFailure(new MongoServerSelectionError('no server', {} as never));

  expect([isOutage(failure), isOutcomeUnknown(failure)]).toEqual([true, false]);
});

test('a bulk write that the server refused is no outage', () => {
  const failure = bulkFailure({ message: 'E11000 duplicate key', code: 11_000, writeErrors: [] });

  expect([isOutage(failure), isOutcomeUnknown(failure)]).toEqual([false, false]);
});
