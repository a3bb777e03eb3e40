import { expect, test } from 'vitest';
import { databaseName, shownServer, withoutCredentials } from '../../../src/infra/database/mongo/uri.ts';

test.each([
  ['mongodb://me:s3cret@db.example:27017/tipoff', 'db.example:27017'],
  ['mongodb://me:s3/cr@et@a.example,b.example/tipoff?w=1', 'a.example,b.example'],
  ['mongodb+srv://cluster.example', 'cluster.example'],
])('of %s only the servers are shown', (uri, shown) => {
  expect(shownServer(uri)).toBe(shown);
});

test.each([
  ['mongodb://me:s3cret@host/db', 'Invalid connection string "mongodb://me:s3cret@host/db"'],
  ['mongodb://me:s3%2Fcret@host/db', 'wrong password s3/cret, also s3%2Fcret'],
  ['mongodb://me:s3/cr@et@host/db', 'no host "me:s3/cr@et", password s3/cr@et'],
  ['mongodb://me:100%s3cret@host/db', 'malformed 100%s3cret'],
])('the password of %s is taken out of a message that quotes it', (uri, message) => {
  const clean = withoutCredentials(message, uri);

  expect(clean).toContain('***');
  expect(clean).not.toMatch(/s3.{0,3}cr.{0,1}et/);
});

test('a message about a server without credentials stays as it is', () => {
  expect(withoutCredentials('connect ECONNREFUSED', 'mongodb://host/db')).toBe('connect ECONNREFUSED');
});

test.each([
  ['mongodb://host/alerts?w=1', 'alerts'],
  ['mongodb://host/', 'tipoff'],
  ['mongodb://host', 'tipoff'],
  ['mongodb+srv://me:pw@host/alerts', 'alerts'],
])('the database of %s is %s', (uri, name) => {
  expect(databaseName(uri)).toBe(name);
});
