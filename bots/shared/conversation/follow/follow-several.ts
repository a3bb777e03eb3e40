import { LRUCache } from 'lru-cache';
import { counted, cutLine, cutText } from '../../../../src/core/base/text/formats.ts';
import { FOLLOW_LIMITS, subjectKey } from '../../../../src/core/follow/active-follows.ts';
import type { Asker } from '../../../../src/core/follow/filter-preview.ts';
import type { FollowResult } from '../../../../src/core/follow/follow-service.ts';
import { subjectWords } from '../../../../src/core/follow/follow-words.ts';
import type { NamedWord } from '../../../../src/core/follow/followed-text.ts';
import type { MuteSubject } from '../../../../src/core/follow/follower.ts';
import { walletOutlook } from '../../../../src/core/follow/wallet-outlook.ts';
import { plainScreen, type Screen } from '../../screen.ts';
import { FOLLOWS_BUTTON, MENU_BUTTONS, staleScreen } from '../buttons.ts';
import { newRequest } from '../choose-tier.ts';
import type { ConversationDeps, StepContext } from '../feature.ts';
import { TIER_WORDS } from '../words.ts';
import { FollowReads, personOf, SEVERAL_MAX } from './follow-reads.ts';

const WORD_LENGTH = 34;
/** Rows of a screen that one of several takes. */
const CHOICES_MAX = 3;
/** Lists that were shown and can be saved: a button has no room for one. After a restart the list is sent again. */
const SHOWN_KEPT = 1_000;

/** What can be followed, or a line that says why it cannot. */
type Meant = MuteSubject | string;

interface Item {
  readonly line: string;
  /** Null if it cannot be followed, or is already. */
  readonly subject: MuteSubject | null;
}

/** Several wallets and markets at once: a line for each before they are saved, and one for each result. */
export class SeveralFollows {
  readonly #deps: ConversationDeps;
  readonly #reads: FollowReads;
  readonly #shown = new LRUCache<string, readonly MuteSubject[]>({ max: SHOWN_KEPT });

  constructor(deps: ConversationDeps) {
    this.#deps = deps;
    this.#reads = new FollowReads(deps);
  }

  /** All that is named, to be followed at once. */
  async preview(context: StepContext, named: readonly NamedWord[]): Promise<Screen> {
    const asker = await this.#reads.asker(context.customer);
    const meant: Meant[] = [];
    for (const one of named.slice(0, SEVERAL_MAX)) {
      const found = await this.#reads.meant(one.named, asker);
      const reason = `✗ ${cutLine(one.word, WORD_LENGTH)}: ${found}`;
      meant.push(...(typeof found === 'string' ? [reason] : found));
    }
    const rest = named.length - SEVERAL_MAX;
    const more = rest > 0 ? [`and ${rest} more: I take ${SEVERAL_MAX} at once`] : [];
    return this.#screen(context, [...meant, ...more], {
      heading: counted(meant.length, 'item'),
      hasChoice: false,
    });
  }

  /** Asks which of those that one link or address names is meant, or all. */
  choose(context: StepContext, meant: readonly MuteSubject[]): Promise<Screen> {
    const what = meant[0]?.kind === 'market' ? 'markets of that event have alerts' : 'wallets fit that';
    return this.#screen(context, meant, { heading: `${meant.length} ${what}. Which?`, hasChoice: true });
  }

  async #screen(
    context: StepContext,
    meant: readonly Meant[],
    { heading, hasChoice }: { readonly heading: string; readonly hasChoice: boolean },
  ): Promise<Screen> {
    const { customer } = context;
    const asker = await this.#reads.asker(customer);
    const { follows } = await this.#deps.follows.of(personOf(context));
    const known = new Set(follows.map(({ subject }) => subjectKey(subject)));
    const items: Item[] = [];
    for (const one of meant) items.push(await this.#item(one, known, asker));
    const subjects = items.flatMap(({ subject }) => subject ?? []);
    const tier = await this.#deps.follows.tierOf(customer.id);
    const room = Math.max(0, FOLLOW_LIMITS[tier] - follows.length);
    const allowed = room === 0 ? 'no more' : `${room} more: the first ${room}`;
    const limit = subjects.length > room ? [`${TIER_WORDS[tier]} allows ${allowed}.`] : [];
    const request = newRequest(this.#deps.random);
    this.#shown.set(`${customer.id}:${request}`, subjects);
    const count = Math.min(subjects.length, room);
    const save = count === 0 ? [] : [{ label: `Follow ${count}`, action: `follow_all:${request}` }];
    const choices = (hasChoice && room > 0 ? subjects : []).slice(0, CHOICES_MAX).map((subject, index) => ({
      label: nameOf(subject),
      action: `follow_all:${request}:${index}`,
    }));
    return plainScreen(
      'several_preview',
      [[{ bold: heading }], items.map(({ line }) => line).join('\n'), ...limit],
      [...choices.map((choice) => [choice]), [...save, FOLLOWS_BUTTON, MENU_BUTTONS]],
    );
  }

  /**
   * The argument is the request of the list, and perhaps the position of the only one to save. Saving a list twice changes nothing
   * the second time.
   */
  async save(context: StepContext): Promise<Screen> {
    const [request, index] = context.argument.split(':');
    const shown = this.#shown.get(`${context.customer.id}:${request}`);
    if (shown === undefined) return staleScreen();
    const lines: string[] = [];
    for (const subject of index === undefined ? shown : shown.slice(Number(index), Number(index) + 1)) {
      const result = await this.#deps.follows.add(personOf(context), subject);
      lines.push(`${nameOf(subject)}: ${resultWords(result)}`);
    }
    return plainScreen(
      'several_saved',
      [[{ bold: 'Done.' }], lines.join('\n')],
      [[FOLLOWS_BUTTON, MENU_BUTTONS]],
    );
  }

  async #item(subject: Meant, known: ReadonlySet<string>, asker: Asker): Promise<Item> {
    if (typeof subject === 'string') return { line: subject, subject: null };
    if (known.has(subjectKey(subject)))
      return { line: `✓ ${nameOf(subject)}: already followed`, subject: null };
    return { line: `+ ${nameOf(subject)}${await this.#walletWords(subject, asker)}`, subject };
  }

  async #walletWords(subject: MuteSubject, asker: Asker): Promise<string> {
    if (subject.kind === 'market') return '';
    const report = await this.#reads.wallet(subject.wallet, asker);
    if (report === null) return ': no alert yet';
    const { ageDays, isFresh } = walletOutlook(report, this.#deps.clock.now());
    return isFresh
      ? `: ${counted(report.total + report.clusters.total, 'alert')}`
      : `: ${ageDays} days old, only exits and results`;
  }
}

function nameOf(subject: MuteSubject): string {
  return cutText(subjectWords(subject), WORD_LENGTH);
}

function resultWords(result: FollowResult): string {
  if (result.ok || result.reason === 'already_followed') return 'followed';
  return result.reason === 'too_many_follows'
    ? `not followed, ${result.limit} is the maximum`
    : 'not followed';
}
