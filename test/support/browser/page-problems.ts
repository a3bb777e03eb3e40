import { type Tab, VIEWS } from './tab.ts';

/** What is wrong with a page as it is shown, in every view. */
export async function looksOf(tab: Tab): Promise<readonly string[]> {
  const problems: string[] = [];
  for (const view of VIEWS) {
    await tab.show(view);
    // All rules once at each width and in each scheme: no colour depends on the width.
    const isWhole = (view.width === 390) === (view.scheme === 'light');
    const seen = await tab.examine(isWhole);
    problems.push(...seen.map((problem) => `${view.width} px, ${view.scheme}: ${problem}`));
  }
  return problems;
}

const STEPS_MAX = 30;

/** Where the focus is not seen, and what is wrong with the first one. */
export async function keyboardProblems(tab: Tab): Promise<readonly string[]> {
  const { keyboard } = tab.page;
  const problems: string[] = [];
  for (let step = 1; step <= STEPS_MAX; step++) {
    await keyboard.press('Tab');
    const focus = await tab.ask<{ name: string; isInView: boolean; hasFrame: boolean } | null>(
      'probe.focus()',
    );
    if (focus === null) break;
    if (step === 1 && !focus.name.includes('#main')) problems.push(`first: ${focus.name}`);
    if (!focus.isInView || !focus.hasFrame) problems.push(JSON.stringify(focus));
  }
  return problems;
}

export async function textAt(tab: Tab, path: string): Promise<string> {
  await tab.visit(path);
  return tab.ask('probe.text()');
}
