import type { Alert } from '../alerts/alert.ts';
import { type LastingFilter, passesFilter } from '../alerts/passes-filter.ts';
import { subjectKey } from './active-follows.ts';
import type { Follower, FollowSubject } from './follower.ts';
import { concernedWallets } from './matching.ts';

/** Characters of a rule's words under which it is found. */
const GRAM_LENGTH = 3;

/** A filter that one or more people follow. */
interface Rule {
  readonly filter: LastingFilter;
  readonly people: Set<string>;
}

/** Rules with the same facets and least score, in the order of their least dollars. */
type Bucket = Map<number, Rule[]>;

/**
 * Who may follow an alert, in memory. It touches only rules whose type, category, side, least score and least dollars an alert
 * fulfils, or whose words begin in its text, and each filter once for all who follow it. It knows neither tiers nor mutes: whom
 * it names is read again before anything is sent.
 */
export class MatchIndex {
  /** What each person's row was when it was indexed. */
  readonly #people = new Map<string, Pick<Follower, 'version' | 'changedAt' | 'follows'>>();
  /** People by a wallet or a market. */
  readonly #subjects = new Map<string, Set<string>>();
  readonly #rules = new Map<string, Rule>();
  /** Rules without words, by their facets. */
  readonly #buckets = new Map<string, Bucket>();
  /** Rules with words, by the length and the text of one part of these. */
  readonly #grams = new Map<number, Map<string, Set<Rule>>>();

  /** Number of people. */
  get size(): number {
    return this.#people.size;
  }

  /** Replaces what is known of a person. What they paused matches nothing. */
  set({ customerId, follows, version, changedAt }: Follower): void {
    const known = this.#people.get(customerId);
    // A row that was removed and made again has the same versions once more.
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
    for (const { filter, people } of [...this.#byFacets(alert), ...this.#byWords(alert)])
      if (passesFilter(alert, filter)) for (const customerId of people) found.add(customerId);
    return found;
  }

  /** The people who follow one of the wallets, or the market, each once. */
  followersOf(about: { readonly wallets: readonly string[]; readonly marketId: string }): Set<string> {
    const keys = [`market:${about.marketId}`, ...about.wallets.map((wallet) => `wallet:${wallet}`)];
    return new Set(keys.flatMap((key) => [...(this.#subjects.get(key) ?? [])]));
  }

  *#byFacets({ type, category, side, score, usdc }: Alert): Generator<Rule> {
    for (const ofType of [type, ANY])
      for (const ofCategory of [category, ANY])
        for (const ofSide of [side, ANY])
          for (const [minScore, rules] of this.#buckets.get(facetKey(ofType, ofCategory, ofSide)) ?? [])
            if (minScore <= score) yield* rules.slice(0, firstAtLeast(rules, usdc));
  }

  #byWords({ eventTitle, eventSlug, wallet }: Alert): ReadonlySet<Rule> {
    const found = new Set<Rule>();
    for (const [length, rules] of this.#grams)
      for (const text of [eventTitle.toLowerCase(), eventSlug.toLowerCase(), wallet])
        for (let at = 0; at + length <= text.length; at += 1)
          for (const rule of rules.get(text.slice(at, at + length)) ?? []) found.add(rule);
    return found;
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
    const known = this.#rules.get(key);
    const rule = known ?? { filter, people: new Set() };
    rule.people.add(customerId);
    if (known !== undefined) return;
    this.#rules.set(key, rule);
    if (wordsOf(rule) === '') this.#addToBuckets(rule);
    else this.#addToGrams(rule);
  }

  #removeRule(key: string, customerId: string): void {
    const rule = this.#rules.get(key);
    rule?.people.delete(customerId);
    if (rule === undefined || rule.people.size > 0) return;
    this.#rules.delete(key);
    if (wordsOf(rule) === '') this.#removeFromBuckets(rule);
    else this.#removeFromGrams(rule);
  }

  #addToBuckets(rule: Rule): void {
    for (const key of facetKeys(rule)) {
      const bucket = this.#buckets.get(key) ?? new Map<number, Rule[]>();
      this.#buckets.set(key, bucket);
      const { minScore = 0 } = rule.filter;
      const rules = bucket.get(minScore) ?? [];
      bucket.set(minScore, rules.toSpliced(firstAtLeast(rules, minUsdcOf(rule)), 0, rule));
    }
  }

  #removeFromBuckets(rule: Rule): void {
    for (const key of facetKeys(rule)) {
      const bucket = this.#buckets.get(key);
      const { minScore = 0 } = rule.filter;
      const left = bucket?.get(minScore)?.filter((other) => other !== rule) ?? [];
      if (left.length > 0) bucket?.set(minScore, left);
      else bucket?.delete(minScore);
      if (bucket?.size === 0) this.#buckets.delete(key);
    }
  }

  /** Under the part that the fewest rules have so far, so that common beginnings collect none. */
  #addToGrams(rule: Rule): void {
    const grams = gramsOf(rule);
    const length = grams[0]?.length ?? 0;
    const rules = this.#grams.get(length) ?? new Map<string, Set<Rule>>();
    this.#grams.set(length, rules);
    const sizeOf = (gram: string) => rules.get(gram)?.size ?? 0;
    const rarest = grams.reduce((least, gram) => (sizeOf(gram) < sizeOf(least) ? gram : least));
    addTo(rules, rarest, rule);
  }

  #removeFromGrams(rule: Rule): void {
    const grams = gramsOf(rule);
    const rules = this.#grams.get(grams[0]?.length ?? 0);
    for (const gram of grams) if (rules !== undefined) removeFrom(rules, gram, rule);
  }
}

/** In place of a facet: any. */
const ANY = '';

function facetKey(type: string, category: string, side: string): string {
  return `${type}|${category}|${side}`;
}

/** One for each category that the rule names. */
function facetKeys({ filter: { type, category, categories, side } }: Rule): readonly string[] {
  const named = category === undefined ? (categories ?? [ANY]) : [category];
  return [...new Set(named)].map((each) => facetKey(type ?? ANY, each, side ?? ANY));
}

function minUsdcOf({ filter: { minUsdc = Number.NEGATIVE_INFINITY } }: Rule): number {
  return minUsdc;
}

/** Index of the first rule that asks for at least so many dollars: an alert fulfils those before it. */
function firstAtLeast(rules: readonly Rule[], usdc: number): number {
  let [from, to] = [0, rules.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (minUsdcOf(rules[middle] as Rule) < usdc) from = middle + 1;
    else to = middle;
  }
  return from;
}

function wordsOf({ filter: { search = '' } }: Rule): string {
  return search.toLowerCase();
}

function gramsOf(rule: Rule): readonly string[] {
  const words = wordsOf(rule);
  const length = Math.min(GRAM_LENGTH, words.length);
  return Array.from({ length: words.length - length + 1 }, (_, at) => words.slice(at, at + length));
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
