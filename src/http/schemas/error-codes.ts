import { z } from 'zod';
import { ERRORS } from './error-table.ts';

export type ErrorCode = keyof typeof ERRORS;

export type PlainErrorCode = {
  [Code in ErrorCode]: (typeof ERRORS)[Code] extends { readonly detail: string } ? Code : never;
}[ErrorCode];

export const ERROR_CODES = Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]];

export const errorCodeSchema = z.enum(ERROR_CODES).meta({
  id: 'ErrorCode',
  description:
    'What went wrong, for programs. `/docs/errors` explains each code. Later versions may add codes.',
});

/** The body of every refusal except 422. A route declares those of its handler; the others are added to the API document. */
export const errorSchema = z
  .object({ detail: z.string().describe('The problem, in words.'), code: errorCodeSchema })
  .meta({ id: 'Error', description: 'A refusal.' });

/** The code of a refusal by the framework or by Node, which says the same whatever was asked; `bad_request` for a status that neither uses now. */
export function earlyCode(status: number): PlainErrorCode {
  const isPlain = (code: ErrorCode): code is PlainErrorCode => 'detail' in ERRORS[code];
  return codesOf(status).find(isPlain) ?? 'bad_request';
}

export type ErrorBody = z.infer<typeof errorSchema>;

export function plainBody(code: PlainErrorCode): ErrorBody {
  return { detail: ERRORS[code].detail, code };
}

export function codesOf(status: number): readonly ErrorCode[] {
  return ERROR_CODES.filter((code) => ERRORS[code].status === status);
}

/** The header of an error that leads to the explanation of its code (RFC 8288). */
export function helpLink(code: ErrorCode): { readonly link: string } {
  return { link: `</docs/errors#${code}>; rel="help"` };
}
