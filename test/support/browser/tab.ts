import type { HTTPRequest, HTTPResponse, Page } from 'puppeteer-core';
import type { EpochMs } from '../../../src/core/base/time/duration.ts';

export interface View {
  readonly width: number;
  readonly scheme: 'light' | 'dark';
}

export const VIEWS: readonly View[] = [1_440, 390].flatMap((width) =>
  (['dark', 'light'] as const).map((scheme) => ({ width, scheme })),
);

interface TabOptions {
  readonly origin: string;
  /** What a page is asked with, evaluated in it before the first question. */
  readonly probe: string;
  /** The same for the first examination: half a megabyte, that other questions do without. */
  readonly axe: string;
}

const HEIGHT = 900;

export class Tab {
  readonly page: Page;
  /** Errors and warnings of the console, the policy’s refusals included; requests that failed, were refused or went elsewhere. */
  readonly problems: string[] = [];
  readonly #options: TabOptions;
  /** Which of these scripts the page has. */
  readonly #given = new Set<'probe' | 'axe'>();
  #timeScript: string | null = null;

  constructor(page: Page, options: TabOptions) {
    this.page = page;
    this.#options = options;
    page.on('console', (message) => {
      if (/^(?:error|warn)/.test(message.type())) this.problems.push(`console: ${message.text()}`);
    });
    page.on('pageerror', (error) => this.problems.push(`script: ${String(error)}`));
    page.on('request', (request) => this.#noteElsewhere(request));
    page.on('requestfailed', (request) => this.#noteFailed(request));
    page.on('response', (response) => this.#noteRefused(response));
  }

  /** Loads a page of the origin; resolves when its files are loaded, too. */
  async visit(path: string): Promise<HTTPResponse> {
    this.#given.clear();
    const response = await this.page.goto(this.#options.origin + path);
    if (response === null) throw new Error(`${path} was not loaded`);
    return response;
  }

  async show({ width, scheme }: View): Promise<void> {
    await this.page.setViewport({ width, height: HEIGHT });
    await this.page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
  }

  /** The result of an expression in the page; `probe` has the functions of probe.js. */
  async ask<Result>(expression: string): Promise<Result> {
    await this.#give('probe');
    return (await this.page.evaluate(expression)) as Result;
  }

  /** All that is wrong with the page as it is seen now; `isWhole`: with all rules of axe. */
  async examine(isWhole: boolean): Promise<readonly string[]> {
    await this.#give('axe');
    return this.ask(`probe.problems(${isWhole})`);
  }

  async #give(name: 'probe' | 'axe'): Promise<void> {
    if (!this.#given.has(name)) await this.page.evaluate(this.#options[name]);
    this.#given.add(name);
  }

  /** Resolves when the expression is true in the page; it is looked at with each change of the document, or with each frame. */
  async until(expression: string, polling: 'mutation' | 'raf' = 'mutation'): Promise<void> {
    await this.page.waitForFunction(expression, { polling });
  }

  /** The time of its pages, from now on: it stands until it is set again. */
  async setTime(now: EpochMs): Promise<void> {
    const script = `Date.now = () => ${now};`;
    const former = this.#timeScript;
    const { identifier } = await this.page.evaluateOnNewDocument(script);
    this.#timeScript = identifier;
    if (former !== null) await this.page.removeScriptToEvaluateOnNewDocument(former);
    await this.page.evaluate(script);
  }

  /** The problems since the last call. */
  takeProblems(): readonly string[] {
    return this.problems.splice(0);
  }

  /** From now on no file is taken from the cache. Returns the bytes received so far, as sent, headers included. */
  async countBytes(): Promise<() => number> {
    const session = await this.page.createCDPSession();
    let bytes = 0;
    session.on('Network.loadingFinished', ({ encodedDataLength }) => {
      bytes += encodedDataLength;
    });
    await session.send('Network.enable');
    await session.send('Network.setCacheDisabled', { cacheDisabled: true });
    return () => bytes;
  }

  async close(): Promise<void> {
    await this.page.browserContext().close();
  }

  #noteElsewhere(request: HTTPRequest): void {
    if (new URL(request.url()).origin !== this.#options.origin)
      this.problems.push(`elsewhere: ${request.url()}`);
  }

  #noteFailed(request: HTTPRequest): void {
    const reason = request.failure()?.errorText ?? '';
    // A page that is left ends its reading.
    const isLeft = reason === 'net::ERR_ABORTED' && request.resourceType() === 'fetch';
    if (!isLeft) this.problems.push(`${reason}: ${request.url()}`);
  }

  #noteRefused(response: HTTPResponse): void {
    if (response.status() >= 400) this.problems.push(`${response.status()}: ${response.url()}`);
  }
}
