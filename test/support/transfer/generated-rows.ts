import {
  type RowSource,
  TABLE_GROUPS,
  type TablePosition,
  type TableRow,
  type TransferTable,
  tablePositionOf,
  transferred,
} from '../../../src/infra/database/transfer/transfer-table.ts';

const TRICKY = { nested: { list: [1, 0.1, 'ä😀', null], flag: false }, text: "it's $where.a" };

/** A row of a table: a value of its kind for each field, in every second row null where a field may be. */
function generatedRow({ declaration }: TransferTable, index: number): TableRow {
  const number = index + 1;
  const row = Object.fromEntries(
    Object.entries(declaration.fields as Readonly<Record<string, string | object>>).flatMap(
      ([field, type]) => {
        const value = fieldValue(type, field, number);
        return value === null && declaration.optional?.includes(field) ? [] : [[field, value]];
      },
    ),
  );
  return transferred(row);
}

function fieldValue(type: string | object, name: string, number: number): unknown {
  if (typeof type === 'object') {
    const inner = Object.entries(type).map(([field, each]) => [
      field,
      fieldValue(each as string, field, number),
    ]);
    return number % 2 === 0 ? null : Object.fromEntries(inner);
  }
  if (type.endsWith('?') && number % 2 === 0) return null;
  const values: Readonly<Record<string, unknown>> = {
    // Rows of a key share the cap of `keyId`.
    text: name === 'keyId' ? `key_${number % 2}` : `${name}-${number}`,
    integer: number,
    number: number / 3,
    boolean: number % 2 === 1,
    bytes: new Uint8Array([number, 0, 255]),
    json: TRICKY,
    value: TRICKY,
    words: ['a', 'b'],
  };
  return values[type.replace('?', '')];
}

export function generatedSource(count: number): RowSource {
  const rows = new Map(
    TABLE_GROUPS.flat().map((table) => [
      table.name,
      Array.from({ length: count }, (_, index) => generatedRow(table, index)),
    ]),
  );
  const read = async (table: TransferTable, after: TablePosition | null) => {
    const all = rows.get(table.name) ?? [];
    const isLast = (row: TableRow) => JSON.stringify(tablePositionOf(table, row)) === JSON.stringify(after);
    const first = after === null ? 0 : all.findIndex(isLast) + 1;
    return all.slice(first, first + table.batch);
  };
  return {
    name: 'generated',
    isFrozen: true,
    read,
    count: async ({ name }) => rows.get(name)?.length ?? 0,
    size: async () => 0,
    close: async () => {},
  };
}
