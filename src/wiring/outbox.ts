import { createPresenter } from '../../bots/shared/posts/create-presenter.ts';
import { ExitReader } from '../core/alerts/exits/exit-reader.ts';
import type { Channel } from '../core/chat/chat-message.ts';
import { PersonalChoices } from '../core/follow/personal-choices.ts';
import { MarketPrices } from '../core/record/prices/market-prices.ts';
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
  const { alerts, hiddenWallets, log, chat, prices } = database;
  return createPresenter({
    alerts,
    hiddenWallets,
    log,
    profileUrlOf,
    clock,
    messages: chat,
    exits: new ExitReader(database),
    prices: new MarketPrices(prices, sourceProgressReader({ config, database }), clock),
    channelDelayMs: postRulesOf(config).delayMs,
    freeDelayMs: config.freeDelayMs,
    siteUrl: channelSiteUrl(config),
    pagesUrl: siteUrlOf(config.server),
    contact: config.server.contact,
  });
}
