// @ts-check
// Closes the sheet that is open by Escape, and by a tap beside it.

const OPEN_SHEET = 'details.sheet[open]';

document.addEventListener('click', ({ target }) => {
  for (const sheet of document.querySelectorAll(OPEN_SHEET))
    if (!(target instanceof Node && sheet.contains(target))) sheet.removeAttribute('open');
});

document.addEventListener('keydown', ({ key }) => {
  const sheet = key === 'Escape' ? document.querySelector(OPEN_SHEET) : null;
  sheet?.removeAttribute('open');
  sheet?.querySelector('summary')?.focus();
});
