import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeSegment, encodeSegment } from '../../../src/infra/database/archive/segments.ts';

const segments = fc.record(
  {
    columns: fc.uint8Array({ maxLength: 60 }).map((bytes) => new Uint8Array(bytes)),
    facets: fc.array(
      fc.record(
        {
          category: fc.constantFrom('politics', 'crypto'),
          side: fc.constantFrom('BUY', 'SELL'),
          type: fc.constantFrom('fresh', 'cluster'),
        },
        { noNullPrototype: true },
      ),
      { maxLength: 4 },
    ),
    listings: fc.array(fc.string({ unit: 'grapheme' }), { maxLength: 5 }),
    firstListing: fc.nat(),
    lastKey: fc.string({ unit: 'grapheme' }),
  },
  { noNullPrototype: true },
);

test('a segment is read as it was stored', () => {
  fc.assert(
    fc.property(segments, (segment) => {
      expect(decodeSegment(encodeSegment(segment), segment.columns.length)).toEqual(segment);
    }),
  );
});

test('a segment of which a bit was changed, or the end is missing, is not read', () => {
  fc.assert(
    fc.property(segments, fc.nat(), fc.nat({ max: 7 }), (segment, place, bit) => {
      const stored = encodeSegment(segment);
      const at = place % stored.length;
      const damaged = stored.map((byte, index) => (index === at ? byte ^ (1 << bit) : byte));
      expect(decodeSegment(damaged, segment.columns.length)).toBeNull();
      expect(decodeSegment(stored.subarray(0, at), segment.columns.length)).toBeNull();
    }),
  );
});
