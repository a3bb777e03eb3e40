import type { Customer, Platform, Visitor } from '../../../src/core/accounts/customers/customer.ts';
import type { CustomerService } from '../../../src/core/accounts/customers/customer-service.ts';
import type { UsageCounts } from '../../../src/core/accounts/keys/usage.ts';
import type { AlertStore } from '../../../src/core/alerts/alert-store.ts';
import type { ExitReader } from '../../../src/core/alerts/exits/exit-reader.ts';
import type { Figures } from '../../../src/core/alerts/figures/figures.ts';
import type { HiddenWallets } from '../../../src/core/alerts/hidden-wallets.ts';
import type { Logger } from '../../../src/core/base/logger.ts';
import type { RandomText } from '../../../src/core/base/random.ts';
import type { Clock } from '../../../src/core/base/time/clock.ts';
import type { OpenQuestions } from '../../../src/core/chat/open-questions.ts';
import type { FollowService } from '../../../src/core/follow/follow-service.ts';
import type { NewestRecord } from '../../../src/core/record/newest-record.ts';
import type { CoverageReport } from '../../../src/core/trades/coverage/coverage-report.ts';
import type { Community } from '../chat-bot.ts';
import type { ChatCommand } from '../conversation.ts';
import type { Screen } from '../screen.ts';

export interface ConversationDeps {
  readonly customers: CustomerService;
  /** Platforms without a community have nothing to join. */
  readonly communities: Partial<Record<Platform, Community>>;
  readonly questions: Pick<OpenQuestions, 'get' | 'put' | 'remove'>;
  /** Removes the messages with keys of a person; returns how many stay. Throws what the store throws. */
  readonly removeKeyMessages: (person: Visitor) => Promise<number>;
  readonly usage: Pick<UsageCounts, 'get'>;
  readonly follows: FollowService;
  readonly alerts: Pick<
    AlertStore,
    | ('latest' | 'byId' | 'visible' | 'search' | 'ofMarket' | 'walletReport' | 'marketReport')
    | ('marketOfSlug' | 'marketsOfEvent' | 'walletsNamed')
  >;
  readonly exits: Pick<ExitReader, 'ofAlert' | 'ofList'>;
  readonly figures: Pick<Figures, 'hotMarkets' | 'stats' | 'preview'>;
  readonly hiddenWallets: Pick<HiddenWallets, 'list'>;
  readonly records: Pick<NewestRecord, 'get'>;
  readonly feed: ObservedFeed;
  readonly random: RandomText;
  readonly clock: Pick<Clock, 'now'>;
  readonly logger: Pick<Logger, 'error'>;
  /** Public address of the API, without a trailing slash. */
  readonly publicUrl: string;
  /** Where the pages of alerts are, without a trailing slash; null where people cannot open them. */
  readonly siteUrl: string | null;
  /** Where people write to the operator, `mailto:` or `https:`; null if it is not set. */
  readonly contact: string | null;
  readonly freeDelayMs: number;
}

/** The record of the live feed; `isLive`: false where trades come from a tape. */
export interface ObservedFeed {
  readonly isLive: boolean;
  readonly report: Pick<CoverageReport, 'view' | 'summarise'>;
}

/** Person and argument of a step. The argument is untrusted input. */
export interface StepContext {
  readonly visitor: Visitor;
  readonly customer: Customer;
  readonly argument: string;
}

export type Step = (context: StepContext) => Screen | Promise<Screen>;

/** A part of the conversation. An action is `STEP` or `STEP:ARGUMENT`. */
export interface Feature {
  /** Each is the name of a step, too. */
  readonly commands?: readonly ChatCommand[];
  readonly steps: Readonly<Record<string, Step>>;
}

export function chatCommand(name: string, description: string): ChatCommand {
  return { name, description, argument: null };
}
