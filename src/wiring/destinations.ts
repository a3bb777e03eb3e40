import { ConnectMessenger } from '../../bots/connect/connect-messenger.ts';
import { sendTest } from '../../bots/connect/destination-requests.ts';
import { DestinationService } from '../core/follow/destination-service.ts';
import { FollowService } from '../core/follow/follow-service.ts';
import { isPublicAddress } from '../infra/outgoing/public-address.ts';
import { HttpDestinationClient } from '../infra/outgoing/webhook-sender.ts';
import type { AppContext } from './app-context.ts';

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
