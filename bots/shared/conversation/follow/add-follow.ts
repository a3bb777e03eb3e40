import type { LastingFilter } from '../../../../src/core/alerts/passes-filter.ts';
import { DAILY_LIMITS } from '../../../../src/core/follow/day-of-person.ts';
import { filterOfCode } from '../../../../src/core/follow/filter-code.ts';
import { FilterPreviews } from '../../../../src/core/follow/filter-preview.ts';
import { parseFilterText } from '../../../../src/core/follow/filter-text.ts';
import type { FollowResult } from '../../../../src/core/follow/follow-service.ts';
import { type Named, namedWords } from '../../../../src/core/follow/followed-text.ts';
import type { FollowSubject } from '../../../../src/core/follow/follower.ts';
import { walletOutlook } from '../../../../src/core/follow/wallet-outlook.ts';
import type { Screen } from '../../screen.ts';
import { staleScreen } from '../buttons.ts';
import type { ConversationDeps, Feature, StepContext } from '../feature.ts';
import { badFilter, noSubject, refusedScreen, savedScreen, startersScreen } from './add-screens.ts';
import { alertedMarket, FollowReads, HIDDEN_WALLET, personOf } from './follow-reads.ts';
import { SeveralFollows } from './follow-several.ts';
import { alertFollows, filterPreview, marketPreview, walletPreview } from './preview-screens.ts';

/** Turns what a person types or taps into a follow; a preview shows what it would bring before it is saved. */
export function addFollow(deps: ConversationDeps): Feature {
  const several = new SeveralFollows(deps);
  const adding = new Adding(deps, several);
  return {
    commands: [
      {
        name: 'follow',
        description: 'Get alerts here: of a wallet, a market, or a filter',
        argument: { name: 'what', description: 'An address, a link, or a filter: politics score 60' },
      },
    ],
    steps: {
      follow: (context) => adding.typed(context),
      follow_all: (context) => several.save(context),
      follow_alert: (context) => adding.alert(context),
      follow_market: (context) => adding.market(context),
      follow_wallet: (context) => adding.wallet(context),
      // With short names, because a filter or an id follows in the 64 bytes of a button.
      fw: (context) => adding.walletOfAlert(context),
      fm: (context) => adding.marketOfAlert(context),
      fv: (context) => adding.previewFilter(context),
      fs: (context) => adding.saveFilter(context),
      fc: (context) => adding.changeFilter(context),
      follow_edit_to: (context) => adding.editFilter(context),
    },
  };
}

class Adding {
  readonly #deps: ConversationDeps;
  readonly #reads: FollowReads;
  readonly #previews: FilterPreviews;
  readonly #several: SeveralFollows;

  constructor(deps: ConversationDeps, several: SeveralFollows) {
    this.#deps = deps;
    this.#several = several;
    this.#reads = new FollowReads(deps);
    this.#previews = new FilterPreviews(deps);
  }

