/** Threads of alerts: the key, the first alert of the thread and the one before. The columns are filled in one pass. */
export const STEP_6 = `
ALTER TABLE alerts ADD COLUMN thread TEXT NOT NULL DEFAULT '';
ALTER TABLE alerts ADD COLUMN thread_id INTEGER NOT NULL DEFAULT 0;
ALTER TABLE alerts ADD COLUMN supersedes INTEGER;
UPDATE alerts SET thread = places.thread, thread_id = places.first, supersedes = places.before
FROM (
  SELECT id, thread,
    FIRST_VALUE(id) OVER (PARTITION BY thread ORDER BY id) AS first, LAG(id) OVER (PARTITION BY thread ORDER BY id) AS before
  FROM (
    SELECT id, CASE body ->> '$.type' WHEN 'cluster' THEN 'c' ELSE 'w:' || wallet END
      || ':' || (body ->> '$.marketId') || ':' || (body ->> '$.side') || ':' || (body ->> '$.outcome') AS thread
    FROM alerts
  )
) AS places
WHERE places.id = alerts.id;
CREATE INDEX alerts_by_thread ON alerts (thread);
`;
