// @ts-check
// Writes times as ages.

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