  async typed(context: StepContext): Promise<Screen> {
    const text = context.argument.trim();
    if (text === '') return startersScreen();
    const named = namedWords(text, this.#reads.ownHosts);
    if (named === null) return this.#filter(context, text, null);
    const [first] = named;
    if (named.length === 1 && first !== undefined) return this.#named(context, first.named);
    return this.#several.preview(context, named);
  }

  /** `ID:TEXT`: another filter for a follow, in words. */
  async editFilter(context: StepContext): Promise<Screen> {
    const [id = '', ...text] = context.argument.split(':');
    return this.#filter(context, text.join(':'), id);
  }

  async previewFilter(context: StepContext): Promise<Screen> {
    const { id, filter } = filterAfter(context.argument);
    return filter === null ? staleScreen() : this.#preview(context, filter, id === '' ? null : id);
  }

  async saveFilter(context: StepContext): Promise<Screen> {
    const filter = filterOfCode(context.argument);
    return filter === null ? staleScreen() : this.#save(context, { kind: 'filter', filter });
  }

  async changeFilter(context: StepContext): Promise<Screen> {
    const { id, filter } = filterAfter(context.argument);
    if (filter === null) return staleScreen();
    return this.#saved(context, await this.#deps.follows.change(personOf(context), id, { filter }), false);
  }

  /** What can be followed from an alert. */
  async alert(context: StepContext): Promise<Screen> {
    const alert = await this.#reads.alertOf(context);
    if ('name' in alert) return alert;
    const isHidden = await this.#reads.isHiddenWallet(alert.wallet);
    return alertFollows(alert, { isHidden, now: this.#deps.clock.now() });
  }

  /** The market of an alert, as a link names it. */
  async market(context: StepContext): Promise<Screen> {
    const alert = await this.#reads.alertOf(context);
    if ('name' in alert) return alert;
    const asker = await this.#reads.asker(context.customer);
    const report = await this.#reads.market(alert.marketId, asker);
    return report === null ? staleScreen() : marketPreview(report, this.#deps.clock.now());
  }

  async wallet(context: StepContext): Promise<Screen> {
    const [one] = namedWords(context.argument, []) ?? [];
    if (one?.named.kind !== 'wallet') return staleScreen();
    const subject = await this.#reads.subject(one.named, await this.#reads.asker(context.customer));
    return typeof subject === 'string' ? noSubject(subject) : this.#save(context, subject);
  }

  /** The button under an alert. A wallet that has since become too old is shown with its markets instead. */
  async walletOfAlert(context: StepContext): Promise<Screen> {
    const alert = await this.#reads.alertOf(context);
    if ('name' in alert) return alert;
    const { wallet } = alert;
    if (await this.#reads.isHiddenWallet(wallet)) return noSubject(HIDDEN_WALLET);
    const report = await this.#reads.wallet(wallet, await this.#reads.asker(context.customer));
    const now = this.#deps.clock.now();
    const isOld = report !== null && !walletOutlook(report, now).isFresh;
    return isOld ? walletPreview(wallet, report, now) : this.#save(context, { kind: 'wallet', wallet });
  }

  async marketOfAlert(context: StepContext): Promise<Screen> {
    const alert = await this.#reads.alertOf(context);
    return 'name' in alert ? alert : this.#save(context, alertedMarket(alert));
  }

  #filter(context: StepContext, text: string, edited: string | null): Screen | Promise<Screen> {
    const parsed = parseFilterText(text);
    return parsed.ok ? this.#preview(context, parsed.filter, edited) : badFilter(text, parsed, edited);
  }

  async #preview({ customer }: StepContext, filter: LastingFilter, edited: string | null): Promise<Screen> {
    const { records, clock } = this.#deps;
    const asker = await this.#reads.asker(customer);
    const preview = await this.#previews.of(filter, asker);
    const narrower =
      preview.perDay > DAILY_LIMITS.filters ? await this.#previews.narrower(filter, asker) : null;
    const record = (await records.get())?.report ?? null;
    const { delayMs } = asker;
    return filterPreview(filter, { preview, narrower, delayMs, now: clock.now(), record, edited });
  }

  async #named(context: StepContext, named: Named): Promise<Screen> {
    if (named.kind === 'alert') return this.alert({ ...context, argument: String(named.id) });
    const asker = await this.#reads.asker(context.customer);
    const meant = await this.#reads.meant(named, asker);
    if (typeof meant === 'string') return noSubject(meant, named.kind === 'market' ? named.market : null);
    const [subject, ...others] = meant;
    if (subject === undefined || others.length > 0) return this.#several.choose(context, meant);
    const now = this.#deps.clock.now();
    if (subject.kind === 'wallet')
      return walletPreview(subject.wallet, await this.#reads.wallet(subject.wallet, asker), now);
    const report = await this.#reads.market(subject.marketId, asker);
    return report === null ? staleScreen() : marketPreview(report, now);
  }

  async #save(context: StepContext, subject: FollowSubject): Promise<Screen> {
    return this.#saved(context, await this.#deps.follows.add(personOf(context), subject), true);
  }

  async #saved({ customer }: StepContext, result: FollowResult, isNew: boolean): Promise<Screen> {
    if (!result.ok) return refusedScreen(result);
    const { delayMs } = await this.#reads.asker(customer);
    return savedScreen(result.follow, result.follower, { delayMs, isNew });
  }
}

/** `ID:CODE`: the follow to change, or nothing for a new one, and its filter. */
function filterAfter(argument: string): { readonly id: string; readonly filter: LastingFilter | null } {
  const [id = '', ...code] = argument.split(':');
  return { id, filter: filterOfCode(code.join(':')) };
}
