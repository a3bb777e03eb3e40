import { Writable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { createLogger } from '../../../src/infra/telemetry/logger.ts';

const KEY = `sk_live_${'aB3_-'.repeat(9).slice(0, 43)}`;

function logged(write: (logger: ReturnType<typeof createLogger>) => void, level: 'info' | 'debug' = 'debug') {
  const lines: string[] = [];
  write(
    createLogger(level, new Writable({ write: (chunk, _, done) => done(void lines.push(String(chunk))) })),
  );
  return lines.join('');
}

describe('logger', () => {
  test.each([
    ['a message', {}, `refused ${KEY}`],
    ['a field', { key: KEY }, 'x'],
    ['an address', { url: `/ws/alerts?api_key=${KEY}&since_id=4` }, 'x'],
    ['an address with a foreign key', { url: '/ws/alerts?api_key=pc_1234567&since_id=4' }, 'x'],
    ['headers', { headers: { authorization: 'Basic dXNlcjpwYXNz', host: 'x' } }, 'x'],
    ['a bearer header', { header: `Bearer ${KEY}` }, 'x'],
    ['a foreign bearer header', { header: 'Bearer abc.def-ghi' }, 'x'],
    ['a token field', { metricsToken: 'abc.def-ghi', botToken: 'quo"ted' }, 'x'],
    ['the secret of a webhook', { answer: 'whsec_MfKQ9r8GKYqr+TwjUPD8/ILPZIo2LaLaSw=' }, 'x'],
    ['the key secrets are derived from', { secretKey: 'one two', SECRET_KEY: 'one two' }, 'x'],
    ['an error and its stack', { err: new Error(`cannot use ${KEY}`) }, 'x'],
    ['the password of a database', { uri: 'mongodb+srv://user:pass@host/tipoff' }, 'x'],
    ['a token of Telegram', { url: '/bot123456789:AAE-abcdefghijklmnopqrstuvwxyz01234/getMe' }, 'x'],
    [
      'a token of Telegram with a long id',
      { reason: 'no 1234567890123:AAE-abcdefghijklmnopqrstuvwxyz01234' },
      'x',
    ],
    [
      'a token of Discord',
      { reason: 'Bot MTIzNDU2Nzg5MDEyMzQ1Njc4.GabcDe.AAE-abcdefghijklmnopqrstuvwxyz0123456' },
      'x',
    ],
  ])('redacts %s, and the line stays JSON', (_, fields, message) => {
    const line = logged((logger) => logger.info(fields, message));
    expect(line).not.toMatch(
      /aB3_-|pc_1234567|dXNlcjpwYXNz|abc\.def|quo|user:pass|AAE-abc|MfKQ|TwjU|ILPZ|one two/,
    );
    expect(line).toContain('[redacted]');
    expect(JSON.parse(line)).toMatchObject({ level: 'info' });
  });

  test('leaves everything else as it is: one line with level, time and fields', () => {
    const line = logged((logger) => logger.warn({ alert: 7, url: '/alerts?since_id=4' }, 'late'));
    expect(JSON.parse(line)).toEqual({
      level: 'warn',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      alert: 7,
      url: '/alerts?since_id=4',
      msg: 'late',
    });
    expect(line.trimEnd().split('\n')).toHaveLength(1);
  });

  test('writes nothing below its level', () => {
    expect(logged((logger) => logger.debug({}, 'detail'), 'info')).toBe('');
  });
});
