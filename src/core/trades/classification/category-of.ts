import type { Category } from '../trade.ts';
import { type CategoryKeywords, KEYWORDS } from './keyword-table.ts';
import { CATEGORY_OF_TAG } from './tag-table.ts';
import { hasPhrase, toWords } from './word-match.ts';

/** What the classifier reads of a market. `category` is Gamma's own text, usually null on newer markets. */
interface Classifiable {
  readonly title: string;
  readonly slug: string;
  /** Tag slugs, any case. */
  readonly tags: readonly string[];
  readonly category: string | null;
}

/**
 * The category of a market (detection.md, "Categories"): from its tags, each mapped tag one vote; else from Gamma's
 * category text; else from keywords of the title, then of the slug; else `other`. Sports are `other`, unless there is also a tag
 * or decisive word of a real category. Pure, and never throws. Costs about 20 µs: meant to be called once per market, not once per trade.
 */
export function categoryOf(market: Classifiable): Category {
  return (
    byTags(market.tags) ??
    byTags([toSlug(market.category ?? '')]) ??
    byTitle(market.title) ??
    byWords(toWords(market.slug)) ??
    'other'
  );
}

function byTags(tags: readonly string[]): Category | null {
  const voices = new Set(tags.map((tag) => tag.trim().toLowerCase()));
  const votes = [...voices].map((tag) => CATEGORY_OF_TAG.get(tag));
  const real = (category: Category) =>
    category === 'other' ? 0 : votes.filter((vote) => vote === category).length;
  return mostVotes(real) ?? (votes.includes('other') ? 'other' : null);
}

// Quoted text is a song, a film or a word that someone may say: it misleads more often than it helps.
function byTitle(title: string): Category | null {
  const unquoted = title.replace(/["“„][^"“”]*["”]/gu, ' ');
  return byWords(toWords(unquoted)) ?? byWords(toWords(title));
}

function byWords(words: string): Category | null {
  const distinct = [...new Set(words.split(' '))];
  const count = (kind: keyof CategoryKeywords) => (category: Category) =>
    distinct
      .flatMap((word) => PHRASES[kind].get(category)?.get(word) ?? [])
      .filter((phrase) => hasPhrase(words, phrase)).length;
  const decided = mostVotes(count('decisive'));
  if (decided !== null) return decided;
  const hints = count('hints');
  // Sports share the names of countries, metals and companies, but not of celebrities.
  if (hints('other') > 0 && hints('pop_culture') === 0) return 'other';
  return mostVotes((category) => {
    const isOnTopic = hints(category) > 0 || count('topics')(category) > 0;
    return hints(category) + (isOnTopic ? count('ambiguous')(category) : 0);
  });
}

function toSlug(text: string): string {
  return toWords(text).trim().replaceAll(' ', '-');
}

/**
 * Order in which ties are decided: categories whose signs rarely occur in unrelated markets come first. `politics`
 * is late because Gamma marks almost everything an office holder touches with it; `other` (sports, weather) never
 * wins over a real category.
 */
const DRAW_ORDER: readonly Category[] = [
  'crypto',
  'finance',
  'pop_culture',
  'world',
  'tech',
  'politics',
  'other',
];

/** Keywords by their first word: a text contains the first words of only a few of a thousand phrases. */
const PHRASES = {
  decisive: phrasesOf('decisive'),
  hints: phrasesOf('hints'),
  ambiguous: phrasesOf('ambiguous'),
  topics: phrasesOf('topics'),
};

function phrasesOf(kind: keyof CategoryKeywords) {
  const firstWord = (phrase: string) => phrase.split(' ', 1)[0];
  return new Map(DRAW_ORDER.map((category) => [category, Map.groupBy(KEYWORDS[category][kind], firstWord)]));
}

/** The category with the most votes (counts ≥ 0), ties by `DRAW_ORDER`; null without any vote. */
function mostVotes(votes: (category: Category) => number): Category | null {
  let winner: Category | null = null;
  let most = 0;
  for (const category of DRAW_ORDER) {
    const count = votes(category);
    if (count > most) {
      winner = category;
      most = count;
    }
  }
  return winner;
}
