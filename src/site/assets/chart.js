/* Replaces the pictures of prices by charts that show the price under the pointer, in the same frames. */
const SECONDS_PER_MINUTE = 60;
const SECONDS_PER_DAY = 86_400;
/** Numbers nearer to each other would cover each other. */
const LABEL_WIDTH = 40;

/** `data-line`: stretches parted by `;`, points by a space, the time of each in seconds since the point before. */
function readLine(text) {
  const [times, prices] = [[], []];
  let time = 0;
  for (const stretch of text.split(';')) {
    // A null interrupts the line.
    if (times.length > 0) {
      times.push(time + 1);
      prices.push(null);
    }
    for (const point of stretch.split(' ')) {
      const [since, price] = point.split(',').map(Number);
      time += since;
      times.push(time);
      prices.push(price);
    }
  }
  return [times, prices];
}

function readMarks(text) {
  return text.split(' ').map((mark) => {
    const [time, price, id, isMain] = mark.split(',').map(Number);
    return { time, price, id, isMain: isMain === 1 };
  });
}

function colour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}

function utc(time) {
  return `${new Date(time * 1_000).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

function cents(price) {
  return `${Number((price * 100).toFixed(1))}¢`;
}

/** Draws the moments of alerts over the line. */
function drawMarks(chart, marks) {
  const { ctx } = chart;
  const scale = devicePixelRatio;
  ctx.save();
  ctx.lineWidth = 2 * scale;
  ctx.font = `${12 * scale}px system-ui, sans-serif`;
  ctx.textAlign = 'center';
  let labelledAt = Number.NEGATIVE_INFINITY;
  for (const { time, price, id, isMain } of marks) {
    const [x, y] = [chart.valToPos(time, 'x', true), chart.valToPos(price, 'y', true)];
    ctx.beginPath();
    ctx.arc(x, y, 5 * scale, 0, 2 * Math.PI);
    ctx.strokeStyle = colour('text');
    ctx.fillStyle = colour(isMain ? 'text' : 'ground');
    ctx.fill();
    ctx.stroke();
    ctx.fillStyle = colour('muted');
    if (!isMain && Math.abs(x - labelledAt) < LABEL_WIDTH * scale) continue;
    labelledAt = x;
    ctx.fillText(String(id), x, y - 9 * scale);
  }
  ctx.restore();
}

/** As in the picture: dates, and between them times of the day. */
function timeLabel(time, step) {
  const isDate = step >= SECONDS_PER_DAY || time % SECONDS_PER_DAY === 0;
  const date = new Date(time * 1_000);
  if (!isDate) return date.toISOString().slice(11, 16);
  return date.toLocaleDateString('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' });
}

/** Points without a neighbour, which no line shows. */
function isolated(prices) {
  const isPoint = (index) => prices[index] != null;
  return [...prices.keys()].filter((index) => isPoint(index) && !isPoint(index - 1) && !isPoint(index + 1));
}

function axes() {
  const lines = { stroke: () => colour('line'), width: 1 };
  const axis = {
    stroke: () => colour('muted'),
    font: '12px system-ui, sans-serif',
    grid: lines,
    ticks: lines,
  };
  const times = (_chart, moments, _axis, _space, step) => moments.map((time) => timeLabel(time, step));
  return [
    { ...axis, space: 80, values: times },
    { ...axis, size: 48, values: (_chart, prices) => prices.map(cents) },
  ];
}

/** The range of the prices, with room for what is drawn around them. */
function priceRange(prices) {
  const [low, high] = [Math.min(...prices), Math.max(...prices)];
  const room = Math.max(0.02, (high - low) * 0.12);
  return [low - room, high + room];
}

function enhance(figure) {
  figure.dataset.ready = '';
  const picture = figure.querySelector('svg');
  const caption = figure.querySelector('figcaption');
  const line = readLine(figure.dataset.line ?? '');
  if (picture === null || caption === null || line[0].length < 2) return;
  const marks = figure.dataset.marks ? readMarks(figure.dataset.marks) : [];
  const words = caption.innerHTML;
  const frame = document.createElement('div');
  frame.className = 'uplot-frame';
  frame.setAttribute('role', 'img');
  const texts = [...picture.querySelectorAll(':scope > title, :scope > desc')];
  frame.setAttribute('aria-label', texts.map(({ textContent }) => textContent).join('. '));
  picture.replaceWith(frame);
  const times = [...line[0], ...marks.map(({ time }) => time)];
  const prices = [...line[1].filter((price) => price !== null), ...marks.map(({ price }) => price)];
  const [from, until] = [Math.min(...times), Math.max(...times, Math.min(...times) + SECONDS_PER_MINUTE)];
  const room = (until - from) * 0.02;
  const alone = isolated(line[1]);
  const size = () => ({ width: frame.clientWidth, height: frame.clientHeight });
  const chart = new uPlot(
    {
      ...size(),
      legend: { show: false },
      cursor: { y: false, drag: { x: false, y: false } },
      tzDate: (time) => uPlot.tzDate(new Date(time * 1_000), 'Etc/UTC'),
      scales: { x: { range: () => [from - room, until + room] }, y: { range: () => priceRange(prices) } },
      axes: axes(),
      series: [
        {},
        {
          stroke: () => colour('accent'),
          width: 2,
          points: { show: false, size: 3, filter: () => alone, fill: () => colour('accent') },
        },
      ],
      hooks: {
        draw: [(drawn) => drawMarks(drawn, marks)],
        setCursor: [
          ({ cursor, data }) => {
            const price = cursor.idx == null ? null : data[1][cursor.idx];
            if (price == null) caption.innerHTML = words;
            else caption.textContent = `${cents(price)} at ${utc(data[0][cursor.idx])}`;
          },
        ],
      },
    },
    line,
    frame,
  );
  new ResizeObserver(() => chart.setSize(size())).observe(frame);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => chart.redraw());
}

function enhanceAll() {
  for (const figure of document.querySelectorAll('figure.chart:not([data-ready])')) enhance(figure);
}

enhanceAll();
// A part of the page may be replaced by a newer one.
new MutationObserver(enhanceAll).observe(document.body, { childList: true, subtree: true });
