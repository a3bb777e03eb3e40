import { describe, expect, onTestFinished, test } from 'vitest';
import { DiscordMessenger } from '../../../bots/discord/discord-messenger.ts';
import { createDiscordRest } from '../../../bots/discord/discord-rest.ts';
import { plainScreen, type Screen } from '../../../bots/shared/screen.ts';
import { createDiscordStandIn, TOKEN } from '../../support/chat/discord-stand-in.ts';
import { CHANNEL } from '../../support/chat/discord-wire.ts';

const { signal } = new AbortController();
const PICTURE = 'https://tipoff.example.com/alerts/1.png?v=1-open';
const SETTLED = 'https://tipoff.example.com/alerts/1.png?v=1-paid-1';
const alert = (picture: string | null, text = 'A trade of $5,000.'): Screen => ({
  ...plainScreen('alert', [text], []),
  preview: picture === null ? null : { page: 'https://tipoff.example.com/alerts/1', picture },
});

async function open() {
  const standIn = await createDiscordStandIn();
  onTestFinished(() => standIn.close());
  const rest = createDiscordRest({ token: TOKEN, apiRoot: standIn.api, timeoutMs: 2_000 });
  const messenger = new DiscordMessenger({ rest, channelId: CHANNEL });
  return { standIn, messenger, newest: () => [...standIn.messages.values()].at(-1) };
}

describe('a post with a picture on Discord', () => {
  test('shows it, in an edit another one or none', async () => {
    const { messenger, newest } = await open();
    const sent = await messenger.send('channel', alert(PICTURE), signal);
    if (!sent.ok) throw new Error(sent.detail);
    expect(newest()).toMatchObject({ content: 'A trade of $5,000.', pictures: [PICTURE] });
    await messenger.edit(sent.place, alert(SETTLED, 'Right.'), signal);
    expect(newest()).toMatchObject({ content: 'Right.', pictures: [SETTLED] });
    await messenger.edit(sent.place, alert(null), signal);
    expect(newest()).toMatchObject({ pictures: [] });
    await messenger.edit(sent.place, alert(PICTURE), signal);
    expect(newest()).toMatchObject({ pictures: [PICTURE] });
  });

  test('pings no user, and no address in a title gets a preview', async () => {
    const { standIn, messenger, newest } = await open();
    await messenger.send('channel', alert(PICTURE, 'See https://evil.example/x @everyone'), signal);
    expect(newest()?.content).toContain('<https://evil.example/x>');
    expect(standIn.calls.at(-1)?.body).toMatchObject({ allowed_mentions: { parse: [] }, flags: 0 });
  });

  test.each(['discord.gg/scam', 'join DISCORD.com/invite/scam', 'discordapp . com/invite/x'])(
    'has none beside what Discord would make an invitation of: %s',
    async (text) => {
      const { standIn, messenger, newest } = await open();
      await messenger.send('channel', alert(PICTURE, text), signal);
      expect(newest()).toMatchObject({ pictures: [] });
      expect(standIn.calls.at(-1)?.body).toMatchObject({ flags: 4 });
    },
  );

  test('is sent without it when Discord refuses its address', async () => {
    const { messenger, newest } = await open();
    expect(await messenger.send('channel', alert('ftp://a.example/1.png'), signal)).toMatchObject({
      ok: true,
    });
    expect(newest()).toMatchObject({ content: expect.stringContaining('A trade'), pictures: [] });
  });
});
