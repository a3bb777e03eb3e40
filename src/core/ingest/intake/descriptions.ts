import type { LiveRow } from '../../ports/source.ts';
import type { MarketDesk } from './market-desk.ts';

/** A market's row that trades wait for. */
export interface Description {
  /** Whether the waiting is over, with a row or without. */
  readonly isOver: boolean;
  readonly row: LiveRow | null;
}

/** Descriptions asked for, each once for all trades that wait for it. */
export interface Descriptions {
  of(marketId: string): Description;
}

/** Nothing asked for. `onOver`: one has come, or is not waited for any longer. */
export function createDescriptions(desk: MarketDesk, onOver: () => void): Descriptions {
  const asked = new Map<string, Description>();
  return {
    of(marketId) {
      const known = asked.get(marketId);
      if (known !== undefined) return known;
      const description: { isOver: boolean; row: LiveRow | null } = { isOver: false, row: null };
      asked.set(marketId, description);
      void desk.ask(marketId).then((row) => {
        description.row = row;
        description.isOver = true;
        asked.delete(marketId);
        onOver();
      });
      return description;
    },
  };
}
