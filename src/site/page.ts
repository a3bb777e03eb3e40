import type { ScriptName } from './assets.ts';
import type { Html } from './html.ts';

/** A page of the site without its frame. */
export interface Page {
  /** Without the name of the site. */
  readonly title: string;
  /** For search engines and previews: one sentence or two. */
  readonly description: string;
  /** Its one address, from the root: `/alerts/12`. */
  readonly path: string;
  /** Default: true. */
  readonly isIndexed?: boolean;
  /** Address of its picture, from the root. */
  readonly image?: string;
  /** An event of one of these topics means that the page has changed. Default: none, and the page stays as it was read. */
  readonly topics?: readonly string[];
  /** Besides the one of every page. */
  readonly scripts?: readonly ScriptName[];
  /** The contents of `main`. Parts that may change have `id` and `data-live`. */
  readonly body: Html;
}
