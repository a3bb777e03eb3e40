/**
 * Threads of alerts: the key, the first alert of the thread and the one before, filled in one pass. Posts know the thread of
 * their alert; those from before are threads of their own. Posts of an alert are found by their ids.
 */
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
      || ':' || coalesce(body ->> '$.marketId', '') || ':' || coalesce(body ->> '$.side', '')
      || ':' || coalesce(body ->> '$.outcome', '') AS thread
    FROM alerts
  )
) AS places
WHERE places.id = alerts.id;
CREATE INDEX alerts_by_thread ON alerts (thread);
ALTER TABLE chat_messages ADD COLUMN thread_id INTEGER;
UPDATE chat_messages SET facts = json_set(facts, '$.threadId', json_extract(facts, '$.alertId'))
  WHERE kind IN ('alert', 'alert_result');
UPDATE chat_messages SET thread_id = alert_id WHERE kind = 'alert';
CREATE INDEX chat_messages_by_thread ON chat_messages (thread_id, recipient) WHERE thread_id IS NOT NULL;
DROP INDEX chat_messages_by_alert;
`;
