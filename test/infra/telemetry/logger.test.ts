import { Writable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { createLogger } from '../../../src/infra/telemetry/logger.ts';
import { readableLog } from '../../../src/infra/telemetry/readable-log.ts';

const KEY = `sk_live_${'aB3_-'.repeat(9).slice(0, 43)}`;

function logged(write: (logger: ReturnType<typeof createLogger>) => void, level: 'info' | 'debug' = 'debug') {
  const lines: string[] = [];
  write(
    createLogger(level, new Writable({ write: (chunk, _, done) => done(void lines.push(String(chunk))) })),
  );
  return lines.join('');
}

/** What a person reads of it. */
async function readable(
  write: (logger: ReturnType<typeof createLogger>) => void,
  options: Partial<Parameters<typeof readableLog>[0]> = {},
): Promise<string> {
  const lines: string[] = [];
  const log = { write: (text: string) => void lines.push(text), isDebug: false, isColoured: false };
  write(createLogger('debug', await readableLog({ ...log, ...options })));
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
  ])(
    'redacts %s, for programs and for people, and the line of programs stays JSON',
    async (_, fields, message) => {
      const line = logged((logger) => logger.info(fields, message));
      const words = await readable((logger) => logger.info(fields, message), { isDebug: true });
      for (const text of [line, words]) {
        expect(text).not.toMatch(
          /aB3_-|pc_1234567|dXNlcjpwYXNz|abc\.def|quo|user:pass|AAE-abc|MfKQ|TwjU|ILPZ|one two/,
        );
        expect(text).toContain('[redacted]');
      }
      expect(JSON.parse(line)).toMatchObject({ level: 'info' });
    },
  );

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

describe('a line for people', () => {
  const failure = new Error('the market is away\nfor now', { cause: new Error('ENOTFOUND') });
  const fail = (logger: ReturnType<typeof createLogger>) =>
    logger.warn({ err: failure, alert: 7, missing: null }, 'page unavailable; retrying');

  test('has local time, level, message, cause and fields, and no stack', async () => {
    expect(await readable(fail)).toMatch(
      /^\d\d:\d\d:\d\d WARN: page unavailable; retrying: the market is away for now: ENOTFOUND alert=7\n$/,
    );
    const at = new Date().toTimeString().slice(0, 6);
    expect((await readable(fail)).slice(0, 6)).toBe(at);
  });

  test('has the stack below it at the level debug', async () => {
    const [first, ...stack] = (await readable(fail, { isDebug: true })).trimEnd().split('\n');
    expect(first).toContain('page unavailable; retrying: the market is away');
    expect(stack.some((line) => /^ {4,}at .*logger\.test\.ts/.test(line))).toBe(true);
  });

  test('names the cause, whichever field has it', async () => {
    const lines = await readable((logger) => {
      logger.error({ reason: 'refused' }, 'a');
      logger.error({ why: 'timeout', source: 'tape' }, 'b');
    });
    expect(lines).toMatch(/ ERROR: a: refused\n.* ERROR: b: timeout source=tape\n$/);
  });

  test('shows control characters of others as spaces: they neither begin a line nor colour it', async () => {
    const lines = await readable((logger) => {
      logger.info({ title: 'a\n12:00:00 INFO: b\u001b[31m', reason: 'c\rd' }, 'e\u001b[2Jf');
    });
    expect(lines).toMatch(/ INFO: e \[2Jf: c d title=a 12:00:00 INFO: b \[31m\n$/);
  });

  test('is shown as it is where it is no JSON', async () => {
    let shown = '';
    const write = (text: string) => {
      shown += text;
    };
    (await readableLog({ write, isDebug: false, isColoured: false })).write('{"half');
    expect(shown).toBe('{"half\n');
  });

  test('is left out where its message is hidden, unless it is a warning or the level is debug', async () => {
    const hidden = new Set(['begun']);
    const write = (logger: ReturnType<typeof createLogger>) => {
      logger.info({}, 'begun');
      logger.warn({}, 'begun');
    };
    expect(await readable(write, { hidden })).toMatch(/^\S+ WARN: begun\n$/);
    expect(await readable(write, { hidden, isDebug: true })).toMatch(/ INFO: begun\n.* WARN: begun\n$/);
  });
});
