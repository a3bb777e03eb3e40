/**
 * Indexes and collections are made by the migration, not on the side; documents are kept as they are given, and those
 * that lack nothing of it need no version key.
 */
export const SCHEMA_OPTIONS = {
  autoIndex: false,
  autoCreate: false,
  minimize: false,
  versionKey: false,
  id: false,
} as const;
