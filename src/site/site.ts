import type { FastifyReply, FastifyRequest, preSerializationHookHandler } from 'fastify';
import type { CallerSchedule } from '../core/alerts/archive/archive-scheduler.ts';
import { schedulePage } from '../http/hooks/archive-schedule.ts';
import { isForPeople } from '../http/hooks/missing-route.ts';
import type { Api, ServerDeps } from '../http/server-deps.ts';
import type { MadePage } from '../http/views/page-cache.ts';
import { ReadyAnswer } from '../http/views/ready-answer.ts';
import { documentOf } from './layout.ts';
import type { Page } from './page.ts';
import { failureDocument, NOT_FOUND } from './refusal-documents.ts';
import type { SiteDeps } from './site-deps.ts';

/** Scripts, styles and data from this service only; nothing inline, nothing in a frame. */
export const SITE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

const HTML = 'text/html; charset=utf-8';
/** Kept, and asked for again each time: the tag decides. */
const CACHE = 'public, no-cache';

/** What the routes of the site share. */
export interface SitePart {
  readonly app: Api;
  readonly deps: ServerDeps;
  readonly site: SiteDeps;
}

/** A page of a route for one request. */
export interface AskedPage {
  /** Two requests with the same name get the same bytes. */
  readonly name: string;
  /** Null if there is none. */
  make(schedule: CallerSchedule): Promise<Page | null> | Page | null;
}

/** Answers with a page, from memory or made now, or with the page for what is not found. */
export async function sendPage(
  { deps, site }: SitePart,
  { name, make }: AskedPage,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const makePage = async (schedule: CallerSchedule): Promise<MadePage | null> => {
    const page = await make(schedule);
    if (page === null) return null;
    const text = documentOf(page, deps.publicUrl);
    return { answer: answerOf(text), bytes: text.length, topics: page.topics ?? [] };
  };
  const found = await site.pages.get(name, () => schedulePage(request, deps, makePage));
  if (found !== null) return found.send(request, reply);
  sendNotFound(reply);
}

const UNCACHED = { 'content-type': HTML, 'content-security-policy': SITE_POLICY };

/** A 404 for people. */
export function sendNotFound(reply: FastifyReply): void {
  void reply.code(404).headers(UNCACHED).send(NOT_FOUND);
}

/** Refusals and failures of pages as short documents: for browsers, where programs get JSON. */
export const errorsAsDocuments: preSerializationHookHandler<unknown> = (request, reply, payload, done) => {
  const { statusCode } = reply;
  if (statusCode >= 400 && isForPeople(request)) {
    const document = failureDocument(statusCode, request.id);
    reply.headers({ ...UNCACHED, vary: 'accept' }).serializer(() => document);
  }
  done(null, payload);
};

function answerOf(text: string): ReadyAnswer {
  const headers = { 'content-security-policy': SITE_POLICY };
  return new ReadyAnswer(text, { contentType: HTML, cacheControl: CACHE, headers });
}
