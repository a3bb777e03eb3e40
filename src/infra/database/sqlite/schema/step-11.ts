/** Computed records. */
export const STEP_11 = `
CREATE TABLE records (
  name TEXT PRIMARY KEY,
  at INTEGER NOT NULL,
  text BLOB NOT NULL
) STRICT;
`;
