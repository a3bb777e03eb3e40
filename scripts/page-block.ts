import { readFile, writeFile } from 'node:fs/promises';

export async function writeBlock(page: string, name: string, text: string): Promise<void> {
  const block = new RegExp(`(<!-- ${name} -->\n)[\\s\\S]*?(<!-- /${name} -->)`);
  const former = await readFile(page, 'utf8');
  await writeFile(
    page,
    former.replace(block, (_all, begin: string, end: string) => `${begin}${text}${end}`),
  );
}
