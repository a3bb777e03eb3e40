import type { Visitor } from '../../src/core/accounts/customers/customer.ts';
import type { CustomerService } from '../../src/core/accounts/customers/customer-service.ts';
import type { AlertStore } from '../../src/core/alerts/alert-store.ts';
import type { Withdrawal as AlertWithdrawal } from '../../src/core/alerts/withdrawal.ts';
import type { Logger } from '../../src/core/base/logger.ts';
import type { RandomText } from '../../src/core/base/random.ts';
import type { Clock } from '../../src/core/base/time/clock.ts';
import type { Channel } from '../../src/core/chat/chat-message.ts';
import type { Withdrawal } from '../../src/core/chat/withdraw.ts';
import type { Database } from '../../src/core/database.ts';
import type { RequestSender } from '../../src/core/operations/operator-request.ts';

export interface OperatorId {
  readonly platform: 'telegram' | 'discord' | 'discord-role';
  readonly id: string;
}

export interface ConsoleDeps {
  readonly adminIds: readonly OperatorId[];
  readonly database: Pick<
    Database,
    | 'audit'
    | 'chat'
    | 'deliveries'
    | 'exits'
    | 'followers'
    | 'hiddenWallets'
    | 'jobRuns'
    | 'keyMessages'
    | 'keys'
    | 'operatorAlarms'
    | 'pauses'
    | 'usage'
    | 'webhooks'
    | 'worker'
  >;
  readonly alerts: Pick<AlertStore, 'byId' | 'search' | 'stats'>;
  readonly customers: CustomerService;
  /** Removes the messages with keys of a person from the bots of this process; returns how many are known to stay. */
  readonly removeKeyMessages: (person: Visitor) => Promise<number>;
  /** Takes acts to the worker; null in the worker itself. */
  readonly requests: Pick<RequestSender, 'send'> | null;
  readonly jobNames: readonly string[];
  /** Withdraws the messages that show an alert; a sent one needs the platform's bot in this process. */
  readonly withdraw: (alertId: number) => Promise<readonly Withdrawal[]>;
  /** Enters in the log that an alert was withdrawn. */
  readonly markWithdrawn: (withdrawal: AlertWithdrawal) => Promise<void>;
  readonly platforms: readonly Channel[];
  readonly random: RandomText;
  readonly clock: Pick<Clock, 'now'>;
  readonly logger: Logger;
}
