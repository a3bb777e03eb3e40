/**
 * Snapshots name sets of chunks, which are written before them. `id` is what a set is deleted by without reading its texts.
 * The chunks of a snapshot from before are one set under the name of the source.
 */
export const STEP_7 = `
CREATE TABLE chunks_in_sets (
  id INTEGER PRIMARY KEY,
  source TEXT NOT NULL,
  set_id TEXT NOT NULL,
  position INTEGER NOT NULL,
  text TEXT NOT NULL,
  UNIQUE (set_id, position)
) STRICT;
INSERT INTO chunks_in_sets (source, set_id, position, text)
  SELECT source, source, position, text FROM snapshot_chunks;
DROP TABLE snapshot_chunks;
ALTER TABLE chunks_in_sets RENAME TO snapshot_chunks;
CREATE INDEX snapshot_chunks_by_source ON snapshot_chunks (source, set_id);
ALTER TABLE snapshots ADD COLUMN sets TEXT;
UPDATE snapshots SET sets = json_array(json_object('id', source, 'count', chunk_count)) WHERE chunk_count IS NOT NULL;
ALTER TABLE snapshots DROP COLUMN chunk_count;
`;
