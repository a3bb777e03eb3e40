import { LRUCache } from 'lru-cache';
import { counted, oneLine } from '../../../../src/core/base/text/formats.ts';
import { FOLLOW_LIMITS, subjectKey } from '../../../../src/core/follow/active-follows.ts';
import type { Asker } from '../../../../src/core/follow/filter-preview.ts';
import type { FollowResult } from '../../../../src/core/follow/follow-service.ts';
import { subjectWords } from '../../../../src/core/follow/follow-words.ts';
import type { NamedWord } from '../../../../src/core/follow/followed-text.ts';
import type { MuteSubject } from '../../../../src/core/follow/follower.ts';
import { walletOutlook } from '../../../../src/core/follow/wallet-outlook.ts';
import { plainScreen, type Screen, shortened } from '../../screen.ts';
import { FOLLOWS_BUTTON, MENU_BUTTONS, staleScreen } from '../buttons.ts';
import { newRequest } from '../choose-tier.ts';
import type { ConversationDeps, StepContext } from '../feature.ts';
import { TIER_WORDS } from '../words.ts';
import { FollowReads, personOf } from './follow-reads.ts';

const SEVERAL_MAX = 25;
const WORD_LENGTH = 34;
/** Lists that were shown and can be saved: a button has no room for one. After a restart the list is sent again. */
const SHOWN_KEPT = 1_000;

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

  async preview(context: StepContext, named: readonly NamedWord[]): Promise<Screen> {
    const { customer } = context;
    const asker = await this.#reads.asker(customer);
    const { follows } = await this.#deps.follows.of(personOf(context));
    const known = new Set(follows.map(({ subject }) => subjectKey(subject)));
    const items: Item[] = [];
    for (const one of named.slice(0, SEVERAL_MAX)) items.push(await this.#item(one, known, asker));
    const subjects = items.flatMap(({ subject }) => subject ?? []);
    const tier = await this.#deps.follows.tierOf(customer.id);
    const room = Math.max(0, FOLLOW_LIMITS[tier] - follows.length);
    const rest = named.length - SEVERAL_MAX;
    const lines = [
      ...items.map(({ line }) => line),
      ...(rest > 0 ? [`and ${rest} more: I take ${SEVERAL_MAX} at once`] : []),
    ];
    const allowed = room === 0 ? 'no more' : `${room} more: the first ${room}`;
    const limit = subjects.length > room ? [`${TIER_WORDS[tier]} allows ${allowed}.`] : [];
    const request = newRequest(this.#deps.random);
    this.#shown.set(`${customer.id}:${request}`, subjects);
    const count = Math.min(subjects.length, room);
    const save = count === 0 ? [] : [{ label: `Follow ${count}`, action: `follow_all:${request}` }];
    return plainScreen(
      'several_preview',
      [[{ bold: counted(items.length, 'item') }], lines.join('\n'), ...limit],
      [[...save, FOLLOWS_BUTTON, MENU_BUTTONS]],
    );
  }

  /** The argument is the request of the list. Saving a list twice changes nothing the second time. */
  async save(context: StepContext): Promise<Screen> {
    const subjects = this.#shown.get(`${context.customer.id}:${context.argument}`);
    if (subjects === undefined) return staleScreen();
    const lines: string[] = [];
    for (const subject of subjects) {
      const result = await this.#deps.follows.add(personOf(context), subject);
      lines.push(`${nameOf(subject)}: ${resultWords(result)}`);
    }
    return plainScreen(
      'several_saved',
      [[{ bold: 'Done.' }], lines.join('\n')],
      [[FOLLOWS_BUTTON, MENU_BUTTONS]],
    );
  }

  async #item({ word, named }: NamedWord, known: ReadonlySet<string>, asker: Asker): Promise<Item> {
    const subject = await this.#reads.subject(named, asker);
    if (typeof subject === 'string')
      return { line: `✗ ${shortened(oneLine(word), WORD_LENGTH)}: ${subject}`, subject: null };
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
  return shortened(subjectWords(subject), WORD_LENGTH);
}

function resultWords(result: FollowResult): string {
  if (result.ok || result.reason === 'already_followed') return 'followed';
  return result.reason === 'too_many_follows'
    ? `not followed, ${result.limit} is the maximum`
    : 'not followed';
}
