// @ts-check
// Reads the page again while it is seen. A part that changed is replaced where that moves nothing; new rows, and what would move
// something, wait behind a button at the top edge. After the first frame it dispatches `start`.

/** Open pages ask at different moments. */
const READ_EVERY_MS = 15_000 + Math.random() * 5_000;
const LOST_AFTER_MS = 30_000;

const ROWS = '[data-live="row"]';

/** @param {Document} page */
const partsOf = (page) => page.querySelectorAll('[data-live]:not([data-live="list"])');

/** The parts of a page as they are served, without the words of times, where ages are written. @param {Document} page */
const textsOf = (page) => new Map([...partsOf(page)].map((part) => [part.id, servedText(part)]));

/** @param {Element} part */
const servedText = (part) => part.innerHTML.replaceAll(/(<time datetime="[^"]*")[^<]*/g, '$1');

/** @type {Map<string, string>} */
let texts = new Map();
const title = document.title;

/** What was read last, with its parts as they were served. @type {{ text: string, page: Document, texts: Map<string, string> } | null} */
let newest = null;

const news = document.createElement('p');
const [lostNote, button] = [document.createElement('span'), document.createElement('button')];

/** The page as the service has it now; null without an answer. */
async function read() {
  try {
    const signal = AbortSignal.timeout(READ_EVERY_MS);
    const answer = await fetch(location.href, { headers: { accept: 'text/html' }, signal });
    return answer.ok ? await answer.text() : null;
  } catch {
    return null;
  }
}

async function refresh() {
  const text = await read();
  if (text === null) return;
  expectAnswer();
  if (text !== newest?.text) newest = parsed(text);
  update();
  storeVisit();
}

/** @param {string} text */
function parsed(text) {
  const page = new DOMParser().parseFromString(text, 'text/html');
  const served = textsOf(page);
  showNew(page);
  return { text, page, texts: served };
}

let lostTimer = 0;

/** Says that the connection is lost, unless this is called again in time. */
function expectAnswer() {
  clearTimeout(lostTimer);
  write(lostNote, '');
  lostTimer = setTimeout(write, LOST_AFTER_MS, lostNote, 'Connection lost');
}

/** Replaces what can be replaced while the page is read; the rest waits until it is asked for, or out of sight. */
function update() {
  showAges(newest.page);
  let isMore = false;
  for (const part of partsOf(document)) {
    const newer = newest.page.getElementById(part.id);
    const text = newest.texts.get(part.id);
    if (newer === null || text === texts.get(part.id)) continue;
    if (!isRead(part) && replaced(part, newer.cloneNode(true))) texts.set(part.id, text);
    else isMore = true;
  }
  const count = newRows().length;
  const changed = isMore ? 'Show what changed' : '';
  document.title = count > 0 ? `(${count}) ${title}` : title;
  write(button, count > 0 ? `Show ${count} new` : changed);
}

/** Something in it is selected, unfolded, scrolled or being used. @param {Element} part */
function isRead(part) {
  const isScrolled = [...part.querySelectorAll('.scroll')].some(({ scrollLeft }) => scrollLeft > 0);
  return isScrolled || isSelected(part) || part.querySelector('.cursor, [open], :focus:not(a)') !== null;
}

/** Whether the part was replaced: not if that moves what is seen. @param {Element} part @param {Element} newer */
function replaced(part, newer) {
  const focused = part.contains(document.activeElement) && document.activeElement.getAttribute('href');
  const before = placeOf(part);
  part.replaceWith(newer);
  const { width, height } = placeOf(newer);
  const isMoving = before.top < innerHeight && (width !== before.width || height !== before.height);
  if (isMoving) newer.replaceWith(part);
  if (focused) {
    const shown = isMoving ? part : newer;
    shown.querySelector(`[href="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
  }
  return !isMoving;
}

/** @param {Element} element */
const placeOf = (element) => element.getBoundingClientRect();

/** Rows that were read and are not shown. */
const newRows = () =>
  [...newest.page.querySelectorAll(ROWS)].filter(({ id }) => document.getElementById(id) === null);

/** The same words are not announced again. @param {Element} element @param {string} words */
function write(element, words) {
  if (element.textContent !== words) element.textContent = words;
}

function showAll() {
  const [first] = newRows();
  document.querySelector('main').replaceWith(newest.page.querySelector('main'));
  texts = newest.texts;
  newest = null;
  document.title = title;
  write(button, '');
  first?.querySelector('a')?.focus();
}

function look() {
  showAges(document);
  if (!document.hidden && texts.size > 0) refresh().catch(reportError);
}

/** Begins to read the page again and again, if it has parts that may change. */
function start() {
  texts = textsOf(document);
  // Charts write into the page.
  dispatchEvent(new Event('start'));
  setInterval(look, READ_EVERY_MS);
  document.addEventListener('visibilitychange', look);
  if (texts.size === 0) return;
  news.className = 'news';
  news.setAttribute('role', 'status');
  news.append(lostNote, button);
  document.querySelector('main').before(news);
  button.addEventListener('click', showAll);
  // Nothing is read while the page is not seen.
  document.addEventListener('visibilitychange', expectAnswer);
  addEventListener('pageshow', ({ persisted }) => persisted && look());
  addEventListener('online', look);
  expectAnswer();
  storeVisit();
}

/** Before each frame while the page comes, when nothing is selected: what comes later would move what is beside it. */
function showFirst() {
  showAges(document, () => false);
  showNew(document);
  if (document.readyState === 'loading') requestAnimationFrame(showFirst);
}

/** When the page is there whole. */
function begin() {
  showFirst();
  // The first frame need not wait for the rest. A page in the background has no frames.
  if (document.hidden) start();
  else requestAnimationFrame(() => setTimeout(start));
}

if (document.readyState === 'loading') {
  requestAnimationFrame(showFirst);
  document.addEventListener('readystatechange', begin, { once: true });
} else begin();
