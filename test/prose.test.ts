import { describe, expect, test } from 'vitest';
import { privateNames } from '../scripts/code/private-names.ts';
import { proseHitsIn, proseHitText } from '../scripts/code/prose.ts';
import { CHECKED_PROSE } from '../scripts/code/prose-rules.ts';
import { readSources } from '../scripts/code/sources.ts';

describe('the words of the repository', () => {
  test.each(CHECKED_PROSE)('the prose of %s has none of the patterns to avoid', (path) => {
    expect(proseHitsIn([path]).map(proseHitText)).toEqual([]);
  });

  test('names in src, bots and jobs use the terms of the glossary', () => {
    const wrong = readSources().flatMap((source) => privateNames(source));
    expect(wrong.map(({ where, name, instead }) => `${where}: “${name}”: write ${instead}`)).toEqual([]);
  });
});
