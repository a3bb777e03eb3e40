import type { FastifyRequest } from 'fastify';
import { type ZodObject, type ZodRawShape, z } from 'zod';
import { queryInteger, queryLimit } from '../http/query/query-values.ts';
import { invalidRequestOfIssues } from '../http/schemas/validation.ts';
import type { ServerDeps } from '../http/server-deps.ts';
import { alertItemSchema, IN_DETAILS } from '../http/views/alert-view.ts';

/** The request that carries a call: its key or its address, and with them its limits and its delay. */
export interface ToolCall {
  readonly request: FastifyRequest;
  readonly deps: ServerDeps;
}

interface ToolSpec<Input extends ZodRawShape, Output extends ZodRawShape> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** Parameters of a REST route. */
  readonly input: Input;
  /** A part of a REST answer. */
  readonly output: ZodObject<Output>;
  /** The REST answer; what `output` does not have is left out. */
  run(args: z.infer<ZodObject<Input>>, call: ToolCall): Promise<z.input<ZodObject<Output>>>;
}

export interface Tool
  extends Pick<ToolSpec<ZodRawShape, ZodRawShape>, 'name' | 'title' | 'description' | 'output'> {
  readonly input: ZodObject;
  run(args: Readonly<Record<string, unknown>>, call: ToolCall): Promise<object>;
}

export function defineTool<Input extends ZodRawShape, Output extends ZodRawShape>(
  spec: ToolSpec<Input, Output>,
): Tool {
  const { name, title, description, output } = spec;
  const input = z.strictObject(spec.input);
  return {
    name,
    title,
    description,
    input,
    output,
    async run(args: Readonly<Record<string, unknown>>, call: ToolCall): Promise<object> {
      const parsed = input.safeParse(asParameters(args), { reportInput: true });
      if (!parsed.success) throw invalidRequestOfIssues('arguments', parsed.error.issues);
      return output.parse(await spec.run(parsed.data as z.infer<ZodObject<Input>>, call));
    },
  };
}

/** Parameters of REST are text, in which there are no halves of characters. Models send null for what they leave out. */
function asParameters(args: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const given = Object.entries(args).filter(([, value]) => value !== null);
  return Object.fromEntries(
    given.map(([name, value]) => [
      name,
      ['number', 'boolean', 'string'].includes(typeof value) ? String(value).toWellFormed() : value,
    ]),
  );
}

export const MAX_ROWS = 20;
const USUAL_ROWS = 10;

/** The parameters of every tool with a list. */
export const pageInput = {
  limit: queryLimit('Maximum number of rows.', { max: MAX_ROWS, usual: USUAL_ROWS }),
  cursor: queryInteger({ min: 1, max: Number.MAX_SAFE_INTEGER })
    .optional()
    .meta({ description: '`next_cursor` of the previous answer, for older rows.' }),
};

/** Where `pageInput` goes on. */
export const nextCursor = z
  .number()
  .int()
  .nullable()
  .describe('`cursor` of the older rows; null when there are none.');

/** An alert in a list: the short form of REST. */
export const rowSchema = alertItemSchema.omit(IN_DETAILS);
