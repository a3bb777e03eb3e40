// @ts-check
// The examples of a page are in one language: that of the example that was unfolded last, which stays where it is.

document.addEventListener('click', ({ target }) => {
  const chosen = target instanceof Element ? target.closest('details') : null;
  const language = chosen?.dataset.language;
  if (!language || chosen.open) return;
  const { top } = chosen.getBoundingClientRect();
  for (const each of document.querySelectorAll(`details[data-language="${language}"]`))
    if (each !== chosen) each.setAttribute('open', '');
  scrollBy(0, chosen.getBoundingClientRect().top - top);
});
