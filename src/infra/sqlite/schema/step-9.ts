/** Messages whose outcome is unknown; messages that show a key, until they are removed; the questions that people were asked in chat. */
export const STEP_9 = `
ALTER TABLE chat_messages ADD COLUMN unsure_since INTEGER;
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
`;
