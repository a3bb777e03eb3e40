import { isBadRequest, type UpstreamFault } from './client/market-client.ts';

/** Refusals in a row: four bad ids anywhere among 25 take 10. */
const MOST_REFUSALS = 12;

interface AskedInHalves<Answer> {
  readonly found: ReadonlyMap<string, Answer>;
  readonly refused: readonly string[];
  readonly refusal: UpstreamFault | null;
}

/** Requests ids together; a refused batch is halved. After 12 refusals in a row the rest is refused. */
export async function askInHalves<Answer>(
  ids: readonly string[],
  ask: (ids: readonly string[]) => Promise<ReadonlyMap<string, Answer>>,
): Promise<AskedInHalves<Answer>> {
  const found = new Map<string, Answer>();
  const refused: string[] = [];
  const batches = ids.length === 0 ? [] : [ids];
  let refusal: UpstreamFault | null = null;
  let refusals = 0;
  for (let batch = batches.pop(); batch !== undefined; batch = batches.pop()) {
    try {
      for (const [id, answer] of await ask(batch)) found.set(id, answer);
      refusals = 0;
    } catch (error) {
      if (!isBadRequest(error)) throw error;
      refusal ??= error;
      refusals += 1;
      const half = Math.ceil(batch.length / 2);
      if (batch.length === 1 || refusals >= MOST_REFUSALS) refused.push(...batch);
      else batches.push(batch.slice(half), batch.slice(0, half));
      if (refusals >= MOST_REFUSALS) refused.push(...batches.splice(0).flat());
    }
  }
  return { found, refused, refusal };
}

export function inBatches<T>(items: readonly T[], size: number): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}
