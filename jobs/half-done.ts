import type { CustomerService } from '../src/core/customers/customer-service.ts';
import { counted, type Job } from './job.ts';
import { everyMinutes } from './schedule.ts';

export interface HalfDoneDeps {
  readonly customers: Pick<CustomerService, 'finishHalfDone'>;
}

/**
 * Ends the merges and removals of customers that a crash left half done. Whoever meets such a customer does so, too; but
 * who had their data removed may never write again, and their keys are not to work until then.
 */
export function halfDone({ customers }: HalfDoneDeps): Job {
  return {
    name: 'half-done',
    schedule: everyMinutes(5),
    run: async () => `${counted(await customers.finishHalfDone(), 'customer')} put in order`,
  };
}
