import { MINUTE_MS } from '../../../src/core/base/time/duration.ts';
import type { Row } from '../../../src/core/trades/trade.ts';
import { judgeAll } from '../../support/judge-rows.ts';
import { START } from '../../support/rows.ts';

export const typesOf = (rows: readonly Row[], isComplete = true) =>
  judgeAll(rows, isComplete).map(({ type }) => type);
export const minutes = (count: number) => START + count * MINUTE_MS;
