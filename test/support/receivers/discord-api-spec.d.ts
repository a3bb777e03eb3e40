/** The package has no types of its schemas. */
declare module 'discord-api-spec/zod' {
  import type { z } from 'zod';

  export const IncomingWebhookRequestPartialSchema: z.ZodType<{
    readonly content?: string | null;
    readonly allowed_mentions?: { readonly parse?: readonly string[] | null } | null;
  }>;
}
