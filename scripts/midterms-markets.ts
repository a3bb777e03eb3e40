import { hash } from 'node:crypto';

/** How a market of the midterms files is described on the tape. Everything is derived from its name there. */
export interface TapeMarket {
  readonly conditionId: string;
  readonly question: string;
  readonly slug: string;
  readonly eventSlug: string;
  readonly eventTitle: string;
  readonly outcomes: readonly string[];
  readonly tokenIds: readonly string[];
}

const STATES: Readonly<Record<string, string>> = {
  ca: 'California',
  mi: 'Michigan',
  oh: 'Ohio',
  pa: 'Pennsylvania',
  tx: 'Texas',
};

/** `outcomes`: as the file lists them; Yes comes before No, as the market itself orders them. */
export function describeMarket(name: string, outcomes: readonly string[]): TapeMarket {
  const ordered = outcomes.includes('Yes') ? ['Yes', 'No'] : outcomes;
  const question = questionOf(name);
  const slug = slugOf(question);
  const isBalanceOfPower = ordered.includes('Yes');
  return {
    conditionId: `0x${hash('sha256', name)}`,
    question,
    slug,
    eventSlug: isBalanceOfPower ? 'balance-of-power-2022' : slug,
    eventTitle: isBalanceOfPower ? 'Balance of power after the 2022 midterms' : question,
    outcomes: ordered,
    tokenIds: ordered.map((outcome) => BigInt(`0x${hash('sha256', `${name}:${outcome}`)}`).toString()),
  };
}

export function questionOf(name: string): string {
  const chamber = /^us_(house|senate)_overall$/.exec(name)?.[1];
  if (chamber !== undefined)
    return `US ${capitalised(chamber)} control after the 2022 midterms: which party wins?`;
  const [, house, senate] =
    /^(democratic|republican)_house_and_(democratic|republican)_senate$/.exec(name) ?? [];
  if (house !== undefined && senate !== undefined) return balanceQuestion(house, senate);
  const [, state, district] = /^([a-z]{2})_(\d\d)_house$/.exec(name) ?? [];
  if (state !== undefined && district !== undefined) {
    return `${stateOf(state)}'s ${ordinal(Number(district))} District (House) 2022: which party wins?`;
  }
  const [, place, office] = /^([a-z_]+)_(governor|senate)$/.exec(name) ?? [];
  if (place !== undefined && office !== undefined) {
    return `${place.split('_').map(capitalised).join(' ')} ${capitalised(office)} 2022: which party wins?`;
  }
  throw new Error(`no question can be made of the market name "${name}"`);
}

function balanceQuestion(house: string, senate: string): string {
  const plural = (party: string) => (party === 'democratic' ? 'Democrats' : 'Republicans');
  if (house === senate)
    return `Will ${plural(house)} win both the House and the Senate in the 2022 midterms?`;
  return `Will ${plural(house)} win the House and ${plural(senate)} the Senate in the 2022 midterms?`;
}

function stateOf(code: string): string {
  const state = STATES[code];
  if (state === undefined) throw new Error(`the state "${code}" has no name yet`);
  return state;
}

function ordinal(number: number): string {
  const suffixes: Partial<Record<Intl.LDMLPluralRule, string>> = { one: 'st', two: 'nd', few: 'rd' };
  return `${number}${suffixes[new Intl.PluralRules('en', { type: 'ordinal' }).select(number)] ?? 'th'}`;
}

function capitalised(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

function slugOf(question: string): string {
  return question
    .toLowerCase()
    .replaceAll("'", '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
}
