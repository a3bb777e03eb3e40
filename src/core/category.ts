/** The contract's categories, in its order. */
export const CATEGORIES = ['crypto', 'politics', 'world', 'tech', 'finance', 'pop_culture', 'other'] as const;
export type Category = (typeof CATEGORIES)[number];
