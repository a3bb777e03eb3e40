/** Whether the sources run, as in a checkout. The image has compiled files, and neither examples nor scripts. */
export const IS_CHECKOUT = import.meta.filename.endsWith('.ts');

export const MIDTERMS_TAPE = `${IS_CHECKOUT ? 'data/tapes' : 'tapes'}/midterms-2022.jsonl.gz`;

export const PROGRAM = IS_CHECKOUT ? 'node bin/tipoff.js' : 'tipoff';

/** What an operator types on the host to run a command of this program. In the image: from outside the container. */
export const PROGRAM_ON_HOST = IS_CHECKOUT ? PROGRAM : 'docker compose exec tipoff tipoff';
