import { describe, expect, it } from 'vitest';
import { KEYWORDS } from '../../../../src/core/trades/classification/keyword-table.ts';
import { CATEGORY_OF_TAG, SPORTS_TAGS } from '../../../../src/core/trades/classification/tag-table.ts';
import { toWords } from '../../../../src/core/trades/classification/word-match.ts';
import { CATEGORIES } from '../../../../src/core/trades/trade.ts';

const phrases = CATEGORIES.flatMap((category) =>
  (['decisive', 'hints', 'ambiguous'] as const).flatMap((kind) =>
    KEYWORDS[category][kind].map((phrase) => ({ category, phrase })),
  ),
);

describe('keyword table', () => {
  it('holds every phrase in the form titles are compared in, so that each can match', () => {
    const topics = CATEGORIES.flatMap((category) =>
      KEYWORDS[category].topics.map((phrase) => ({ category, phrase })),
    );
    const dead = [...phrases, ...topics].filter(
      ({ phrase }) => phrase === '' || toWords(phrase) !== ` ${phrase} `,
    );
    expect(dead).toEqual([]);
  });

  it('gives a phrase to one category only', () => {
    const owners = Map.groupBy(phrases, ({ phrase }) => phrase);
    expect([...owners.values()].filter((own) => own.length > 1)).toEqual([]);
  });
});

describe('tag table', () => {
  it('holds slugs in lower case', () => {
    const odd = [...CATEGORY_OF_TAG.keys()].filter((tag) => !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(tag));
    expect(odd).toEqual([]);
  });

  it('says other of every sports tag', () => {
    expect([...SPORTS_TAGS].filter((tag) => CATEGORY_OF_TAG.get(tag) !== 'other')).toEqual([]);
  });
});
