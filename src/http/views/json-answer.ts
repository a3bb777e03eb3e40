import { ReadyAnswer } from './ready-answer.ts';

/** An answer with a JSON text. `vary`: the request headers besides `Accept-Encoding` that it depends on. */
export function jsonAnswer(json: string, cacheControl: string, vary = 'origin'): ReadyAnswer {
  return new ReadyAnswer(json, { contentType: 'application/json; charset=utf-8', cacheControl, vary });
}
