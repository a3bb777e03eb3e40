import { describe, expect, test } from 'vitest';
import { privateTap, privateText } from '../../support/chat/telegram-person.ts';
import { ANNA, KEY, page, secretPage, startHouse } from './house.ts';

describe('private chat on Telegram', () => {
  test('a command goes to the desk, and its screen comes as a message with buttons', async () => {
    const { telegram, desk } = await startHouse();
    telegram.push(privateText(ANNA, '/start@tipoff_test_bot key'));
    await telegram.answered('sendMessage');
    expect(desk.moves).toEqual([
      {
        visitor: { platform: 'telegram', userId: '11', name: 'anna', chat: '11' },
        move: { kind: 'command', name: 'start', argument: 'key' },
      },
    ]);
    expect(telegram.messages(11)).toMatchObject([
      {
        text: expect.stringContaining('heard'),
        buttons: [{ text: 'Next', callback_data: 'next' }],
        isProtected: false,
      },
    ]);
  });

  test('a tap is acknowledged and changes the message it is under', async () => {
    const { telegram, desk } = await startHouse();
    desk.answer = (move) => page(move.kind);
    telegram.push(privateText(ANNA, 'hello'));
    await telegram.answered('sendMessage');
    const [message] = telegram.messages(11);
    if (message === undefined) throw new Error('no message');
    telegram.push(privateTap(ANNA, message, 'next'));
    await telegram.answered('editMessageText');
    await telegram.answered('answerCallbackQuery');
    expect(telegram.messages(11)).toMatchObject([{ text: 'tap' }]);
    expect(desk.moves.map(({ move }) => move)).toEqual([
      { kind: 'text', text: 'hello' },
      { kind: 'tap', action: 'next' },
    ]);
  });

  test('a key comes in a new, protected message, and the desk is told once it was taken', async () => {
    const { telegram, desk } = await startHouse();
    desk.answer = secretPage;
    telegram.push(privateText(ANNA, '/key'));
    await telegram.answered('sendMessage');
    await expect.poll(() => desk.shownScreens).toHaveLength(1);
    expect(telegram.messages(11)).toMatchObject([{ text: KEY, isProtected: true }]);
  });
});
