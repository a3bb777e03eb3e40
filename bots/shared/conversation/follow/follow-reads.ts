import type { Customer } from '../../../../src/core/accounts/customers/customer.ts';
import type { Alert } from '../../../../src/core/alerts/alert.ts';
import type { AddressEnds, ReportQuery } from '../../../../src/core/alerts/alert-store.ts';
import { hiddenAddresses } from '../../../../src/core/alerts/hidden-wallets.ts';
import type { MarketReport } from '../../../../src/core/alerts/market-report.ts';
import { meantMarkets } from '../../../../src/core/alerts/meant-markets.ts';
import type { PastedMarket } from '../../../../src/core/alerts/pasted.ts';
import type { WalletReport } from '../../../../src/core/alerts/wallet-report.ts';
import { listed } from '../../../../src/core/base/text/formats.ts';
import type { Asker } from '../../../../src/core/follow/filter-preview.ts';
import type { FollowPerson } from '../../../../src/core/follow/follow-service.ts';
import type { Named } from '../../../../src/core/follow/followed-text.ts';
import type { MuteSubject } from '../../../../src/core/follow/follower.ts';
import type { Screen } from '../../screen.ts';
import { alertIdOf } from '../alert-details.ts';
import { staleScreen } from '../buttons.ts';
import type { ConversationDeps, StepContext } from '../feature.ts';
import { alertDelay } from '../last-alerts.ts';
import { noSubject } from './add-screens.ts';

/** Alerts of a wallet that are read to find its positions, and of a market to show some. */
const ALERTS_READ = 100;
const NEWEST_READ = 3;
const ADDRESS_LENGTH = 42;
/** Wallets, or markets of an event, that one word names. */
export const SEVERAL_MAX = 25;

export const HIDDEN_WALLET = 'That wallet is hidden here, and cannot be followed.';

/** Alerts, wallets and markets as a person may see them: an alert inside their delay does not exist for them. */
export class FollowReads {
  /** Those of our pages. */
  readonly ownHosts: readonly string[];
  readonly #deps: ConversationDeps;

  constructor(deps: ConversationDeps) {
    this.#deps = deps;
    this.ownHosts = [deps.publicUrl, deps.siteUrl].flatMap((url) => URL.parse(url ?? '')?.host ?? []);
  }

