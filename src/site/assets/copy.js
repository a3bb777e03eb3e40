// @ts-check
// Shows the buttons that copy a text, where this browser can. Also those that a newer part of the page brings later.
// A button without a text of its own copies the code beside it.

const SAID_MS = 2_000;

/** @param {Event} event */
async function copy({ target }) {
  const button = target instanceof Element ? target.closest('button[data-copy]') : null;
  const word = button?.firstChild;
  if (!word) return;
  try {
    const text = button.getAttribute('data-copy') || button.nextElementSibling?.textContent;
    await navigator.clipboard.writeText(text ?? '');
    word.textContent = 'Copied';
  } catch (error) {
    word.textContent = 'Not copied';
    reportError(error);
  }
  setTimeout(() => {
    word.textContent = 'Copy';
  }, SAID_MS);
}

// Browsers have no clipboard for pages without TLS.
if (navigator.clipboard) {
  document.documentElement.dataset.copies = '';
  document.addEventListener('click', copy);
}
