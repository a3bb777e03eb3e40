export type Name<Row> = keyof Row & string;
/** A field, or a field of an embedded object (`trial.endsAt`). */
export type Path<Row> = Name<Row> | `${string}.${string}`;

/** A value that a database can compare. */
export type Scalar = string | number | boolean;

/**
 * What a field has to fulfil: equal a value, or be null; or an operator. `present`: not null, and neither an empty text nor
 * a negative number. `contains`: a text within the field, whatever its case.
 */
export type Condition<Value> =
  | Value
  | null
  | { readonly in: readonly Value[] }
  | { readonly notIn: readonly Value[] }
  | { readonly lt?: Value; readonly lte?: Value; readonly gt?: Value; readonly gte?: Value }
  | { readonly ne: Value | null }
  | { readonly present: true }
  | { readonly contains: string };

/** All of its conditions, and at least one of `or`. A condition that is `undefined` is left out. */
export type Filter<Row> = { readonly [Field in Name<Row>]?: Condition<Row[Field]> | undefined } & {
  readonly [path: `${string}.${string}`]: Condition<Scalar> | undefined;
} & { readonly or?: readonly Filter<Row>[]; readonly and?: readonly Filter<Row>[] };

/** Fields to sort by; descending with a `-`. */
export type Sort<Row> = readonly (Path<Row> | `-${Path<Row>}`)[];
