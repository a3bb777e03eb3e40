import type { Category } from '../category.ts';

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

/** The category with the most votes (counts ≥ 0), draws by `DRAW_ORDER`; null without any vote. */
export function mostVotes(votes: (category: Category) => number): Category | null {
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
