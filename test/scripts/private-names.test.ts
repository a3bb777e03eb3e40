import { ts } from '@ts-morph/common';
import { describe, expect, test } from 'vitest';
import { privateNames } from '../../scripts/code/private-names.ts';

function namesIn(file: string, text: string, allowed: Parameters<typeof privateNames>[1] = []) {
  const tree = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  return privateNames({ file, text, tree }, allowed).map(({ where, name }) => `${where} ${name}`);
}

describe('privateNames', () => {
  test('finds a private word in a file name, an identifier, a private member and a name as a string', () => {
    const text = "const helpDesk = 1;\nclass A {\n  #lanes = 'door';\n  insisting() {}\n}\n";
    expect(namesIn('src/core/turn-queue.ts', text)).toEqual([
      'src/core/turn-queue.ts turn-queue',
      'src/core/turn-queue.ts:1 helpDesk',
      'src/core/turn-queue.ts:3 #lanes',
      'src/core/turn-queue.ts:3 door',
      'src/core/turn-queue.ts:4 insisting',
    ]);
  });

  test('finds no word within another, nor in a sentence', () => {
    const text =
      "const reminder = returned; // the house\nconst text = 'the door of the house';\nreplace(plane);\n";
    expect(namesIn('src/a.ts', text)).toEqual([]);
  });

  test('an allowed name is allowed in its files only', () => {
    const allowed = [{ name: 'lane', files: /^src\/core\/chat/ }];
    expect(namesIn('src/core/chat/a.ts', 'const lane = 1;', allowed)).toEqual([]);
    expect(namesIn('src/core/b.ts', 'const lane = 1;', allowed)).toEqual(['src/core/b.ts:1 lane']);
  });
});
