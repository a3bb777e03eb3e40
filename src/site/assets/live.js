// @ts-check
// Writes times as ages. Reads the page again when the service says that it has changed: what is shown changes in place, new
// alerts wait above their list. After the first frame it dispatches `start`.

/** Pages that get the same event ask again at different moments of so long a time. */
const JITTER_MS = 5_000;
const AGES_EVERY_MS = 30_000;
/** Below the heading of its day an older time is shorter than an age, and more exact. */
const RECENT_MS = 48 * 3_600_000;

/** @param {Element | Document} root @param {(time: Element) => boolean} isKept */
function showAges(root, isKept = isSelected) {
  const now = Date.now();
  const ages = [...root.querySelectorAll('time[data-age]')].map((time) => {
    const at = Date.parse(time.getAttribute('datetime') ?? '');
    const isOld = time.getAttribute('data-age') === 'recent' && now - at > RECENT_MS;
    return { time, at, age: isOld ? time.textContent : ageText(now - at) };
  });
  // Asking for the selection lays out what was written before: all are asked about before the first is written.
  for (const { time, at, age } of ages.filter(({ time, age }) => time.textContent !== age && !isKept(time))) {
    time.setAttribute('title', `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`);
    time.textContent = age;
  }
}

/** @param {number} ms */
function ageText(ms) {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 1) return 'now';
  if (minutes < 60) return `${minutes} min ago`;
  if (minutes < 48 * 60) return `${Math.floor(minutes / 60)} h ago`;
  return `${Math.floor(minutes / 1_440)} days ago`;
}

/** @param {Element} part */
function isSelected(part) {
  const selection = getSelection();
  return selection !== null && !selection.isCollapsed && selection.containsNode(part, true);
}

const LIST = '[data-live="list"]';
const ROWS = '[data-live="row"]';
const OLDER = `${LIST} [rel~="next"]`;

/** @param {Document} page */
const partsOf = (page) => page.querySelectorAll('[data-live]');

/** The parts of a page as they are served, without the words of times, where ages are written. @param {Document} page */
const textsOf = (page) => new Map([...partsOf(page)].map((part) => [part.id, servedText(part)]));

