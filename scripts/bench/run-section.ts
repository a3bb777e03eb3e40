import { SECTIONS } from './sections.ts';

const section = SECTIONS.find(({ name }) => name === process.argv[2]);
if (section === undefined) throw new Error(`there is no section ${process.argv[2]}`);
process.send?.(await section.run());
process.disconnect?.();
