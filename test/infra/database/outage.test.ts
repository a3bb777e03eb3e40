import { mongo } from 'mongoose';
import { expect, test } from 'vitest';
import { isOutage, isOutcomeUnknown } from '../../../src/infra/database/outage.ts';

test('a bulk write that the server refused is no outage', () => {
  const cause = { message: 'E11000 duplicate key', code: 11_000, writeErrors: [] };
  const failure = new mongo.MongoBulkWriteError(cause as never, {} as never);

  expect([isOutage(failure), isOutcomeUnknown(failure)]).toEqual([false, false]);
});

test('an error of another library with the code of an election is no outage', () => {
  const unlike = Object.assign(new Error('an errno of another library'), { code: 189 });

  expect([isOutage(unlike), isOutcomeUnknown(unlike)]).toEqual([false, false]);
});
