import { PassThrough, Writable } from 'node:stream';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Community } from '../../../bots/shared/chat-bot.ts';
import type { Conversation } from '../../../bots/shared/conversation.ts';
import { plainScreen, type Screen } from '../../../bots/shared/screen.ts';
import type { Style } from '../../../bots/terminal/screen-text.ts';
import { openConsole, TerminalChat } from '../../../bots/terminal/terminal-chat.ts';
import { openConversationFixture } from '../../support/chat/conversation-fixture.ts';

const CLEAR = '\x1b[H\x1b[2J\x1b[3J';
const ANN = { platform: 'terminal', userId: 'ann', name: 'ann', chat: 'ann' } as const;

interface Setup {
  readonly isTerminal?: boolean;
  readonly community?: Community;
  readonly output?: Writable;
  readonly style?: Style;
  readonly width?: number;
}

async function openChat({ isTerminal = false, community, output, style = plain, width }: Setup = {}) {
  const fixture = await openConversationFixture();
  onTestFinished(fixture.close);
  const conversation = fixture.makeConversation('terminal', community);
  const shown: Screen[] = [];
  const [keyboard, paper] = [new PassThrough(), new PassThrough()];
  if (isTerminal) for (const stream of [keyboard, paper]) Object.assign(stream, { isTTY: true });
  let text = '';
  paper.setEncoding('utf8').on('data', (part: string) => {
    text += part;
  });
  const watched: Conversation = {
    ...conversation,
    async shown(screen) {
      shown.push(screen);
      await conversation.shown(screen);
    },
  };
  const console = openConsole({ input: keyboard, output: output ?? paper });
  const chat = new TerminalChat({
    ...{ conversation: watched, visitor: ANN, console, style, width: width ?? null },
  });
  const done = chat.run();
  const typed = async (keys: string) => {
    keyboard.end(keys);
    await done;
    return text;
  };
  return { world: fixture, shown, typed, console, done, chat, keyboard, written: () => text };
}

const plain: Style = (_style, text) => text;

const ALERT = plainScreen(
  'personal_alert',
  [[{ bold: '78 · $44,000 on Yes' }, '\n', { link: 'https://polymarket.com/m', text: 'Will it?' }]],
  [[{ label: 'Why', action: 'alert:1' }], [{ label: 'Mute market', action: 'mm:1' }]],
);
const RESULT = plainScreen('personal_result', ['✅ Won $36,000'], []);
const TO = { chat: 'cus_a' };
const { signal } = new AbortController();

describe('a chat on a keyboard', () => {
  test('a script is answered line by line, its lines repeated as if they were typed', async () => {
    const { typed } = await openChat();
    expect(await typed('/keys\n2\n\nHOT MARKETS\n/Keys now\n7\n')).toBe(
      [
        '> /keys\n\nYou have no keys yet.\n\n  1  Get a key\n  2  Menu\n\n',
        '> 2\n\nTipoff watches Polymarket for bets that look informed: a new wallet with a big bet, or several of them together.\n\n',
        'Choose alerts and I’ll send them here. API keys are free.\n\n',
        '  1  Follow alerts\n  2  Get a key\n  3  Hot markets\n  4  Last alerts\n  5  Help\n\n',
        '> \n> HOT MARKETS\n\nHot markets, last 30 days, 5 minutes late\n\nIt was quiet: no bets.\n\n  1  Last alerts\n  2  Menu\n\n',
        '> /Keys now\n\nYou have no keys yet.\n\n  1  Get a key\n  2  Menu\n\n',
        '> 7\n\nNo button has that number: type 1 to 2, or /help.\n\n> \n',
      ].join(''),
    );
  });

  test('a last line without a line break counts too', async () => {
    const { typed } = await openChat();
    expect(await typed('/help')).toContain('What I can do');
  });

  test('greets whoever opens it, and ends by Ctrl-D and Ctrl-C', async () => {
    for (const key of ['\x03', '\x04']) {
      const { typed } = await openChat({ isTerminal: true });
      expect(await typed(key)).toContain('Tipoff watches');
    }
  });

  test('an address is shown to be opened, and the screen stays', async () => {
    const asked = new Set<string>();
    const community: Community = {
      async membershipOf({ userId }) {
        const isKnown = asked.has(userId);
        asked.add(userId);
        return isKnown ? 'member' : 'not_member';
      },
      joinAddress: async () => 'https://community.example',
    };
    const { typed } = await openChat({ community });
    const text = await typed('/key\nJoin the community\n2\n');
    expect(text).toContain('  1  Join the community  https://community.example\n  2  I have joined\n');
    expect(text).toContain(
      'Open https://community.example in your browser.\n\n> 2\n\nWhich key do you want?',
    );
  });
});

