import type { components, operations } from './generated/api.ts';
import { OPERATIONS } from './generated/tables.ts';
import { type Call, request, type Service } from './request.ts';

/** The shapes of the API by their documented names. */
export type Schemas = components['schemas'];

type OperationId = keyof typeof OPERATIONS;

/** The values of one kind; `unknown`, which adds nothing to an intersection, if there are none. */
type Part<Holder, Name extends string> = Holder extends { [Key in Name]?: infer Values }
  ? [NonNullable<Values>] extends [never]
    ? unknown
    : NonNullable<Values>
  : unknown;

type Parameters<Operation> = Part<Part<Operation, 'parameters'>, 'path'> &
  Part<Part<Operation, 'parameters'>, 'query'>;

type Body<Operation> =
  Part<Operation, 'requestBody'> extends { content: { 'application/json': infer Content } }
    ? { readonly body: Content }
    : unknown;

/** What an operation takes: the values of its path and query by their documented names, and `body`. */
export type Input<Id extends OperationId> = Parameters<operations[Id]> & Body<operations[Id]>;

type Success = 200 | 201 | 202 | 204;
type Content<Answer> = Answer extends { content: infer Media } ? Media[keyof Media] : undefined;

/** What an operation answers: JSON as an object, other documents as a text, undefined without a body. */
export type Output<Id extends OperationId> = operations[Id] extends { responses: infer Answers }
  ? Content<Answers[keyof Answers & Success]>
  : never;

export interface CallOptions {
  readonly signal?: AbortSignal;
}

/** Every operation of the API by its documented name. */
export type Operations = {
  readonly [Id in OperationId]: Record<never, never> extends Input<Id>
    ? (input?: Input<Id>, options?: CallOptions) => Promise<Output<Id>>
    : (input: Input<Id>, options?: CallOptions) => Promise<Output<Id>>;
};

export function operationsOf(service: Service): Operations {
  const methods = Object.entries<Pick<Call, 'method' | 'path'>>(OPERATIONS).map(([id, operation]) => [
    id,
    (input: Record<string, unknown> = {}, { signal }: CallOptions = {}) =>
      request(service, { ...operation, input, signal }),
  ]);
  return Object.fromEntries(methods);
}
