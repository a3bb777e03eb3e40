import type { SteadyClock } from '../../../src/core/base/time/clock.ts';
import { RequestBudget } from '../../../src/infra/market/polymarket/client/request-budget.ts';
import { silentLogger } from '../silent-logger.ts';

/** A budget of requests, with the pauses of its routes on the same clock. */
export const budgetOf = (clock: SteadyClock): RequestBudget => new RequestBudget(clock, silentLogger);
