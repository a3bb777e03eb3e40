/** Categories of markets, in the order of the contract. */
export const CATEGORIES = ['crypto', 'politics', 'world', 'tech', 'finance', 'pop_culture', 'other'] as const;
export type Category = (typeof CATEGORIES)[number];
