/**
 * Messages whose outcome is unknown; messages that show a key, until they are removed; questions that people were asked in chat;
 * commands of operators that another process carries out; alarms that operators are notified of; the scores of posts.
 */
export const STEP_9 = `
ALTER TABLE chat_messages ADD COLUMN unsure_since INTEGER;
ALTER TABLE chat_messages ADD COLUMN score INTEGER;
CREATE INDEX chat_messages_posts ON chat_messages (recipient, created_at) WHERE kind = 'alert';
CREATE INDEX chat_messages_unknown ON chat_messages (ended_at, id) WHERE state = 'unknown';

CREATE TABLE key_messages (
  bot TEXT NOT NULL,
  message_ref TEXT NOT NULL,
  request TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  due_at INTEGER NOT NULL,
  attempts INTEGER NOT NULL,
  PRIMARY KEY (bot, message_ref)
) STRICT, WITHOUT ROWID;
CREATE INDEX key_messages_due ON key_messages (bot, due_at, message_ref);
CREATE INDEX key_messages_by_request ON key_messages (bot, request, created_at);

CREATE TABLE chat_questions (
  platform TEXT NOT NULL,
  user_id TEXT NOT NULL,
  action TEXT NOT NULL,
  expires_at INTEGER NOT NULL,
  PRIMARY KEY (platform, user_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX chat_questions_by_end ON chat_questions (expires_at);

CREATE TABLE operator_requests (
  id TEXT PRIMARY KEY,
  needs TEXT NOT NULL,
  command TEXT NOT NULL,
  args TEXT NOT NULL,
  actor TEXT NOT NULL,
  at INTEGER NOT NULL,
  state TEXT NOT NULL,
  answer TEXT
) STRICT;
CREATE INDEX operator_requests_by_state ON operator_requests (state, needs, at);
CREATE INDEX operator_requests_by_time ON operator_requests (at);

CREATE TABLE operator_alarms (
  name TEXT PRIMARY KEY,
  is_raised INTEGER NOT NULL,
  sentence TEXT NOT NULL,
  since INTEGER NOT NULL,
  until INTEGER,
  raises INTEGER NOT NULL,
  is_reported INTEGER NOT NULL
) STRICT;
`;