/** @param {Element} part */
const servedText = (part) => part.innerHTML.replaceAll(/(<time datetime="[^"]*")[^<]*/g, '$1');

/** @type {Map<string, string>} */
let texts = new Map();
const title = document.title;

/** What was read last, with its parts as they were served. @type {{ pages: Document[], texts: Map<string, string> } | null} */
let newest = null;

/** @param {string} address */
async function read(address) {
  const answer = await fetch(address, { headers: { accept: 'text/html' } });
  if (!answer.ok) throw new Error(answer.statusText);
  return new DOMParser().parseFromString(await answer.text(), 'text/html');
}

async function refresh() {
  const pages = [await read(location.href)];
  // While many alerts wait, rows that are shown are on the next page.
  const older = pages[0].querySelector(OLDER);
  const isNext = [...document.querySelectorAll(ROWS)].some(({ id }) => pages[0].getElementById(id) === null);
  if (older && isNext) pages.push(await read(older.href));
  newest = { pages, texts: new Map(pages.toReversed().flatMap((page) => [...textsOf(page)])) };
  update();
}

/** A part as it was read last. @param {string} id */
function newerOf(id) {
  for (const page of newest?.pages ?? []) if (page.getElementById(id)) return page.getElementById(id);
  return null;
}

/** Changes what can be changed while the page is read; the rest waits until it is asked for, or out of sight. */
function update() {
  if (newest === null) return;
  for (const page of newest.pages) showAges(page);
  let hasMore = false;
  for (const part of partsOf(document)) {
    const newer = newerOf(part.id);
    const text = newest.texts.get(part.id);
    const isList = part.getAttribute('data-live') === 'list';
    if (newer === null || text === undefined || text === texts.get(part.id) || isList || isRead(part))
      continue;
    if (changeInPlace(part, newer)) texts.set(part.id, text);
    else hasMore = true;
  }
  announce(hasMore);
}

/** A text of it is selected, or its chart shows the price of a point. @param {Element} part */
function isRead(part) {
  return isSelected(part) || part.querySelector('.cursor, price-chart :focus') !== null;
}

/** Whether the part was changed: not if that moves what is seen. @param {Element} part @param {Element} newer */
function changeInPlace(part, newer) {
  const focused = part.contains(document.activeElement) && document.activeElement?.getAttribute('href');
  const [before, followers] = [part.cloneNode(true), followersOf(part)];
  const places = followers.map(placeOf);
  patch(part, newer.cloneNode(true));
  const moves = followers.map(placeOf).some(({ left, top }, index) => {
    const was = places[index];
    return was !== undefined && was.top < innerHeight && (left !== was.left || top !== was.top);
  });
  if (moves) patch(part, before);
  // Its node may be that of another link now, or gone.
  if (focused && document.activeElement?.getAttribute('href') !== focused)
    part.querySelector(`[href="${CSS.escape(focused)}"]`)?.focus();
  return !moves;
}

/** What moves when a part becomes larger. @param {Element} part */
function followersOf(part) {
  const followers = [];
  for (let place = part; place !== document.body; place = place.parentElement ?? document.body)
    if (place.nextElementSibling) followers.push(place.nextElementSibling);
  return followers;
}

/** @param {Element} element */
const placeOf = (element) => element.getBoundingClientRect();

/** Makes a node like a newer one. What does not differ stays the same node, so that it keeps its selection and focus. @param {any} node @param {any} newer */
function patch(node, newer) {
  if (node.isEqualNode(newer)) return;
  // A chart reads its points once.
  if (node.nodeName !== newer.nodeName || node.nodeName === 'PRICE-CHART') return node.replaceWith(newer);
  node.nodeValue = newer.nodeValue;
  // Readers unfold details themselves.
  for (const { name } of [...(node.attributes ?? [])])
    if (!newer.hasAttribute(name) && name !== 'open') node.removeAttribute(name);
  for (const { name, value } of newer.attributes ?? []) node.setAttribute(name, value);
  const [own, others] = [[...node.childNodes], [...newer.childNodes]];
  for (const [index, child] of own.entries())
    if (index < others.length) patch(child, others[index]);
    else child.remove();
  node.append?.(...others.slice(own.length));
}

/** @param {boolean} hasMore */
function announce(hasMore) {
  const place = document.querySelector('.news');
  if (place === null || newest === null) return;
  const [page] = newest.pages;
  const rows = [...page.querySelectorAll(ROWS)];
  const count = rows.filter(({ id }) => document.getElementById(id) === null).length;
  const number = count === rows.length && page.querySelector(OLDER) ? `${count}+` : count;
  const what = `new ${place.getAttribute('data-of')}${count === 1 ? '' : 's'}`;
  const words = count > 0 ? `${number} ${what}` : 'Show what changed';
  document.title = count > 0 ? `(${number}) ${title}` : title;
  if (count === 0 && !hasMore) return place.replaceChildren();
  const button = place.querySelector('button') ?? document.createElement('button');
  if (button.textContent !== words) button.textContent = words;
  button.onclick = showAll;
  if (!button.isConnected) place.append(button);
}

function showAll() {
  if (newest === null) return;
  for (const part of partsOf(document)) {
    const newer = newest.pages[0].getElementById(part.id);
    if (newer && part.isConnected && newest.texts.get(part.id) !== texts.get(part.id))
      part.replaceWith(newer);
  }
  texts = newest.texts;
  newest = null;
  document.querySelector('.news')?.replaceChildren();
  document.title = title;
  document.querySelector(`${LIST} ${ROWS} a`)?.focus();
  remember();
}

function follow() {
  const topics = document.body.dataset.topics;
  if (!topics) return;
  let isWaiting = false;
  const later = () => {
    if (isWaiting) return;
    isWaiting = true;
    setTimeout(() => {
      isWaiting = false;
      refresh().catch(reportError);
    }, Math.random() * JITTER_MS);
  };
  /** @type {EventSource} */
  let events;
  const connect = () => {
    events = new EventSource(`/live?topics=${encodeURIComponent(topics)}`);
    events.addEventListener('changed', later);
    // Also for the first connection: something may have changed since the page was made.
    events.addEventListener('open', later);
  };
  connect();
  // Not every browser keeps a page with an open connection for the way back.
  addEventListener('pagehide', () => events.close());
  addEventListener('pageshow', ({ persisted }) => persisted && connect());
}

/** Notes the first row that is seen whole, for the way back: the page may begin with other alerts then. */
function remember() {
  const rows = [...document.querySelectorAll(ROWS)];
  const row = rows.find((other) => placeOf(other).top >= 0);
  const isBelowFirst = row !== undefined && row !== rows[0];
  history.replaceState(isBelowFirst ? { row: row.id, top: placeOf(row).top, y: scrollY } : null, '');
  history.scrollRestoration = isBelowFirst ? 'manual' : 'auto';
}

function comeBack() {
  if (history.state === null) return;
  const { row, top, y } = history.state;
  const seen = document.getElementById(row);
  scrollTo(0, seen === null ? y : scrollY + placeOf(seen).top - top);
}

function start() {
  texts = textsOf(document);
  // Charts write into the page.
  dispatchEvent(new Event('start'));
  setInterval(() => {
    showAges(document);
    update();
  }, AGES_EVERY_MS);
  addEventListener('pageshow', () => showAges(document));
  addEventListener('scrollend', remember);
  follow();
}

/** Before each frame while the page comes, when nothing is selected: an age that comes later moves what is beside it. */
function showFirstAges() {
  showAges(document, () => false);
  if (document.readyState === 'loading') requestAnimationFrame(showFirstAges);
}

/** When the page is there whole. */
function begin() {
  showFirstAges();
  comeBack();
  // The first frame need not wait for the rest. A page in the background has no frames.
  if (document.hidden) start();
  else requestAnimationFrame(() => setTimeout(start));
}

if (document.readyState === 'loading') {
  requestAnimationFrame(showFirstAges);
  document.addEventListener('readystatechange', begin, { once: true });
} else begin();
