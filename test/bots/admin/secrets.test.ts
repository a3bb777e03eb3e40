import { describe, expect, test } from 'vitest';
import { consoleCommands } from '../../../bots/admin/commands/table.ts';
import { hideSecrets } from '../../../bots/admin/record-acts.ts';
import {
  ANN,
  ANNS_KEY,
  actionsOf,
  away,
  keyOf,
  openConsoleFixture,
  wordsOfScreen,
} from './console-fixture.ts';

const SECRETS = {
  key: `sk_live_${ANNS_KEY.lookup}${'S3cr3t_-'.repeat(4)}x`,
  telegram: `123456789:${'AAbbCC-_9'.repeat(4)}`,
  discord: `${'M'.repeat(24)}.Gabc12.${'z'.repeat(38)}`,
  webhook: `whsec_${'a1+/'.repeat(10)}=`,
};
/** What must be seen nowhere: the part of each that is a secret. */
const PARTS = ['S3cr3t', 'AAbbCC', 'Gabc12', 'a1+/'];

const heldIn = (text: string) => PARTS.filter((part) => text.includes(part));

describe('the console keeps no secret', () => {
  test.each(consoleCommands().map(({ name }) => name))(
    '%s: a key or a token among its arguments is in no audit entry, log line, error or screen',
    async (name) => {
      const { type, tap, audited, lines } = await openConsoleFixture();
      const seen: string[] = [];
      for (const secret of Object.values(SECRETS)) {
        for (const argument of [
          secret,
          `${secret} 7`,
          `${secret} pro`,
          `1 ${secret}`,
          `${ANN.id} ${secret}`,
          `Acme for ${secret}`,
          `Acme rpm=${secret}`,
        ]) {
          const screen = await type(`${name} ${argument}`);
          // An Enterprise key is shown once: that is no secret of the arguments.
          seen.push(wordsOfScreen(screen), JSON.stringify(screen?.buttons));
          const [yes] = actionsOf(screen);
          if (screen?.name === 'admin_confirm' && yes !== undefined) seen.push(wordsOfScreen(await tap(yes)));
        }
      }

      expect(heldIn(seen.join('\n'))).toEqual([]);
      expect(heldIn((await audited()).join('\n'))).toEqual([]);
      expect(heldIn(JSON.stringify(lines))).toEqual([]);
    },
  );

  test('when the stores fail, neither the log nor the screen repeats what was typed', async () => {
    const gone = new Proxy({}, { get: () => away }) as never;
    const { ask, lines } = await openConsoleFixture(() => ({
      ...{ customers: gone, alerts: gone, database: { keys: gone, operatorReads: gone } },
    }));
    const seen: string[] = [];
    for (const { name } of consoleCommands()) {
      for (const secret of Object.values(SECRETS)) seen.push(await ask(`${name} ${secret} 7`));
    }
    expect(heldIn(seen.join('\n') + JSON.stringify(lines))).toEqual([]);
    expect(lines.length).toBeGreaterThan(0);
  });

  test('a key is audited by its lookup part, and still names its row', async () => {
    const { type, audited } = await openConsoleFixture();
    const screen = await type(`revoke ${SECRETS.key}`);
    expect(wordsOfScreen(screen)).toContain(ANNS_KEY.id);
    expect(await audited()).toEqual([
      expect.stringContaining(`telegram:123 | revoke | sk_live_${ANNS_KEY.lookup} | asked to confirm`),
    ]);
  });

  test('what a job says, or how a key is named, brings no secret into the audit log either', async () => {
    const outcome = Object.values(SECRETS).join(' ');
    const { type, audited, database } = await openConsoleFixture(() => ({
      runJob: async () => ({ isRun: true, period: 'p', isFailed: false, outcome }),
    }));
    await database.keys.insert(keyOf({ id: 'key_odd', name: SECRETS.key }));
    await type('run daily-digest');
    await type('revoke key_odd');
    const entries = (await audited()).join('\n');
    expect(entries).toContain(`sk_live_${ANNS_KEY.lookup}`);
    expect(heldIn(entries)).toEqual([]);
  });

  test('the new key of provision is on its screen alone, as its secret', async () => {
    const { type, audited, lines } = await openConsoleFixture();
    const screen = await type('provision Acme for @ann');
    const secret = screen?.secret?.text ?? '';
    expect(secret).toMatch(/^sk_live_[\w-]{43}$/);
    expect(wordsOfScreen(screen).split(secret)).toHaveLength(2);
    expect((await audited()).join() + JSON.stringify(lines)).not.toContain(secret.slice(0, 20));
  });

  test('addresses and plain words stay as they are', () => {
    for (const text of [
      'ann@example.com',
      'cus_aaaaaaaaaaaaaaaa 30',
      'telegram:123456789',
      'https://a.b.example/c',
    ]) {
      expect(hideSecrets(text)).toBe(text);
    }
  });
});
