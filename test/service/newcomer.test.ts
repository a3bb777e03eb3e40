import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { openTerminalChat, startReplay } from '../support/replay-service.ts';

/** The lines that a person types in the transcript of docs/bots.md. */
async function typedInDocs(): Promise<readonly string[]> {
  const [, shown = ''] =
    /<!-- newcomer -->([\s\S]*)<!-- \/newcomer -->/.exec(await readFile('docs/bots.md', 'utf8')) ?? [];
  return Array.from(shown.matchAll(/^[\w ]*> (.+)$/gm), ([, line = '']) => line);
}

test('a newcomer has the first alert of their own within four taps after /start, from the tape, as docs/bots.md shows', async () => {
  const { config } = await startReplay();
  const { type, text } = await openTerminalChat(config);

  const [start, ...taps] = await typedInDocs();
  expect([start, taps.length >= 1, taps.length <= 4]).toEqual(['/start', true, true]);
  for (const line of ['/start', ...taps]) type(line);
  await expect.poll(text).toContain('You follow politics');
  await expect.poll(text).toMatch(/\n\d+ · [^\n]* to win \$[\d,]+\n/);

  const [alert = ''] = /\n\d+ · [^\n]* to win \$[\d,]+\n[\s\S]*/.exec(text()) ?? [];
  expect(alert).toMatch(
    /\nYour follow: politics\n\n {2}6 {2}Why\n {2}7 {2}Polymarket .*\n {2}8 {2}Follow (?:wallet|market)\n {2}9 {2}Mute market\n/,
  );
  // It is not shown early: the same person may ask for it.
  type('Why');
  await expect.poll(text).toMatch(/> Why\n\nAlert \d+\n/);
  expect(text()).not.toContain('no service runs');
});
