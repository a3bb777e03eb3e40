import { expect, test } from 'vitest';
import { mongoFailure } from '../../../src/infra/database/mongo/open-failure.ts';

const URI = 'mongodb://me:hunter2@db.example:27017/alerts';

/** As the driver throws it. */
const errorOf = (name: string, message: string, code?: number) =>
  Object.assign(new Error(message), { name, ...(code !== undefined && { code }) });

test.each([
  [18, 'Authentication failed.'],
  [13, 'command find requires authentication'],
  [13, 'not authorized on alerts to execute command { create: "alerts", writeConcern: { w: "majority" } }'],
])('a user that MongoDB refuses must be changed first: code %d, %s', (code, message) => {
  const failure = mongoFailure(errorOf('MongoServerError', message, code), URI);

  expect(failure).toMatchObject({ name: 'UserError' });
  expect(String(failure)).toContain(
    'DATABASE_URL: MongoDB at db.example:27017 refuses the user (' +
      message.replace(/ to execute.*/, '') +
      '). ',
  );
  expect(String(failure)).toContain('may read and write the database alerts.');
});

test('a server that does not answer may answer later; its line has no password', () => {
  const failure = mongoFailure(
    errorOf('MongooseServerSelectionError', `connect ECONNREFUSED (me:hunter2@db.example)`),
    URI,
  );

  expect(failure).toMatchObject({
    name: 'DatabaseUnavailable',
    message:
      'DATABASE_URL: MongoDB at db.example:27017 does not answer (connect ECONNREFUSED (***@db.example)). Start it, or correct the URL.',
  });
});

test('a certificate that does not fit must be changed first', () => {
  const failure = mongoFailure(errorOf('MongoServerSelectionError', 'self-signed certificate'), URI);

  expect(failure).toMatchObject({ name: 'UserError', message: expect.stringContaining('TLS options') });
});

test('another error stays as it is', () => {
  const error = errorOf('MongoServerError', 'E11000 duplicate key', 11_000);

  expect(mongoFailure(error, URI)).toBe(error);
});
