/** The rows of a CSV text with a header line, each by column name. Fields may be quoted; lines end with LF or CRLF. */
export function parseCsv(text: string): Record<string, string>[] {
  const [header, ...rows] = splitRows(text);
  if (header === undefined) throw new Error('the CSV file is empty: it has no header line');
  return rows.map((fields, index) => {
    if (fields.length !== header.length) {
      throw new Error(`row ${index + 1} has ${fields.length} fields, the header names ${header.length}`);
    }
    return Object.fromEntries(header.map((name, column) => [name, fields[column] ?? '']));
  });
}

function splitRows(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  for (const [, quoted, plain = '', end = ''] of text.matchAll(
    /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/g,
  )) {
    row.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end === ',') continue;
    if (row.length > 1 || row[0] !== '') rows.push(row);
    row = [];
  }
  return rows;
}
