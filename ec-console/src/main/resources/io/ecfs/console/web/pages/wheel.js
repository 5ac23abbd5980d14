// A ring as a wheel of its colours: which write at the present position, and which change at the next turn.
import { el } from '/ui.js';

const SVG = 'http://www.w3.org/2000/svg';
const OUTER = 92;
const INNER = 50;
const LABELS = 71;
const MOST_LABELS = 32;
const GAP = 0.015;

/** Some milliseconds after it was reported, as its clock goes on: position and time to the next turn. */
export function turned(ring, elapsedMillis) {
  const left = ring.millisToMove - (ring.paused ? 0 : elapsedMillis);
  const steps = left > 0 ? 0 : 1 + Math.floor(-left / ring.periodMillis);
  return { position: (ring.position + steps) % ring.colours, millisToMove: left + steps * ring.periodMillis };
}

/** Whether a colour writes at a position; the rule of io.ecfs.layout.Ring. */
export const writes = (ring, colour, position) => (colour - position + ring.colours) % ring.colours >= ring.colours - ring.writers;

/** The colours that change at the next turn: one begins to write, one begins to read. */
export const changing = (ring, position) => ({ toWrite: position, toRead: (position + ring.colours - ring.writers) % ring.colours });

function svg(tag, attributes, ...children) {
  const node = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

const at = (angle, radius) => `${(100 + radius * Math.sin(angle)).toFixed(2)} ${(100 - radius * Math.cos(angle)).toFixed(2)}`;

function sector(from, to) {
  const large = to - from > Math.PI ? 1 : 0;
  return `M${at(from, OUTER)}A${OUTER} ${OUTER} 0 ${large} 1 ${at(to, OUTER)}L${at(to, INNER)}A${INNER} ${INNER} 0 ${large} 0 ${at(from, INNER)}Z`;
}

/** What a reader of the screen hears in place of the picture. */
export function inWords(ring, position) {
  const colours = [...Array(ring.colours).keys()];
  const list = (wanted) => colours.filter((c) => writes(ring, c, position) === wanted).join(', ');
  return ring.paused ? `${ring.name} is paused: all colours write` : `${ring.name}: colours ${list(false)} read, ${list(true)} write`;
}

/** The picture. show(ring, elapsedMillis) draws it as it is by then, and counts down to the next turn. */
export function wheel() {
  const sectors = svg('g', {});
  const left = svg('text', { x: 100, y: 98, class: 'left' });
  const note = svg('text', { x: 100, y: 118, class: 'note' });
  const image = svg('svg', { viewBox: '0 0 200 200', role: 'img' }, sectors, left, note);
  let drawn = '';

  function draw(ring, position) {
    const step = (2 * Math.PI) / ring.colours;
    const next = changing(ring, position);
    sectors.replaceChildren(...[...Array(ring.colours).keys()].flatMap((colour) => {
      const write = ring.paused || writes(ring, colour, position);
      const turns = !ring.paused && (colour === next.toWrite || colour === next.toRead);
      const volumes = ring.volumes.filter((v) => v.colour === colour).map((v) => `v${v.volume} of ${v.datanode}`).join(', ');
      const title = svg('title', {}, `colour ${colour} ${write ? 'writes' : 'reads'}${turns ? (write ? ', reads from the next turn on' : ', writes from the next turn on') : ''}${volumes ? `: ${volumes}` : ''}`);
      const path = svg('path', { d: sector(colour * step + GAP, (colour + 1) * step - GAP), class: `${write ? 'writes' : 'reads'}${turns ? ' turns' : ''}` }, title);
      if (ring.colours > MOST_LABELS) return [path];
      const [x, y] = at((colour + 0.5) * step, LABELS).split(' ');
      return [path, svg('text', { x, y: Number(y) + 4, class: `label ${write ? 'writes' : 'reads'}` }, `${colour}${write ? 'w' : ''}`)];
    }));
    image.setAttribute('aria-label', inWords(ring, position));
  }

  return {
    node: el('div', { class: 'wheel' }, image, el('p', { class: 'soft' }, 'By colour; w: it writes. What is outlined changes at the next turn.')),
    show(ring, elapsedMillis) {
      const now = turned(ring, elapsedMillis);
      const sign = JSON.stringify([ring.epoch, ring.colours, ring.writers, ring.paused, now.position, ring.volumes.map((v) => [v.volume, v.colour])]);
      if (sign !== drawn) draw(ring, now.position);
      drawn = sign;
      left.textContent = ring.paused ? 'paused' : `${Math.ceil(now.millisToMove / 1000)} s`;
      note.textContent = ring.paused ? 'all write' : 'to the next turn';
    },
  };
}
