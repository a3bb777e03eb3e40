/** A page of the matches, in the order in which they are asked for. */
export interface PageWindow {
  readonly skip: number;
  readonly limit: number;
  /** Newest first unless set. */
  readonly isOldestFirst?: boolean;
}

/** The same part of `total` matches, counted from the newest one. */
export function fromNewest(
  { skip, limit, isOldestFirst = false }: PageWindow,
  total: number,
): Omit<PageWindow, 'isOldestFirst'> {
  if (!isOldestFirst) return { skip, limit };
  const end = Math.max(0, total - skip);
  const start = Math.max(0, end - limit);
  return { skip: start, limit: end - start };
}
