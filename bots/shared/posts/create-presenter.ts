import { PLATFORM_LABELS } from '../../../src/core/accounts/customers/customer.ts';
import type { AlertStore } from '../../../src/core/alerts/alert-store.ts';
import type { ExitReader } from '../../../src/core/alerts/exits/exit-reader.ts';
import { type HiddenWallets, hiddenAddresses } from '../../../src/core/alerts/hidden-wallets.ts';
import type { LogStore } from '../../../src/core/alerts/log/log-store.ts';
import type { Clock } from '../../../src/core/base/time/clock.ts';
import type { EpochMs } from '../../../src/core/base/time/duration.ts';
import {
  type Channel,
  type ChatFacts,
  type ChatMessage,
  channelOf,
  isPersonal,
} from '../../../src/core/chat/chat-message.ts';
import type { ChatStore } from '../../../src/core/chat/chat-store.ts';
import { postedOfWallet } from '../../../src/core/chat/same-wallet.ts';
import type { MarketPrices } from '../../../src/core/record/prices/market-prices.ts';
import type { Screen } from '../screen.ts';
import { alertPost } from './alert-post.ts';
import { digestPost } from './digest-post.ts';
import { note } from './notes.ts';
import { personalPost } from './personal-post.ts';
import { POST_STYLES } from './post-style.ts';

interface PresenterDeps {
  readonly alerts: Pick<AlertStore, 'byId' | 'visible' | 'search'>;
  readonly exits: Pick<ExitReader, 'ofList' | 'one'>;
  readonly hiddenWallets: Pick<HiddenWallets, 'list'>;
  readonly log: Pick<LogStore, 'headAt'>;
  readonly messages: Pick<ChatStore, 'byId' | 'toldTo' | 'countResultsBefore' | 'postsOfThread'>;
  readonly prices: Pick<MarketPrices, 'lastOf'>;
  readonly channelDelayMs: number;
  readonly freeDelayMs: number;
  /** Where the pages of alerts are; null if a channel shows alerts that have none yet, or none that people can open. */
  readonly siteUrl: string | null;
  /** The same for messages to people, which say of each alert whether it has a page yet. */
  readonly pagesUrl: string | null;
  /** The page of the bot for people on its platform; null while it is not known. */
  readonly profileUrlOf: (channel: Channel) => string | null;
  /** Where people write to the operator; null if it is not set. */
  readonly contact: string | null;
  readonly clock: Pick<Clock, 'now'>;
}

/** The text of a message as of now; null when there is nothing left to say. Throws what the store throws. */
type Presenter = (message: ChatMessage) => Promise<Screen | null>;

/** Texts of all kinds of messages. A post checks whether its wallet is hidden: without the database no post is made. */
export function createPresenter(deps: PresenterDeps): Presenter {
  const { alerts, exits, hiddenWallets, channelDelayMs, siteUrl, clock } = deps;

  /** `postedAt`: null for an edit. */
  async function post(message: ChatMessage, facts: ChatFacts['alert_result'], postedAt: EpochMs | null) {
    const channel = channelOfPost(message);
    const profileUrl = deps.profileUrlOf(channel);
    // A bot asks for its name at the start, before it can send anything.
    if (POST_STYLES[channel].hasDeepLinks && profileUrl === null)
      throw new Error(`name of the ${PLATFORM_LABELS[channel]} bot unavailable`);
    const until = clock.now() - channelDelayMs;
    const alert = await alerts.visible(facts.alertId, until);
    if (alert === null) return null;
    const isWalletHidden = (await hiddenAddresses(hiddenWallets)).has(alert.wallet);
    const exit = (await exits.ofList([alert], until)).get(alert.id) ?? null;
    const sameWallet = await postedOfWallet(deps, alert, channel);
    const state = { postedAt, isUpdated: facts.isUpdated ?? false, isWalletHidden, sameWallet, exit };
    return alertPost(alert, state, { channel, profileUrl, siteUrl });
  }

  return async (message) => {
    if (isPersonal(message)) return personalPost(message, deps);
    const { kind, facts } = message;
    switch (kind) {
      case 'alert':
        return post(message, facts, clock.now());
      case 'alert_update':
      case 'alert_result':
        return post(message, facts, null);
      case 'daily_digest':
        return digest(channelOfPost(message), facts, deps);
      default:
        return note(kind, facts, { now: clock.now(), contact: deps.contact });
    }
  };
}

async function digest(
  channel: Channel,
  facts: ChatFacts['daily_digest'],
  { alerts, exits, log, siteUrl, channelDelayMs, clock }: PresenterDeps,
): Promise<Screen> {
  const until = clock.now() - channelDelayMs;
  const found = async <Item>(ids: readonly number[], read: (id: number) => Promise<Item | null>) =>
    (await Promise.all(ids.map(read))).filter((item) => item !== null);
  const foundAlerts = (ids: readonly number[]) => found(ids, (id) => alerts.visible(id, until));
  const unposted = await foundAlerts(facts.unposted?.alertIds ?? []);
  const settled = await foundAlerts(facts.changes.settled.map(({ alertId }) => alertId));
  const known = await Promise.all([unposted, settled].map((alerts) => exits.ofList(alerts, until)));
  return digestPost(facts, {
    channel,
    siteUrl,
    unposted,
    settled,
    exitOf: new Map(known.flatMap((exitOf) => [...exitOf])),
    exits: await found(facts.changes.exits, (number) => exits.one(number, until)),
    head: await log.headAt(until),
  });
}

function channelOfPost(message: ChatMessage): Channel {
  const channel = channelOf(message);
  if (channel === undefined) throw new Error(`a message of the kind ${message.kind} is not for a channel`);
  return channel;
}
