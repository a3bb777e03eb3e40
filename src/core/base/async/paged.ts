/** The rows of all pages, in order. `read`: at most `limit` rows after the last one of the page before; fewer end the rows. */
export async function* paged<Row>(
  read: (last?: Row) => Promise<readonly Row[]>,
  limit: number,
): AsyncGenerator<Row, void> {
  let last: Row | undefined;
  for (;;) {
    const rows = await read(last);
    yield* rows;
    if (rows.length < limit) return;
    last = rows.at(-1);
  }
}

/** The same, collected. */
export async function allPages<Row>(
  read: (last?: Row) => Promise<readonly Row[]>,
  limit: number,
): Promise<readonly Row[]> {
  const all: Row[] = [];
  for await (const row of paged(read, limit)) all.push(row);
  return all;
}
