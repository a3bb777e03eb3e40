import { setTimeout as delay } from 'node:timers/promises';
import { askFrom } from './ask-from.ts';
import type { Attack } from './attack.ts';
import { ALERTS } from './attacked-service.ts';

const ATTACKERS = ['127.0.0.31', '127.0.0.32'];
const OUTSTANDING = 24;
const REQUESTS_MAX = 20_000;
const CARDS = 100;
const CARDS_MIN = 95;

export const cardAttack: Attack = {
  name: 'pictures, asked for by two addresses, 24 at a time each',
  async strike(address) {
    const over = new AbortController();
    const ask = (from: string, id: number) =>
      askFrom({ address, from, path: `/alerts/${id}.png`, signal: over.signal });
    // The first card loads fonts.
    await ask('127.0.0.1', ALERTS);
    let asked = 0;
    const attack = async (from: string) => {
      while (!over.signal.aborted && asked < REQUESTS_MAX) {
        asked += 1;
        const status = await ask(from, CARDS + 1 + (asked % (ALERTS - CARDS - 1)));
        // A refusal is immediate.
        if (status !== 200) await delay(100);
      }
    };
    const attacking = ATTACKERS.flatMap((from) => Array.from({ length: OUTSTANDING }, () => attack(from)));
    await delay(500);
    const startedAt = performance.now();
    const statuses: number[] = [];
    for (let id = 1; id <= CARDS; id += 1) statuses.push(await ask('127.0.0.33', id));
    const seconds = (performance.now() - startedAt) / 1_000;
    over.abort();
    await Promise.all(attacking);
    const drawn = statuses.filter((status) => status === 200).length;
    return {
      figures: [
        `${drawn} of ${CARDS} cards of another address drawn, in ${seconds.toFixed(1)} s; ${asked} requests`,
      ],
      problems: drawn < CARDS_MIN ? [`fewer than ${CARDS_MIN} cards`] : [],
    };
  },
};