  async asker(customer: Customer): Promise<Asker> {
    return { delayMs: await alertDelay(customer, this.#deps) };
  }

  alert(id: number, { delayMs }: Asker): Promise<Alert | null> {
    const { until = Number.POSITIVE_INFINITY } = this.#query(delayMs, 1);
    return this.#deps.alerts.visible(id, until);
  }

  /** The alert that a step's argument names, or the screen without one. */
  async alertOf({ customer, argument }: StepContext): Promise<Alert | Screen> {
    const id = alertIdOf(argument);
    if (id === null) return staleScreen();
    return (await this.alert(id, await this.asker(customer))) ?? noSubject(noAlertWords(id));
  }

  wallet(address: string, { delayMs }: Asker): Promise<WalletReport | null> {
    return this.#deps.alerts.walletReport(address, this.#query(delayMs, ALERTS_READ));
  }

  market(marketId: string, { delayMs }: Asker): Promise<MarketReport | null> {
    return this.#deps.alerts.marketReport(marketId, this.#query(delayMs, NEWEST_READ));
  }

  /**
   * What a word refers to: a wallet, a market, or several of them, of an event or of a shortened address; for an alert its wallet,
   * if that can be followed. A text says why there is none.
   */
  async meant(named: Named, asker: Asker): Promise<readonly MuteSubject[] | string> {
    switch (named.kind) {
      case 'wrong':
        return named.why;
      case 'wallet':
        return this.#wallets(named.ends, asker);
      case 'market':
        return this.#markets(named, asker);
      case 'alert': {
        const alert = await this.alert(named.id, asker);
        if (alert === null) return noAlertWords(named.id);
        const isMarket = alert.type === 'cluster' || (await this.isHiddenWallet(alert.wallet));
        return [isMarket ? alertedMarket(alert) : { kind: 'wallet', wallet: alert.wallet }];
      }
    }
  }

  /** The only one that a word refers to, or a text that asks for one. */
  async subject(named: Named, asker: Asker): Promise<MuteSubject | string> {
    const meant = await this.meant(named, asker);
    if (typeof meant === 'string') return meant;
    const [only, ...others] = meant;
    return only !== undefined && others.length === 0 ? only : whichOne(meant);
  }

  async #wallets(ends: AddressEnds, { delayMs }: Asker): Promise<readonly MuteSubject[] | string> {
    const hidden = await hiddenAddresses(this.#deps.hiddenWallets);
    if (ends.start.length === ADDRESS_LENGTH)
      return hidden.has(ends.start) ? HIDDEN_WALLET : [{ kind: 'wallet', wallet: ends.start }];
    const query = this.#query(delayMs, SEVERAL_MAX + hidden.size);
    const found = await this.#deps.alerts.walletsNamed(ends, query);
    const wallets = found.filter((wallet) => !hidden.has(wallet)).slice(0, SEVERAL_MAX);
    const none = 'I have no alert about a wallet with such an address. Send me all of it.';
    return wallets.length === 0 ? none : wallets.map((wallet) => ({ kind: 'wallet', wallet }));
  }

  async #markets(named: PastedMarket, asker: Asker): Promise<readonly MuteSubject[] | string> {
    const bound = this.#query(asker.delayMs, SEVERAL_MAX);
    const { ids, isOther } = await meantMarkets(named, this.#deps.alerts, bound);
    const reports = await Promise.all(ids.map((marketId) => this.market(marketId, asker)));
    const markets = reports.flatMap((report) => (report === null ? [] : [alertedMarket(report.newest)]));
    if (markets.length === 0) return 'I have no alert about that market.';
    return isOther ? `I have no alert about that market. ${whichOne(markets)}` : markets;
  }

  async isHiddenWallet(wallet: string): Promise<boolean> {
    return (await hiddenAddresses(this.#deps.hiddenWallets)).has(wallet);
  }

  #query(delayMs: number, limit: number): ReportQuery {
    return delayMs === 0 ? { limit } : { limit, until: this.#deps.clock.now() - delayMs };
  }
}

/** Asks for one of several markets of an event, or of several wallets. */
function whichOne(meant: readonly MuteSubject[]): string {
  const names = meant.map((subject) => (subject.kind === 'market' ? subject.slug : subject.wallet));
  const [what, several] =
    meant[0]?.kind === 'market' ? ['Of its event', 'markets have'] : ['Of such wallets', 'have'];
  return `${what}, these ${several} alerts: ${listed(names)}. Send me one.`;
}

function noAlertWords(id: number): string {
  return `I have no alert ${id} for you.`;
}

export function personOf({ visitor, customer }: Pick<StepContext, 'visitor' | 'customer'>): FollowPerson {
  return { customerId: customer.id, platform: visitor.platform };
}

export function alertedMarket({ marketId, eventTitle, eventSlug }: Alert): MuteSubject & { kind: 'market' } {
  return { kind: 'market', marketId, title: eventTitle, slug: eventSlug };
}

/** The answer to a person who could not be reached: if they follow something, it says once, first, that they were paused. */
export async function afterPause(
  screen: Screen,
  follows: ConversationDeps['follows'],
  context: Pick<StepContext, 'visitor' | 'customer'>,
): Promise<Screen> {
  const follower = await follows.of(personOf(context));
  if (follower.follows.length === 0) return screen;
  const how =
    context.visitor.platform === 'discord'
      ? 'Discord refused them: allow direct messages from members of our server.'
      : 'You had blocked me here.';
  const words = `Your messages were paused, because I could not reach you. ${how} They resume now; /alerts shows the last ones.`;
  return { ...screen, body: [[words], ...screen.body] };
}
