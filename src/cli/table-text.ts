/** Columns of a table at the widths of their widest cells: the first to the left, the others to the right. */
export function alignColumns(table: readonly (readonly string[])[]): string[] {
  const widths = (table[0] ?? []).map((_, column) =>
    Math.max(...table.map((row) => row[column]?.length ?? 0)),
  );
  return table.map((row) =>
    row
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  '),
  );
}

/** The number with its sign; 0 has none. */
export function signed(text: string): string {
  const value = Number(text.replaceAll(',', ''));
  if (value === 0) return text.replace('-', '');
  return value > 0 ? `+${text}` : text;
}
