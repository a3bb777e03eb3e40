// Shows the price at the pointer.

const SVG = 'http://www.w3.org/2000/svg';

/** A price where an order was: `M x y` is the first, `h…v…` leads to the next one. */
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

class PriceChartElement extends HTMLElement {
  /** Also of a part of the page that was replaced by a newer one. */
  connectedCallback() {
    // It was put back where it was.
    if (this.cursor) return;
    this.picture = this.querySelector('.picture');
    this.readout = this.querySelector('.readout');
    this.shown = this.readout.textContent;
    this.cursor = document.createElementNS(SVG, 'circle');
    this.cursor.setAttribute('class', 'cursor');
    this.cursor.setAttribute('r', '4');
    this.picture.addEventListener('pointermove', (event) => this.show(event));
    this.picture.addEventListener(
      'pointerleave',
      ({ pointerType }) => pointerType === 'mouse' && this.hide(),
    );
    // Not of the picture: Chromium would make it a stop of its own.
    this.addEventListener('focusin', (event) => this.show(event));
    this.addEventListener('focusout', () => this.hide());
  }

  /** The words of the mark under the pointer, or else the nearest price. */
  show({ target, clientX }) {
    const mark = target.closest('.mark, .exit, .settled');
    if (mark) {
      this.readout.textContent = mark.querySelector('title').textContent;
      return;
    }
    // Read when it is asked for: the first frame need not wait for it.
    this.points ??= linePoints(this.querySelector('path.line'));
    const { left, width } = this.picture.getBoundingClientRect();
    const distance = ({ x }) => Math.abs(x - (100 * (clientX - left)) / width);
    const [first, ...others] = this.points;
    if (!first) return;
    const nearest = others.reduce((best, point) => (distance(point) < distance(best) ? point : best), first);
    this.cursor.setAttribute('cx', `${nearest.x}%`);
    this.cursor.setAttribute('cy', `${nearest.y}%`);
    this.picture.append(this.cursor);
    this.readout.textContent = nearest.text;
  }

  hide() {
    this.cursor.remove();
    this.readout.textContent = this.shown;
  }
}

addEventListener('start', () => customElements.define('price-chart', PriceChartElement));
