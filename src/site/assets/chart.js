// Shows the price at the pointer, and at the point that the arrow keys have reached.

const SVG = 'http://www.w3.org/2000/svg';

/** A price where an order was: `M x y` begins a stretch, `h…v…` leads to the next point. */
function linePoints(path) {
  const { width, height } = path.ownerSVGElement.viewBox.baseVal;
  const { start, top } = path.dataset;
  let [x, y] = [0, 0];
  return Array.from(path.getAttribute('d').matchAll(/M(\d+) (\d+)|h(\d+)v(-?\d+)/g), (step) => {
    [x, y] = step[1] ? [Number(step[1]), Number(step[2])] : [x + Number(step[3]), y + Number(step[4])];
    const time = new Date((Number(start) + x) * 1_000).toISOString();
    const price = Number(((Number(top) - y) / 100).toFixed(1));
    const text = `${price}¢, ${time.slice(0, 16).replace('T', ' ')} UTC`;
    return { x: (100 * x) / width, y: (100 * y) / height, text };
  });
}

const MARKS = '.mark, .exit, .settled';

function markPoint(mark) {
  const place = mark.querySelector('svg') ?? mark.querySelector('circle') ?? mark;
  const [x, y] = ['x', 'y'].map((name) =>
    Number.parseFloat(place.getAttribute(name) ?? place.getAttribute(`c${name}`)),
  );
  return { x, y, text: mark.querySelector('title').textContent, mark };
}

/** The words of a point, with a link to each of its alerts. */
function wordsOf({ text, mark }) {
  const path = mark?.getAttribute('href');
  if (!path) return [text];
  const ids = mark.dataset.ids?.split(' ') ?? [path.split('/').at(-1)];
  const links = ids.flatMap((id) => {
    const link = document.createElement('a');
    link.href = `/alerts/${id}`;
    link.textContent = id;
    return [' ', link];
  });
  return [text, ' ·', ...links];
}

class PriceChartElement extends HTMLElement {
  /** Also of a part of the page that was replaced by a newer one. */
  connectedCallback() {
    // It was put back where it was.
    if (this.cursor) return;
    this.picture = this.querySelector('.picture');
    this.slider = this.querySelector('input');
    this.shown = this.querySelector('.readout').textContent;
    this.cursor = ['line', 'circle'].map((name) => document.createElementNS(SVG, name));
    this.cursor[0].setAttribute('y2', '100%');
    this.cursor[1].setAttribute('r', '4');
    this.slider.hidden = false;
    this.slider.setAttribute('aria-valuetext', this.shown);
    this.slider.addEventListener('focus', () => this.arrange());
    this.slider.addEventListener('input', () => {
      if (!this.points) this.arrange();
      this.show(this.points[this.slider.value]);
    });
    this.slider.addEventListener('blur', (event) => this.contains(event.relatedTarget) || this.show(null));
    this.picture.addEventListener('pointermove', (event) => this.show(this.at(event)));
    // Not of the picture: Chromium would make it a stop of its own.
    this.addEventListener('focusin', ({ target }) => target.matches(MARKS) && this.show(markPoint(target)));
    this.picture.addEventListener(
      'pointerleave',
      (event) => event.pointerType === 'mouse' && this.show(null),
    );
  }

  /** Read when it is asked for: the first frame need not wait for it. */
  get line() {
    this.orders ??= linePoints(this.querySelector('path.line'));
    return this.orders;
  }

  /** All points by time: which marks are shown depends on the width. */
  arrange() {
    const marks = [...this.picture.querySelectorAll(MARKS)].filter(
      (mark) => mark.getClientRects().length > 0,
    );
    this.points = [...this.line, ...marks.map(markPoint)].sort((a, b) => a.x - b.x);
    this.slider.max = this.points.length - 1;
    this.slider.value = this.slider.max;
    this.slider.setAttribute('aria-valuetext', this.shown);
  }

  /** The point of the mark under the pointer, or else the nearest one of the line. */
  at({ target, clientX }) {
    const mark = target.closest(MARKS);
    if (mark) return markPoint(mark);
    const { left, width } = this.picture.getBoundingClientRect();
    const x = (100 * (clientX - left)) / width;
    const distance = (point) => Math.abs(point.x - x);
    return this.line.reduce(
      (best, point) => (best && distance(best) <= distance(point) ? best : point),
      null,
    );
  }

  show(point) {
    const readout = this.querySelector('.readout');
    for (const part of this.cursor) part.remove();
    if (!point) {
      readout.textContent = this.shown;
      return;
    }
    const [line, circle] = this.cursor;
    for (const name of ['x1', 'x2']) line.setAttribute(name, `${point.x}%`);
    circle.setAttribute('cx', `${point.x}%`);
    circle.setAttribute('cy', `${point.y}%`);
    for (const part of this.cursor) {
      part.setAttribute('class', 'cursor');
      this.picture.append(part);
    }
    readout.replaceChildren(...wordsOf(point));
    this.slider.setAttribute('aria-valuetext', readout.textContent);
  }
}

addEventListener('start', () => customElements.define('price-chart', PriceChartElement));