describe('a key on a terminal', () => {
  test('is cleared from it, scrolled lines too, when it is hidden', async () => {
    const { typed } = await openChat({ isTerminal: true });
    const text = await typed('/key\n2\n1\n');
    expect(text.split(CLEAR)).toHaveLength(2);
    expect(text.split(CLEAR)[0]).toMatch(/sk_live_[\w-]{43}/);
    expect(text.split(CLEAR)[1]).not.toContain('sk_live_');
  });

  test('stays when something else is asked for, and a script clears nothing', async () => {
    const { typed } = await openChat({ isTerminal: true });
    expect(await typed('/key\n2\n/hot\n')).not.toContain(CLEAR);
    expect(await (await openChat()).typed('/key\n2\n1\n')).not.toContain(CLEAR);
  });

  test('does not count as shown when it cannot be written, and the chat ends', async () => {
    const output = new Writable({
      write(chunk: Buffer, _encoding, done) {
        done(chunk.includes('sk_live_') ? new Error('no reader') : null);
      },
    }).on('error', () => {});
    const { typed, world: fixture } = await openChat({ output });
    await expect(typed('/key\n2\n/start\n')).rejects.toThrow('no reader');
    expect((await fixture.keys()).map(({ handover }) => handover?.isShown)).toEqual([false]);
  });

  test('comes out in one line, with the call to copy, whatever the width; other lines are wrapped', async () => {
    const { typed } = await openChat({ width: 40 });
    const lines = (await typed('/key\n2\n')).split('\n');
    expect(lines.filter((line) => line.length > 40).every((line) => line.includes('sk_live_'))).toBe(true);
    expect(lines).toContainEqual(expect.stringMatching(/^sk_live_[\w-]{43}$/));
    expect(lines).toContainEqual(expect.stringMatching(/^curl .*limit=5'$/));
    expect(lines.join(' ')).toContain('it is shown only once and cannot be recovered.');
  });
});

describe('a message that comes while a person has the prompt', () => {
  test('leaves the numbers of the screen alone, and is done with when there is another screen', async () => {
    const { chat, keyboard, written, typed } = await openChat();
    keyboard.write('/keys\n');
    await expect.poll(written).toMatch(/> $/);
    await chat.messenger.send(TO, ALERT, signal);

    expect(await typed('2\n6\n')).toMatch(
      /> 2\n\nTipoff watches[\s\S]*> 6\n\nNo button has that number: type 1 to 5/,
    );
  });

  test('that answers an earlier one quotes its first line', async () => {
    const { chat, typed } = await openChat();
    const sent = await chat.messenger.send(TO, ALERT, signal);
    await chat.messenger.reply(sent.ok ? sent.place : '', RESULT, signal);

    await chat.messenger.reply('telegram:7:8', RESULT, signal);

    const text = await typed('');
    expect(text).toContain('\n│ 78 · $44,000 on Yes\n✅ Won $36,000\n');
    expect(text).not.toContain('7:8');
  });

  test('waits until a move is answered', async () => {
    const { chat, keyboard, written, world } = await openChat();
    const hold = Promise.withResolvers<void>();
    const { latest } = world.database.alerts;
    world.database.alerts.latest = async (query) => {
      await hold.promise;
      return latest(query);
    };
    keyboard.write('/alerts\n');
    await expect.poll(written).toContain('/alerts\n');
    const sending = chat.messenger.send(TO, ALERT, signal);
    hold.resolve();
    await sending;

    expect(written()).toMatch(/\/alerts\n\nLast alerts[\s\S]*\n\n> \n\n78 · /);
  });

  test('keeps what was typed so far on a terminal', async () => {
    const { chat, keyboard, written } = await openChat({ isTerminal: true });
    await expect.poll(written).toContain('> ');
    keyboard.write('/hel');
    await expect.poll(written).toContain('/hel');
    await chat.messenger.send(TO, ALERT, signal);
    const after = written().slice(written().indexOf('78 · '));
    expect(after).toContain('> /hel');
    keyboard.write('p\r');
    await expect.poll(written).toContain('What I can do');
  });

  test('does not take a key off the terminal when one of its buttons is tapped', async () => {
    const { chat, keyboard, written, typed } = await openChat({ isTerminal: true });
    keyboard.write('/key\n2\n');
    await expect.poll(written).toMatch(/sk_live_[\w-]{43}/);
    await chat.messenger.send(TO, ALERT, signal);

    expect(await typed('why\n')).not.toContain(CLEAR);
  });
});
