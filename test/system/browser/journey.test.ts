import { expect, onTestFinished, test } from 'vitest';
import { describeInBrowser } from '../../support/browser/describe-in-browser.ts';
import type { Tab } from '../../support/browser/tab.ts';
import { openTerminalChat, startReplay } from '../../support/replay-service.ts';

const POLITICS = '/?sort=strongest&category=politics';

interface AlertData {
  readonly result: string;
  readonly alert: { readonly details: { readonly reasons: readonly { readonly note: string }[] } };
}

await describeInBrowser('a stranger', (startBrowser) => {
  test('follows a kind of bet to a message in the chat, and finds the strongest, why it is suspicious and what came of it', {
    timeout: 180_000,
  }, async () => {
    const { config, origin } = await startReplay();
    const browser = await startBrowser();
    onTestFinished(() => browser.close());
    const tab = await browser.open(origin);
    await tab.visit(POLITICS);
    await tab.page.click('.follow summary');
    const [open, follow = ''] = await tab.ask<readonly string[]>(
      `[...document.querySelectorAll('.follow[open] code')].map(({ textContent }) => textContent)`,
    );
    expect([open, follow]).toEqual([expect.stringMatching(/tipoff.* chat --demo$/), '/follow politics']);

    const chat = await openTerminalChat(config);
    chat.type(follow);
    await expect.poll(chat.text).toContain('1  Follow');
    chat.type('1');
    await expect.poll(chat.text).toContain('You follow politics');
    await expect.poll(chat.text).toMatch(/\n\d+ · [^\n]* to win \$[\d,]+\n[\s\S]*Your follow: politics\n/);

    // The first markets of the day settle a minute after its beginning.
    const isSettled = async () => {
      await tab.visit(`${POLITICS}&resolved=true`);
      return tab.ask<boolean>(`document.querySelector('article.alert') !== null`);
    };
    await expect.poll(isSettled, { timeout: 90_000, interval: 2_000 }).toBe(true);

    await Promise.all([tab.page.waitForNavigation(), tab.page.click('article.alert .trade a')]);
    const path = new URL(tab.page.url()).pathname;
    expect(path).toMatch(/^\/alerts\/\d+$/);
    const { alert, result } = (await (await fetch(`${origin}${path}.json`)).json()) as AlertData;
    const shown = await textOf(tab);
    for (const reason of alert.details.reasons)
      expect(shown.toLowerCase()).toContain(reason.note.toLowerCase());
    const [figure = 'none'] = /\$[\d,]+/.exec(result) ?? [];
    expect(shown).toContain(figure);
    expect(tab.takeProblems()).toEqual([]);
  });
});

function textOf(tab: Tab): Promise<string> {
  return tab.ask<string>(`document.querySelector('main').textContent.replaceAll(/\\s+/g, ' ')`);
}
