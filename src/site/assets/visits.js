// @ts-check
// Says which alerts are newer than the last visit.

/** A reader who comes back later begins another visit. */
const VISIT_MS = 30 * 60_000;
const LISTED = '[data-live="list"] [data-live="row"]';

/** Where alerts are listed, their number; else 0. @param {Element} row */
const numberOf = (row) => Number(/^alert-(\d+)-row$/.exec(row.id)?.[1] ?? 0);

/** The visit that was stored last; null without one, and where nothing can be stored. */
function storedVisit() {
  try {
    return JSON.parse(localStorage.visit);
  } catch {
    return null;
  }
}

/** When the visit before this one ended, and the highest number of an alert that it saw; null on the first visit. */
const lastVisit = (() => {
  const { seen, at, before } = storedVisit() ?? { at: Date.now(), before: null };
  return Date.now() - at > VISIT_MS ? { seen, at } : before;
})();

function storeVisit() {
  const listed = Math.max(0, ...[...document.querySelectorAll(LISTED)].map(numberOf));
  if (listed === 0) return;
  const seen = Math.max(listed, storedVisit()?.seen ?? 0);
  try {
    localStorage.visit = JSON.stringify({ seen, at: Date.now(), before: lastVisit });
  } catch {
    // Then every visit is the first.
  }
}

/** Marks the alerts that were not there at the last visit, and counts them above their list. @param {Document} page */
function showNew(page) {
  if (!lastVisit) return;
  const rows = [...page.querySelectorAll(LISTED)].filter((row) => numberOf(row) > lastVisit.seen);
  for (const row of rows) row.setAttribute('data-unseen', '');
  if (rows.length === 0) return;
  const line = page.querySelector('.since') ?? page.createElement('p');
  line.className = 'since';
  line.textContent = `${rows.length} new since your last visit, ${ageText(Date.now() - lastVisit.at)}`;
  rows[0].closest('[data-live="list"]').prepend(line);
}
