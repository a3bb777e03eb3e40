import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { EMPTY_LOG, type JsonObject, LOG_KINDS } from '../../../../src/core/alerts/log/log-entry.ts';
import { checkEntry, entryLine, parseEntry, sealEntry } from '../../../../src/core/alerts/log/seal.ts';
import { sha256 } from '../../../../src/infra/secrets/key-crypto.ts';

const AT = Date.UTC(2026, 10, 3, 12, 0, 0, 5);
const DRAFT = { kind: 'rules', key: 'rules:0', epoch: 3, at: AT, body: { version: '4' } } as const;
const FIRST = sealEntry(DRAFT, EMPTY_LOG, sha256);

test('the hash is the SHA-256 of the documented bytes, written here by hand', () => {
  const bytes = `{"at":"2026-11-03T12:00:00.005Z","body":{"version":"4"},"epoch":3,"key":"rules:0","kind":"rules","previous":"${'0'.repeat(64)}","seq":1}`;

  expect(FIRST.hash).toBe(createHash('sha256').update(bytes, 'utf8').digest('hex'));
});

const draft = fc.record({
  kind: fc.constantFrom(...LOG_KINDS),
  key: fc.string(),
  epoch: fc.integer({ min: 3 }),
  at: fc.integer({ min: AT, max: Date.UTC(9999, 11, 31) }),
  body: fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue()).map((body) => body as JsonObject),
});

test('an entry that is read back from its line is whole and extends the log', () => {
  fc.assert(
    fc.property(draft, (written) => {
      const entry = sealEntry(written, FIRST, sha256);
      const read = parseEntry(JSON.parse(entryLine(entry)));

      expect(read).not.toBeNull();
      expect(read && checkEntry(read, FIRST, sha256)).toBeNull();
      expect(read && entryLine(read)).toBe(entryLine(entry));
    }),
  );
});

describe('an entry that does not extend the log is named by what is wrong', () => {
  const second = sealEntry({ ...DRAFT, at: AT + 1 }, FIRST, sha256);

  test.each([
    ['seq', { ...second, seq: 3 }],
    ['previous', { ...second, previous: EMPTY_LOG.hash }],
    ['hash', { ...second, body: { version: '5' } }],
    ['hash', { ...second, at: second.at + 1 }],
    ['hash', { ...second, kind: 'gap' }],
    ['hash', { ...second, key: 'rules:1' }],
    ['hash', { ...second, epoch: 4 }],
    ['hash', { ...second, hash: FIRST.hash }],
    ['at', sealEntry({ ...DRAFT, at: AT - 1 }, FIRST, sha256)],
    ['epoch', sealEntry({ ...DRAFT, epoch: 2 }, FIRST, sha256)],
  ] as const)('%s', (field, entry) => {
    expect(checkEntry(entry, FIRST, sha256)).toMatchObject({ field });
  });

  test('a chain that was hashed again breaks where it meets a head that was seen before', () => {
    const forged = sealEntry({ ...DRAFT, body: { version: '9' } }, EMPTY_LOG, sha256);
    const forgedNext = sealEntry(DRAFT, forged, sha256);

    expect(checkEntry(forgedNext, forged, sha256)).toBeNull();
    expect(checkEntry(forgedNext, FIRST, sha256)).toMatchObject({ field: 'previous' });
  });
});

describe('what is not an entry is refused', () => {
  const shown = JSON.parse(entryLine(FIRST)) as Record<string, unknown>;

  test.each([
    ['an array', []],
    ['null', null],
    ['a field that no hash covers', { ...shown, note: 'x' }],
    ['a missing field', { ...shown, body: undefined }],
    ['a moment in another form', { ...shown, at: '2026-11-03T12:00:00.005+00:00' }],
    ['a moment that is none', { ...shown, at: 'yesterday' }],
    ['a key that is no text', { ...shown, key: 1 }],
    ['an epoch that is not whole', { ...shown, epoch: 0.5 }],
    ['a hash in upper case', { ...shown, hash: FIRST.hash.toUpperCase() }],
    ['a sequence number that is not whole', { ...shown, seq: 1.5 }],
    ['the sequence number 0', { ...shown, seq: 0 }],
    ['a body that is not an object', { ...shown, body: [1] }],
  ])('%s', (_, value) => {
    expect(parseEntry(value)).toBeNull();
  });

  test('a kind that a later version added is read', () => {
    expect(parseEntry({ ...shown, kind: 'later' })).toMatchObject({ kind: 'later' });
  });
});
