import type { CustomerService } from '../src/core/customers/customer-service.ts';
import { countOf, type Job } from './job.ts';
import { everyMinutes } from './schedule.ts';

export interface ResumeInterruptedDeps {
  readonly customers: Pick<CustomerService, 'resumeInterrupted'>;
}

/**
 * Ends the merges and removals of customers that a crash left half done. Whoever meets such a customer does so, too; but
 * who had their data removed may never write again, and their keys are not to work until then.
 */
export function resumeInterrupted({ customers }: ResumeInterruptedDeps): Job {
  return {
    name: 'half-done',
    schedule: everyMinutes(5),
    run: async () => `${countOf(await customers.resumeInterrupted(), 'customer')} put in order`,
  };
}
