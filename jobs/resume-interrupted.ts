import type { CustomerService } from '../src/core/accounts/customers/customer-service.ts';
import { countOf, everyMinutes, type Job } from './schedule.ts';

/**
 * Completes merges and erasures of customers that a crash interrupted. Each read of such a customer does so, too; but an
 * erased customer may never write again, and their keys must end.
 */
export function resumeInterrupted(customers: Pick<CustomerService, 'resumeInterrupted'>): Job {
  return {
    name: 'half-done',
    schedule: everyMinutes(5),
    run: async () => `${countOf(await customers.resumeInterrupted(), 'customer')} put in order`,
  };
}
