/** The name under which the feed's checkpoint is kept. */
export const POLYMARKET = 'polymarket';
