import type { SQLInputValue } from 'node:sqlite';
import type { Condition, Range, Scalar } from '../../../core/base/documents/documents.ts';

/** Gives the text of a value within a statement. */
type Bind = (value: Scalar) => string;

const COMPARISONS = { lt: '<', lte: '<=', gt: '>', gte: '>=' } as const;

/** A parameter, whose value is added to those of the statement. */
export function parameterIn(values: SQLInputValue[]): Bind {
  return (value) => {
    values.push(bound(value));
    return '?';
  };
}

/** The value itself, as a parameter would not find a partial index. */
export const literal: Bind = (value) =>
  typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(Number(value));

export function bound(value: Scalar): SQLInputValue {
  return typeof value === 'boolean' ? Number(value) : value;
}

/** The SQL of a condition: one expression, or one per bound of a range. */
export function conditionOn(column: string, condition: Condition<Scalar>, bind: Bind): readonly string[] {
  if (condition === null) return [`${column} IS NULL`];
  if (typeof condition !== 'object') return [`${column} = ${bind(condition)}`];
  if ('in' in condition)
    return [`${column} IN (SELECT value FROM json_each(${bind(JSON.stringify(condition.in))}))`];
  return Object.entries(COMPARISONS).flatMap(([name, sign]) => {
    const value = (condition as Range<Scalar>)[name as keyof typeof COMPARISONS];
    return value === undefined ? [] : [`${column} ${sign} ${bind(value)}`];
  });
}

export function whereText(conditions: readonly string[]): string {
  return conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`;
}
