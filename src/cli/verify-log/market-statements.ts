import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { UserError } from '../../core/user-error.ts';
import type { MarketStatement } from '../../core/verification/resolution-comparison.ts';
import { paidPayouts, resolutionRowSchema } from '../../infra/polymarket/resolutions/resolution-answers.ts';
import { jsonValues } from './received-alerts.ts';

const rowSchema = resolutionRowSchema.extend({
  resolved_at: z.iso.datetime({ offset: true }).nullable().catch(null),
});
const answerSchema = z.object({ data: z.array(z.unknown()) });

/**
 * The market's own resolutions: rows of `/v2/resolutions` or whole answers, as JSON or JSON lines. Throws a
 * `UserError` that names the first row of another shape.
 */
export async function marketStatements(file: string): Promise<readonly MarketStatement[]> {
  const name = `--resolutions ${file}`;
  const text = await readFile(file, 'utf8').catch((error: Error) => {
    throw new UserError(`${name} cannot be read: ${error.message}`);
  });
  const rows = jsonValues(text, name).flatMap(rowsIn);
  return rows.flatMap((row, index) => {
    const { data } = rowSchema.safeParse(row);
    if (data === undefined)
      throw new UserError(
        `${name}: row ${index + 1} is not a row of /v2/resolutions (condition_id, status, payouts)`,
      );
    const { condition_id: marketId, status, resolved_at } = data;
    const payouts = paidPayouts(status, data.payouts);
    // Resolved without payouts: nothing to compare.
    if (status === 'resolved' && payouts === null) return [];
    return [{ marketId, status, payouts, resolvedAt: resolved_at === null ? null : Date.parse(resolved_at) }];
  });
}

function rowsIn(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return answerSchema.safeParse(value).data?.data ?? [value];
}
