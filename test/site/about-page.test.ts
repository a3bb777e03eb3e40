import { expect, test } from 'vitest';
import { startSite } from '../support/site.ts';

test('/about says what an alert is not, how late pages are, and whose address takes corrections', async () => {
  const { page } = await startSite({}, { CONTACT: 'ann@example.com' });
  const text = (await page('/about')).text.replaceAll(/\s+/g, ' ');
  for (const words of [
    'It is not proof',
    'It is not a forecast',
    'It is not investment advice',
    'see it 5 min later',
  ])
    expect(text).toContain(words);
  expect(text).toContain('Write to <a href="mailto:ann@example.com">ann@example.com</a>.');
});

test('/about invents no address where the operator has named none', async () => {
  const { text } = await (await startSite()).page('/about');
  expect(text).toContain('This service has no listed contact');
  expect(text).not.toMatch(/mailto:/);
});
