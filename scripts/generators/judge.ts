import type { ApiDocument } from '../../src/http/documents/openapi-types.ts';
import { operationsOf } from '../../test/support/fuzz/document-parts.ts';
import { type CheckedAnswer, createOpenapiChecker, operationOf } from '../../test/support/openapi-checker.ts';

export interface Reported {
  readonly operation: string;
  readonly parsed?: unknown;
  readonly error?: string;
}

/** What is wrong with the calls of a client: every operation must answer as documented, and be parsed as it was sent. */
export function problemsOf(
  document: ApiDocument,
  answers: readonly CheckedAnswer[],
  reported: readonly Reported[],
): string[] {
  const check = createOpenapiChecker(document);
  const byOperation = new Map(
    answers.map((answer) => [
      operationOf(document, answer.method, answer.path)?.operation.operationId,
      answer,
    ]),
  );
  return operationsOf(document).flatMap(({ operationId = '', responses }) => {
    const answer = byOperation.get(operationId);
    const report = reported.find(({ operation }) => operation === operationId);
    if (report?.error !== undefined) return [`${operationId}: ${report.error}`];
    if (answer === undefined || report === undefined) return [`${operationId}: not called`];
    const [documented] = Object.keys(responses);
    if (String(answer.status) !== documented) return [`${operationId}: ${answer.status} ${answer.body}`];
    const misfit = check(answer);
    if (misfit !== null) return [`${operationId}: ${misfit}`];
    const difference = answer.status === 204 ? null : differenceOf(report.parsed, contentOf(answer));
    return difference === null ? [] : [`${operationId} was read wrongly: ${difference}`];
  });
}

function contentOf({ contentType, body }: CheckedAnswer): unknown {
  return /^application\/(?:\w+\+)?json/.test(contentType ?? '') ? JSON.parse(body) : body;
}

const MOMENT = /^\d{4}-\d\d-\d\d(T|$)/;

/**
 * Where and how two values differ; null where they say the same. Clients may spell names in the manner of their language, leave
 * out what is null, read an absent list as an empty one, and write days and moments in another format.
 */
export function differenceOf(one: unknown, other: unknown, at = ''): string | null {
  if (Array.isArray(one) && Array.isArray(other) && one.length === other.length) {
    return firstOf(one.map((item, index) => differenceOf(item, other[index], `${at}/${index}`)));
  }
  if (isObject(one) && isObject(other)) {
    const [left, right] = [membersOf(one), membersOf(other)];
    const names = [...new Set([...left.keys(), ...right.keys()])];
    return firstOf(names.map((name) => differenceOf(left.get(name), right.get(name), `${at}/${name}`)));
  }
  const isEqual = one === other || isSameMoment(one, other);
  return isEqual ? null : `${at || 'it'} is ${JSON.stringify(one)} instead of ${JSON.stringify(other)}`;
}

function firstOf(differences: readonly (string | null)[]): string | null {
  return differences.find((difference) => difference !== null) ?? null;
}

function isSameMoment(one: unknown, other: unknown): boolean {
  const isMoment = (text: unknown) => typeof text === 'string' && MOMENT.test(text);
  return isMoment(one) && isMoment(other) && secondOf(String(one)) === secondOf(String(other));
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function membersOf(value: object): Map<string, unknown> {
  const members = Object.entries(value).filter(([, member]) => !isAbsent(member));
  return new Map(members.map(([name, member]) => [name.replaceAll(/[_-]/g, '').toLowerCase(), member]));
}

function isAbsent(value: unknown): boolean {
  return value === null || value === undefined || (Array.isArray(value) && value.length === 0);
}

function secondOf(moment: string): number {
  return Math.floor(Date.parse(moment) / 1_000);
}
