import { expect, test } from 'vitest';
import { missingOf } from '../../../bots/shared/bot-setup.ts';
import type { RigFault } from '../../support/chat/driver.ts';
import { onEachBot } from '../../support/chat/each-bot.ts';

onEachBot('the setup', (open, platform) => {
  test.each<RigFault>(['server error', 'lost', 'flood', 'token refused'])(
    'says nothing about the rights after a failure (%s), and shows no token',
    async (fault) => {
      const { setup, fail } = await open({ isStarted: false });
      fail('setup', fault);
      const error: unknown = await setup.inspect().catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(Error);
      const words = JSON.stringify(Object.entries(error as object)) + String(error);
      expect(words).not.toMatch(/AAE-abc|token-for-tests/);
    },
  );

  test.each<[RigFault | null, string[], string[]]>([
    [null, ['post', 'edit', 'delete'], []],
    ['no right', ['post'], ['post']],
  ])('is proved by a silent post that is edited and deleted (%s)', async (fault, steps, refused) => {
    const { setup, fail, inChannel } = await open({ isStarted: false });
    if (fault !== null) fail('send', fault);
    const items = await setup.prove();
    expect(items.map(({ name }) => name)).toEqual(steps.map((step) => `${platform}_test_${step}`));
    expect(missingOf(items).map(({ name }) => name)).toEqual(
      refused.map((step) => `${platform}_test_${step}`),
    );
    expect(inChannel()).toEqual([]);
  });

  test('of a channel where a post cannot be edited is proved by deleting it nevertheless', async () => {
    const { setup, fail, inChannel } = await open({ isStarted: false });
    fail('edit', 'refused');
    expect(missingOf(await setup.prove())).toMatchObject([
      { name: `${platform}_test_edit`, remedy: expect.stringContaining('refused in') },
    ]);
    expect(inChannel()).toEqual([]);
  });
});
