import type { FastifyInstance } from 'fastify';
import type { ApiDocument } from './openapi-types.ts';

/** A document for people. Its texts mark code by backticks and strong words by two stars. */
export interface TextPage {
  readonly path: string;
  readonly title: string;
  readonly description: string;
  readonly about: string;
  readonly sections: readonly TextSection[];
  /** For programs. */
  readonly json: unknown;
}

export interface TextSection {
  readonly id: string;
  readonly title: string;
  /** Beside the title. */
  readonly note: string;
  readonly paragraphs: readonly string[];
}

export interface HtmlDocument {
  readonly html: string;
  readonly policy: string;
}

/** Draws the documents for people, in the look of the site. */
export interface DocumentPages {
  /** The styles and scripts that pages load. */
  registerFiles(app: FastifyInstance): void;
  textPage(page: TextPage, publicUrl: string): HtmlDocument;
  referencePage(document: ApiDocument, path: string, publicUrl: string): HtmlDocument;
}

export interface DocumentContext {
  readonly documents: DocumentPages;
  readonly publicUrl: string;
}
