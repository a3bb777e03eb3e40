import { ConnectMessenger } from '../../bots/connect/connect-messenger.ts';
import { sendTest } from '../../bots/connect/destination-requests.ts';
import { createPresenter } from '../../bots/shared/posts/create-presenter.ts';
import { ExitReader } from '../core/alerts/exits/exit-reader.ts';
import type { Channel } from '../core/chat/chat-message.ts';
import { DestinationService } from '../core/follow/destination-service.ts';
import { FollowService } from '../core/follow/follow-service.ts';
import { PersonalChoices } from '../core/follow/personal-choices.ts';
import { MarketPrices } from '../core/record/observations/market-prices.ts';
import { isPublicAddress } from '../infra/outgoing/public-address.ts';
import { HttpDestinationClient } from '../infra/outgoing/webhook-sender.ts';
import type { AppContext } from './app-context.ts';
import { channelSiteUrl, postRulesOf } from './platforms.ts';
import { siteUrlOf } from './public-url.ts';
import { sourceProgressReader } from './record.ts';

type OutboxContext = Pick<AppContext, 'database' | 'config' | 'clock'>;

/** What people are sent of what they follow, wherever it goes. */
export function wirePersonalChoice({ database, clock, config }: OutboxContext): PersonalChoices {
  const { chat, followers, customers, keys, alerts, hiddenWallets } = database;
  const { freeDelayMs } = config;
  return new PersonalChoices({ chat, followers, customers, keys, alerts, hiddenWallets, clock, freeDelayMs });
}

/** The texts of the outbox. `profileUrlOf`: the page of a platform's bot; null while it is not known. */
export function wirePresenter(
  { database, config, clock }: OutboxContext,
  profileUrlOf: (channel: Channel) => string | null = () => null,
) {
  const { alerts, hiddenWallets, log, chat, observations } = database;
  return createPresenter({
    ...{ alerts, hiddenWallets, log, profileUrlOf, clock, messages: chat, exits: new ExitReader(database) },
    prices: new MarketPrices(observations, sourceProgressReader({ config, database }), clock),
    channelDelayMs: postRulesOf(config).delayMs,
    freeDelayMs: config.freeDelayMs,
    siteUrl: channelSiteUrl(config),
    pagesUrl: siteUrlOf(config.server),
    contact: config.server.contact,
  });
}

/** People's own addresses: the service of the conversation, and the messenger that sends to them. */
export function wireDestinations({
  config,
  database,
  customers,
  clock,
  logger,
}: Pick<AppContext, 'config' | 'database' | 'customers' | 'clock' | 'logger'>) {
  const { followers, keys, chat } = database;
  const isPublic = config.webhooks.allowPrivate ? null : isPublicAddress;
  const client = new HttpDestinationClient({ isPublic, clock, logger });
  const destinations = new DestinationService({
    follows: new FollowService({ followers, customers, keys, clock }),
    customers,
    outbox: chat,
    sendTest: (address) => sendTest(client, address),
    isPublic,
    clock,
  });
  return {
    destinations,
    messenger: new ConnectMessenger({ client, destinations, clock, logger }),
    close: () => client.close(),
  };
}
