import { LISTS, OPERATIONS } from './generated/tables.ts';
import type { CallOptions, Input, Output } from './operations.ts';
import { type Call, requestPage, type Service } from './request.ts';

type ListName = keyof typeof LISTS;
type OperationOf<Name extends ListName> = (typeof LISTS)[Name]['operation'];
type ItemOf<Answer, Items extends string> = Answer extends { [Key in Items]: readonly (infer Item)[] }
  ? Item
  : never;
type Items<Name extends ListName> = AsyncGenerator<
  ItemOf<Output<OperationOf<Name>>, (typeof LISTS)[Name]['items']>,
  void,
  undefined
>;

/** Every list that comes in pages, as an iterator over its items that asks for the next page when it needs one. */
export type Lists = {
  readonly [Name in ListName]: Record<never, never> extends Input<OperationOf<Name>>
    ? (input?: Input<OperationOf<Name>>, options?: CallOptions) => Items<Name>
    : (input: Input<OperationOf<Name>>, options?: CallOptions) => Items<Name>;
};

export function listsOf(service: Service): Lists {
  const iterators = Object.entries(LISTS).map(([name, { operation, items, defaults }]) => [
    name,
    (input: Record<string, unknown> = {}, { signal }: CallOptions = {}) =>
      itemsOf(service, { ...OPERATIONS[operation], input: { ...defaults, ...input }, signal }, items),
  ]);
  return Object.fromEntries(iterators);
}

async function* itemsOf(
  service: Service,
  first: Call,
  name: string,
): AsyncGenerator<unknown, void, undefined> {
  for (let call: Call | null = first; call !== null; ) {
    const { body, next } = await requestPage(service, call);
    yield* (body as Readonly<Record<string, readonly unknown[]>>)[name] ?? [];
    call = next === null ? null : { ...first, path: next, input: {} };
  }
}
