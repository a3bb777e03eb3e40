import { beforeAll, expect, test } from 'vitest';
import { alertPath } from '../../../src/core/alerts/site-paths.ts';
import { MINUTE_MS, SECOND_MS } from '../../../src/core/base/time/duration.ts';
import { alertOf, candidateOf } from '../../support/alerts.ts';
import type { Tab } from '../../support/browser/tab.ts';
import { START } from '../../support/rows.ts';
import { describeSiteInBrowser, type SiteOptions } from '../../support/site/describe-site-in-browser.ts';
import { linksOf } from '../../support/site/walk-site.ts';
import { storeAlerts } from '../../support/stored.ts';

await describeSiteInBrowser('a page that stays open', { now: START }, (site) => {
  async function open(path: string): Promise<Tab> {
    const tab = await site.open();
    await tab.visit(path);
    await tab.page.evaluate('window.isSameDocument = true');
    return tab;
  }
  /** A new alert waits at the top edge within 30 s, for which `until` waits. */
  const showNew = async (tab: Tab) => {
    await tab.until(`document.querySelector('.news')?.textContent === 'Show 1 new'`);
    await tab.page.click('.news button');
  };
  const shows = (text: string) => `document.body.textContent.includes(${JSON.stringify(text)})`;

  test('shows an alert 301 s after its publication without a reload', async () => {
    const question = 'Will the first measure pass?';
    const tab = await open('/');
    await site.publish(candidateOf({ key: 'w:first', eventTitle: question }));
    await site.pass(299 * SECOND_MS);
    expect(await tab.page.evaluate(shows(question))).toBe(false);
    await site.pass(2 * SECOND_MS);
    await showNew(tab);
    await tab.until(`isSameDocument && ${shows(question)}`);
    await tab.close();
  });
});

const CALL = 'window.isOwned=true';

/** Texts that would become something else than text, or hide or turn what is around them. */
const HOSTILE: Readonly<Record<string, string>> = {
  elements: `<script>${CALL}</script><img src=x onerror="${CALL}"><svg onload=${CALL}><iframe srcdoc="<script>">`,
  'the end of an attribute': `" onmouseover="${CALL}" x='' onfocus='${CALL}' autofocus tabindex=1 \` onclick=\`${CALL}`,
  'the end of the page':
    '</title></script></style></textarea></svg></main></body></html><h1>Owned</h1><!-- <![CDATA[ ]]> -->',
  'a link of a script': `javascript:${CALL}//https://example.com/`,
  templates: `\${${CALL}} {{constructor.constructor("${CALL}")()}} <%= ${CALL} %> {% raw %} [[\${7*7}]] #{7*7}`,
  entities: `&lt;script&gt;${CALL}&lt;/script&gt; &#60;b&#62; &amp;amp; &quot;&NewLine;&Tab;&colon;`,
  'marks of direction': 'Yes \u202e oN \u202d \u2066 \u2067 \u2068 \u2069 \u200e \u200f \u061c end',
  'characters without width': 'a\u200bb\u200c\u200d\u2060\ufeff\u00ad\u034f\u180e\u3164 end',
  'combining marks': `Z${'\u0335\u0321\u0489'.repeat(400)}algo`,
  'control characters': '\u0000 \u0007 \u001b[31m \u009b \r\n\t \u2028 \u2029 \ufffe \uffff end',
  'a hundred thousand characters': 'x'.repeat(100_000),
  'a hundred thousand elements': '<b>'.repeat(33_000),
  'nothing to read': ' \u200b\u00a0 ',
  'a path': '../../../etc/passwd?a=b#c%2e%2e/\\..;%00',
};

const HARMLESS = 'Will the measure pass?';

/** Each text as question and outcome, with a usual slug and as the slug. */
const ALERTS = [['harmless', HARMLESS] as const, ...Object.entries(HOSTILE)].flatMap(([name, text], index) =>
  [`measure-${index}`, text].map((slug, place) => ({ name, text, slug, id: 2 * index + place + 1 })),
);

const WITH_USUAL_SLUG = ALERTS.filter(({ slug }) => slug.startsWith('measure-'));

const SITE: SiteOptions = {
  now: START + 6 * MINUTE_MS,
  fill: (database) =>
    storeAlerts(
      database,
      ...ALERTS.map(({ id, text, slug }) =>
        alertOf({ id, marketId: `0xm${id}`, eventTitle: text, outcome: text, eventSlug: slug }),
      ),
    ),
};

await describeSiteInBrowser('text of a market', SITE, (site) => {
  let tab: Tab;
  beforeAll(async () => {
    tab = await site.open();
  });

  const isOfMarket = (path: string) => /^\/(?:alerts|markets|wallets)\/[^/]+$/.test(path);
  async function look(path: string): Promise<readonly string[]> {
    const response = await tab.visit(path);
    const { length } = await response.buffer();
    const problems = await tab.ask<readonly string[]>('probe.foreign()');
    return [...(length < 50_000 ? [] : [`${length} bytes`]), ...problems, ...tab.takeProblems()];
  }

  test('stays text on every page: no element, attribute, link or script comes of it', async () => {
    await tab.show({ width: 390, scheme: 'light' });
    const lists = ['/', `/?before_id=${ALERTS.length - 24}`, '/?search=owned'];
    const texts = lists.map(async (path) => (await fetch(site.origin + path)).text());
    const links = new Set([...lists, ...(await Promise.all(texts)).flatMap(linksOf).filter(isOfMarket)]);
    const found: Record<string, readonly string[]> = {};
    for (const path of links) found[path] = await look(path);
    expect(Object.entries(found).filter(([, problems]) => problems.length > 0)).toEqual([]);
    expect(links.size).toBeGreaterThan(1.8 * ALERTS.length);
  });

  test('leaves the page of its alert as it is with a harmless one', async () => {
    const counts = async (id: number) => {
      await tab.visit(alertPath(id));
      // The script adds where it says what is new.
      await tab.until(`document.querySelector('.news') !== null`);
      return { elements: await tab.ask('probe.elements()'), title: await tab.page.title() };
    };
    const usual = await counts(1);
    expect(usual.title).toContain(HARMLESS);
    for (const { name, id } of WITH_USUAL_SLUG) {
      const { elements, title } = await counts(id);
      expect(elements, name).toEqual(usual.elements);
      expect(title, name).toMatch(/ · Tipoff$/);
    }
  });
});
