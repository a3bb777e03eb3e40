// Runs in a page: what the tests ask of it.

/** An element as a test reports it. */
const named = (element) => element.outerHTML.slice(0, 120);
const isShown = (element) => element.checkVisibility({ visibilityProperty: true });
const rectOf = (element) => element.getBoundingClientRect();

/** Rules of axe whose result depends on the width of the window. */
const RULES_OF_WIDTHS = ['target-size', 'scrollable-region-focusable'];

globalThis.probe = {
  /** All that is wrong with the page as it is seen now; `isWhole`: with all rules of axe. */
  async problems(isWhole) {
    return [...probe.sideways(), ...probe.nameless(), ...probe.cells(), ...(await probe.axe(isWhole))];
  },

  /** Elements that reach beyond the right edge, if the page scrolls sideways. */
  sideways() {
    const { clientWidth, scrollWidth } = document.scrollingElement;
    if (scrollWidth <= clientWidth) return [];
    const wide = [...document.body.querySelectorAll('*')].filter(
      (element) => rectOf(element).right > clientWidth + 0.5,
    );
    return [`${scrollWidth} of ${clientWidth} px`, ...wide.slice(0, 5).map(named)];
  },

  /** What axe finds, with the first elements of each. */
  async axe(isWhole) {
    const { violations } = await axe.run(document, {
      resultTypes: ['violations'],
      rules: { 'target-size': { enabled: true } },
      ...(isWhole ? {} : { runOnly: { type: 'rule', values: RULES_OF_WIDTHS } }),
    });
    return violations.map(
      ({ id, help, nodes }) => `${id}: ${help}: ${nodes.slice(0, 3).map(({ html }) => html)}`,
    );
  },

  /** The text of the contents, without times (which scripts write as ages) and pictures (which scripts may replace). */
  text() {
    const copy = document.querySelector('main').cloneNode(true);
    for (const element of copy.querySelectorAll('time, svg, canvas, script, [data-chart]')) element.remove();
    return copy.textContent.replaceAll(/\s+/g, ' ').trim();
  },

  /** Texts of the elements that a selector names. */
  texts(selector) {
    return [...document.querySelectorAll(selector)].map(({ textContent }) =>
      textContent.replaceAll(/\s+/g, ' '),
    );
  },

  /** The focused element, whether it is seen, and whether a frame shows the focus. */
  focus() {
    const element = document.activeElement;
    if (element === null || element === document.body) return null;
    const { left, top, right, bottom, width } = rectOf(element);
    const isInView = width > 0 && right > 0 && left < innerWidth && bottom > 0 && top < innerHeight;
    const { outlineStyle, outlineWidth } = getComputedStyle(element);
    const hasFrame = outlineStyle !== 'none' && Number.parseFloat(outlineWidth) > 0;
    return { name: named(element), isInView, hasFrame };
  },

  /** How many elements of each kind there are. */
  elements() {
    const counts = {};
    for (const { tagName } of document.querySelectorAll('*')) counts[tagName] = (counts[tagName] ?? 0) + 1;
    return counts;
  },

  /** What does not belong in a page: it may have come of a text of the market. */
  foreign() {
    const problems = [];
    if (globalThis.isOwned !== undefined) problems.push('a script ran');
    if (!document.title.endsWith('Tipoff') && !document.title.startsWith('Tipoff'))
      problems.push(document.title);
    for (const element of document.querySelectorAll('*')) {
      if (/^(?:iframe|object|embed|base|style)$/i.test(element.tagName)) problems.push(named(element));
      if (element.tagName === 'SCRIPT' && !element.src && !/^application\/(?:ld\+)?json$/.test(element.type))
        problems.push(named(element));
      for (const { name, value } of element.attributes) {
        const isLink = name === 'href' || name === 'src';
        if (name === 'style' || /^on/.test(name)) problems.push(named(element));
        if (isLink && !/^(?:#|\/(?!\/)|https:\/\/|http:\/\/127\.)/.test(value))
          problems.push(`${name}: ${value.slice(0, 80)}`);
      }
    }
    // Control characters but those of the template, marks of direction, line separators.
    const odd = /(?![\n\r\t])[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u.exec(
      document.documentElement.textContent,
    );
    if (odd !== null) problems.push(`U+${odd[0].codePointAt(0).toString(16)}`);
    return problems;
  },

  /** Why a text is no XML; null if it is. */
  xmlProblem(text) {
    return (
      new DOMParser().parseFromString(text, 'text/xml').querySelector('parsererror')?.textContent ?? null
    );
  },

  /** Brings each part of the page into the window, one after another. */
  async scrollThrough() {
    for (const part of document.querySelectorAll('main section')) {
      part.scrollIntoView();
      await new Promise(requestAnimationFrame);
    }
  },

  /** How far contents were moved while the page was shown, as the browser counts it (layout-instability). `changed`: what may move inside itself. */
  shift(changed = null) {
    const isOutside = ({ node }) => !(changed?.contains(node) ?? false);
    return new Promise((resolve) => {
      let sum = 0;
      const observer = new PerformanceObserver((list) => {
        for (const { entryType, value, sources } of list.getEntries())
          if (entryType === 'mark') resolve(sum);
          else if (sources.some(isOutside)) sum += value;
      });
      observer.observe({ type: 'layout-shift', buffered: true });
      // Entries come in order: after this one all have come.
      requestAnimationFrame(() => {
        performance.mark('asked');
        observer.observe({ type: 'mark', buffered: true });
      });
    });
  },

  /** Cells that a rule for something else took out of their rows. Where rows are lists their cells are none. */
  cells() {
    return [...document.querySelectorAll('td, th')]
      .filter((cell) => getComputedStyle(cell.parentElement).display === 'table-row')
      .filter((cell) => !/^(?:table-cell|none)$/.test(getComputedStyle(cell).display))
      .slice(0, 5)
      .map(named);
  },

  /** Texts of rows in a list of alerts that are written over another, and markets that are cut beside free space. */
  rows() {
    const range = document.createRange();
    const inked = (text) => {
      range.selectNodeContents(text);
      return text.matches('.notes') ? range.getBoundingClientRect() : rectOf(text);
    };
    const isOver = (a, b) =>
      Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 &&
      Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 4;
    return [...document.querySelectorAll('.alert')]
      .flatMap((row) => {
        const texts = [...row.querySelectorAll(':scope > p')].map((text) => ({ text, at: inked(text) }));
        return texts.filter(({ text, at }) => {
          const others = texts.filter((other) => other.text !== text);
          if (others.some((other) => isOver(at, other.at))) return true;
          const name = text.matches('.market') ? text.querySelector('a') : null;
          const room = { ...at.toJSON(), right: at.right + 40 };
          return (
            name !== null &&
            name.scrollWidth > name.clientWidth &&
            !others.some((other) => isOver(room, other.at))
          );
        });
      })
      .slice(0, 5)
      .map(({ text }) => named(text));
  },

  /** Visible links and buttons without a name. */
  nameless() {
    return [...document.querySelectorAll('a, button')]
      .filter((element) => isShown(element) && element.textContent.trim() === '' && !element.ariaLabel)
      .map(named);
  },
};
