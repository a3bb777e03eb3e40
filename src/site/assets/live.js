// @ts-check
// Writes times as ages, and reads the page again when the service says that it has changed.

/** Pages that get the same event ask again at different moments of so long a time. */
const JITTER_MS = 5_000;
const AGES_EVERY_MS = 30_000;
/** Below the heading of its day an older time is shorter than an age, and more exact. */
const RECENT_MS = 48 * 3_600_000;

/** @param {ParentNode} root */
function showAges(root) {
  const now = Date.now();
  for (const time of root.querySelectorAll('time[data-age]')) {
    const at = Date.parse(time.getAttribute('datetime') ?? '');
    if (time.getAttribute('data-age') === 'recent' && now - at > RECENT_MS) continue;
    time.setAttribute('title', `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`);
    time.textContent = ageText(now - at);
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

/** The parts of the page as they were read: scripts write into them afterwards. */
const served = new Map();
for (const part of document.querySelectorAll('[data-live]')) served.set(part.id, part.innerHTML);

/** Replaces the parts that have changed. */
async function refresh() {
  const answer = await fetch(location.href, { headers: { accept: 'text/html' } });
  if (!answer.ok) return;
  const read = new DOMParser().parseFromString(await answer.text(), 'text/html');
  for (const part of document.querySelectorAll('[data-live]')) {
    const newer = read.getElementById(part.id);
    if (newer === null || newer.innerHTML === served.get(part.id)) continue;
    served.set(part.id, newer.innerHTML);
    showAges(newer);
    const focused = document.activeElement?.getAttribute('href');
    part.replaceWith(newer);
    if (focused) newer.querySelector(`[href="${CSS.escape(focused)}"]`)?.focus();
  }
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
      refresh().catch(() => {});
    }, Math.random() * JITTER_MS);
  };
  const events = new EventSource(`/live?topics=${encodeURIComponent(topics)}`);
  events.addEventListener('changed', later);
  // Also for the first connection: something may have changed since the page was made.
  events.addEventListener('open', later);
}

showAges(document);
setInterval(() => showAges(document), AGES_EVERY_MS);
follow();
