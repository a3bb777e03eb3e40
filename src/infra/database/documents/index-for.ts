import { isDeepStrictEqual } from 'node:util';
import type {
  Condition,
  Declaration,
  Identified,
  Query,
  Range,
  Scalar,
} from '../../../core/base/documents/documents.ts';

/** Conditions without the types of a declaration. */
export type Conditions = Readonly<Record<string, Condition<Scalar> | undefined>>;

/** A declared index, or the one of the ids, which has no name. */
export interface ServingIndex {
  readonly name: string | null;
  readonly where: Conditions;
}

const BY_ID: ServingIndex = { name: null, where: {} };

interface Candidate extends ServingIndex {
  readonly fields: readonly string[];
}

/**
 * The index by which both databases answer a query: the one whose leading fields most of its conditions, and its order, are on.
 * Throws where none is: such a query would read every document. Without conditions and order, the ids serve.
 */
export function indexFor<T extends Identified>(
  { kind, indexes = {} }: Declaration<T>,
  { where = {}, order }: Pick<Query<T>, 'where' | 'order'>,
): ServingIndex {
  const conditions = definedConditions(where as Conditions);
  // One document at most: no other condition narrows it further.
  if (typeof conditions['id'] === 'string' || typeof conditions['id'] === 'number') return BY_ID;
  const sorted = order?.replace('-', '');
  const candidates: Candidate[] = [{ ...BY_ID, fields: ['id'] }];
  for (const [name, index] of Object.entries(indexes)) {
    const { fields, where: part = {} } = index;
    candidates.push({ name, where: part as Conditions, fields: [...fields, 'id'] });
  }
  let best: Candidate | null = null;
  let most = 0;
  for (const candidate of candidates) {
    const served = servedBy(candidate, conditions, sorted);
    if (served > most) [best, most] = [candidate, served];
  }
  if (best === null)
    throw new Error(`${kind}: no index serves ${JSON.stringify({ where: conditions, order })}`);
  return best;
}

export function definedConditions(where: Conditions): Readonly<Record<string, Condition<Scalar>>> {
  const defined = Object.entries(where).filter(([, condition]) => condition !== undefined);
  return Object.fromEntries(defined) as Record<string, Condition<Scalar>>;
}

/** How many conditions, and the order, the index serves; 0 when it must not be used. */
function servedBy(
  { fields, where: part }: Candidate,
  conditions: Readonly<Record<string, Condition<Scalar>>>,
  order: string | undefined,
): number {
  const isImplied = Object.entries(part).every(([field, only]) => implies(conditions[field], only));
  if (!isImplied) return 0;
  const isWalk = Object.keys(conditions).length === 0 && order === undefined;
  let served = Object.keys(part).length + Number(isWalk);
  for (const field of fields) {
    const condition = conditions[field];
    if (condition !== undefined && !isRange(condition)) {
      // The documents of a few ids are read by these, and sorted.
      if (field === 'id') return Number.POSITIVE_INFINITY;
      served += 1;
      continue;
    }
    if (order !== undefined) return field === order ? served + 1 : 0;
    return condition === undefined ? served : served + 1;
  }
  return order === undefined ? served : 0;
}

/** Whether every document that matches a condition is one that a partial index has. */
function implies(condition: Condition<Scalar> | undefined, only: Condition<Scalar> | undefined): boolean {
  if (condition === undefined || condition === null) return condition === only;
  return isDeepStrictEqual(condition, only) || (only !== undefined && isAnyValue(only));
}

function isAnyValue(only: Condition<Scalar>): boolean {
  return isDeepStrictEqual(only, { gt: '' }) || isDeepStrictEqual(only, { gte: 0 });
}

function isRange(condition: Condition<Scalar>): condition is Range<Scalar> {
  return typeof condition === 'object' && condition !== null && !('in' in condition);
}
