import type { Alert } from '../alerts/alert.ts';
import { type LastingFilter, passesFilter } from '../alerts/passes-filter.ts';
import { readSearch } from '../alerts/search-text.ts';
import { concernedWallets, subjectKey } from './active-follows.ts';
import type { Follower, FollowSubject } from './follower.ts';

/** Characters of the part of a rule's words under which it is found. */
const GRAM_LENGTH = 3;

/** A filter that one or more people follow. */
interface Rule {
  readonly filter: LastingFilter;
  readonly people: Set<string>;
  readonly buckets: readonly string[];
}

/**
 * Who may follow an alert, in memory. It looks only at rules that fit the alert's type, category and side, or whose words partly
 * occur in its text. Each filter is checked once for all who follow it. It knows neither tiers nor mutes: the people it returns
 * are read again before anything is sent.
 */
export class MatchIndex {
  /** What each person's row was when it was indexed. */
  readonly #people = new Map<string, Pick<Follower, 'version' | 'changedAt' | 'follows'>>();
  /** People by a wallet or a market. */
  readonly #subjects = new Map<string, Set<string>>();
  readonly #rules = new Map<string, Rule>();
  /** Rules by their type, category and side; those with words by one part of these. */
  readonly #buckets = new Map<string, Set<Rule>>();

  /** Number of people. */
  get size(): number {
    return this.#people.size;
  }

  /** Replaces what is known about a person. What they paused matches nothing. */
  set({ customerId, follows, version, changedAt }: Follower): void {
    const known = this.#people.get(customerId);
    // A row that was removed and created again repeats the same versions.
    if (known?.version === version && known.changedAt === changedAt) return;
    this.remove(customerId);
    this.#people.set(customerId, { version, changedAt, follows });
    for (const { subject, isPaused } of follows) if (!isPaused) this.#add(subject, customerId);
  }

  remove(customerId: string): void {
    const known = this.#people.get(customerId);
    if (known === undefined) return;
    this.#people.delete(customerId);
    for (const { subject, isPaused } of known.follows) if (!isPaused) this.#remove(subject, customerId);
  }

  /** The people with a follow that the alert matches, each once. */
  candidates(alert: Alert): ReadonlySet<string> {
    const found = new Set(this.followersOf({ wallets: concernedWallets(alert), marketId: alert.marketId }));
    const buckets = new Set([...facetsOf(alert), ...gramsIn(alert)]);
    for (const bucket of buckets)
      for (const { filter, people } of this.#buckets.get(bucket) ?? [])
        if (passesFilter(alert, filter)) for (const customerId of people) found.add(customerId);
    return found;
  }

  /** The people who follow one of the wallets, or the market, each once. */
  followersOf(about: { readonly wallets: readonly string[]; readonly marketId: string }): Set<string> {
    const keys = [`market:${about.marketId}`, ...about.wallets.map((wallet) => `wallet:${wallet}`)];
    return new Set(keys.flatMap((key) => [...(this.#subjects.get(key) ?? [])]));
  }

  #add(subject: FollowSubject, customerId: string): void {
    const key = subjectKey(subject);
    if (subject.kind === 'filter') this.#addRule(key, subject.filter, customerId);
    else addTo(this.#subjects, key, customerId);
  }

  #remove(subject: FollowSubject, customerId: string): void {
    const key = subjectKey(subject);
    if (subject.kind === 'filter') this.#removeRule(key, customerId);
    else removeFrom(this.#subjects, key, customerId);
  }

  #addRule(key: string, filter: LastingFilter, customerId: string): void {
    const rule = this.#rules.get(key) ?? { filter, people: new Set(), buckets: this.#bucketsFor(filter) };
    this.#rules.set(key, rule);
    rule.people.add(customerId);
    for (const bucket of rule.buckets) addTo(this.#buckets, bucket, rule);
  }

  #removeRule(key: string, customerId: string): void {
    const rule = this.#rules.get(key);
    rule?.people.delete(customerId);
    if (rule === undefined || rule.people.size > 0) return;
    this.#rules.delete(key);
    for (const bucket of rule.buckets) removeFrom(this.#buckets, bucket, rule);
  }

  /**
   * For rules with words: the part of the words that the fewest rules have so far, so that common beginnings do not collect many
   * rules.
   */
  #bucketsFor({ search = '', type, category, categories, side }: LastingFilter): readonly string[] {
    const grams = textsIn(search).flatMap(gramsOf);
    const sizeOf = (gram: string) => this.#buckets.get(gram)?.size ?? 0;
    if (grams.length > 0)
      return [grams.reduce((least, gram) => (sizeOf(gram) < sizeOf(least) ? gram : least))];
    const named = category === undefined ? (categories ?? [ANY]) : [category];
    return [...new Set(named)].map((each) => facetKey(type ?? ANY, each, side ?? ANY));
  }
}

/** In place of a facet: any. */
const ANY = '';

function facetKey(type: string, category: string, side: string): string {
  return `facets:${type}|${category}|${side}`;
}

/** The buckets of the rules whose type, category and side an alert fulfils. */
function facetsOf({ type, category, side }: Alert): readonly string[] {
  return [type, ANY].flatMap((ofType) =>
    [category, ANY].flatMap((ofCategory) =>
      [side, ANY].map((ofSide) => facetKey(ofType, ofCategory, ofSide)),
    ),
  );
}

/** The buckets of the rules whose words an alert may contain. */
function gramsIn({ eventTitle, eventSlug, marketEvent, wallet }: Alert): readonly string[] {
  return [eventTitle.toLowerCase(), eventSlug.toLowerCase(), marketEvent ?? '', wallet].flatMap(gramsOf);
}

/** Texts that the title, a slug or the wallet of every alert found by a search contains; none where an id may do. */
function textsIn(search: string): readonly string[] {
  const searched = readSearch(search);
  if (searched.kind === 'words') return searched.words;
  if (searched.kind === 'wallet') return [searched.ends.start];
  return searched.kind === 'alert' || searched.event === null ? [] : [searched.market ?? searched.event];
}

/** None for a text that is shorter than one. */
function gramsOf(text: string): readonly string[] {
  const count = Math.max(0, text.length - GRAM_LENGTH + 1);
  return Array.from({ length: count }, (_, at) => text.slice(at, at + GRAM_LENGTH));
}

function addTo<Member>(sets: Map<string, Set<Member>>, key: string, member: Member): void {
  const set = sets.get(key) ?? new Set();
  sets.set(key, set.add(member));
}

function removeFrom<Member>(sets: Map<string, Set<Member>>, key: string, member: Member): void {
  const set = sets.get(key);
  set?.delete(member);
  if (set?.size === 0) sets.delete(key);
}
