import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { capacityCommand } from '../../src/cli/capacity.ts';
import { costsTable } from '../../src/core/operations/capacity/costs.ts';
import { tipoffFixture } from '../support/run-tipoff.ts';

describe('tipoff capacity', () => {
  test('prints processes, memory, database and what ends first, as docs/capacity.md shows; it needs no database', async () => {
    const { tipoff } = await tipoffFixture();
    const page = await readFile('docs/capacity.md', 'utf8');
    const [, line = '', output = ''] =
      /```sh\nnpx tipoff capacity (.*)\n```\n\n```\n([^`]*)```/.exec(page) ?? [];
    expect(await tipoff('capacity', ...line.split(' '))).toEqual({ code: 0, out: output, err: '' });
    expect(output).toMatch(
      /^role .*\napi .*\ndeliver [\s\S]*\nMemory: [\s\S]*\nDatabase: .* after 365\.\n\nEnds first: /,
    );
  });

  test('a demand that one process serves is said to need one; SQLite always has one', async () => {
    const { tipoff } = await tipoffFixture();
    const small = ['--clients', '100', '--alerts-per-day', '300', '--requests-per-second', '5'];
    expect((await tipoff('capacity', ...small)).out).toMatch(
      /^One process with all roles is enough, with 8\d\d MB;/m,
    );
    const many = await tipoff('capacity', '--clients', '9000', '--database', 'sqlite');
    expect(many.out).toMatch(/^role .*\nall +1 /);
    expect(many.out).toContain(
      'Ends first: the sockets of the one process: 9,000 of 8,000 sockets, at 0.89 times',
    );
    expect((await tipoff('capacity', '--clients', '9000')).out).not.toContain('One process with all roles');
  });

  test.each([
    [[], 'State the load, for example --clients 1000'],
    [['--clients', 'many'], '--clients: expected a number from 0 to 1,000,000,000, got "many"'],
    [['--webhooks', '1e3'], '--webhooks: expected a number from 0 to 1,000,000,000, got "1e3"'],
    [['--keys', '1000000001'], '--keys: expected a number from 0 to 1,000,000,000, got "1000000001"'],
    [['--search-percent', '101'], '--search-percent: expected a number from 0 to 100, got "101"'],
    [['--clients', '1', '--database', 'mysql'], '--database: expected mongodb or sqlite, got "mysql"'],
    [['--users', '1'], "Unknown option '--users'"],
  ])('%j is refused with what is wrong', async (args, message) => {
    await expect(capacityCommand.run(args)).rejects.toThrow(message);
  });

  test('the help names every option', async () => {
    const { tipoff } = await tipoffFixture();
    const { out, code } = await tipoff('capacity', '--help');
    expect(code).toBe(0);
    for (const name of [
      'clients',
      'requests-per-second',
      'search-percent',
      'alerts-per-day',
      'webhooks',
      'database',
    ])
      expect(out).toContain(`--${name} `);
  });

  test('docs/capacity.md has the costs that the code has', async () => {
    const [, table] =
      /<!-- costs -->\n([\s\S]*)<!-- \/costs -->/.exec(await readFile('docs/capacity.md', 'utf8')) ?? [];
    expect(table).toBe(costsTable());
  });
});
