import type { SteadyClock } from '../../../src/core/base/time/clock.ts';
import { RequestBudget } from '../../../src/infra/market/polymarket/client/request-budget.ts';
import { silentLogger } from '../silent-logger.ts';

export const budgetOf = (clock: SteadyClock): RequestBudget => new RequestBudget(clock, silentLogger);
