import { parentPort } from 'node:worker_threads';
import type { CardSubject } from '../../core/alerts/cards/card.ts';
import { drawCard } from './draw-card.ts';

export type CardReply = { readonly png: Uint8Array<ArrayBuffer> } | { readonly error: string };

parentPort?.on('message', async (subject: CardSubject) => {
  try {
    const png = await drawCard(subject);
    parentPort?.postMessage({ png } satisfies CardReply, [png.buffer]);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    parentPort?.postMessage({ error: reason } satisfies CardReply);
  }
});
