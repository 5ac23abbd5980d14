// The five phases from an injected fault to a healed cluster, as stacked bars on one scale.
import { el, seconds } from '/ui.js';

/** Name → its meaning, in their order. */
export const PHASES = new Map([
  ['NOTICE', 'until a datanode is suspected or a loss is found'], ['GRACE', 'until it counts as dead'], ['CHECKING', 'until the first byte of a source is read'],
  ['RECOVERY', 'until the last commit'], ['SETTLING', 'until all is healed'],
]);

/** Colours of the phases, by the names of charts.js. */
export const TONES = { NOTICE: '#8e6bd8', GRACE: 'soft', CHECKING: 'warn', RECOVERY: 'accent', SETTLING: 'good' };

const swatch = (phase) => el('span', { class: `swatch phase-${phase.toLowerCase()}`, 'aria-hidden': 'true' });

export function legend() {
  return el('ul', { class: 'legend' }, ...[...PHASES].map(([phase, meaning]) => el('li', {}, swatch(phase), el('b', {}, phase), ` ${meaning}`)));
}

/** Phases in words: NOTICE 1.00 s, GRACE 5.00 s. */
export const inWords = (phases) => phases.map((p) => `${p.phase} ${seconds(p.seconds)}`).join(', ') || 'no phase';

/**
 * One bar. Its text alternative has all numbers.
 *
 * @param most seconds of the longest bar on the page
 */
export function stack(label, phases, most) {
  const bar = el('div', { class: 'stackbar', role: 'img', 'aria-label': `${label}: ${inWords(phases)}` });
  for (const p of phases.filter((one) => one.seconds > 0)) {
    const part = el('div', { class: `phase-${p.phase.toLowerCase()}`, title: `${p.phase} ${seconds(p.seconds)}` });
    part.style.width = `${(100 * p.seconds) / most}%`;
    bar.append(part);
  }
  return bar;
}

/** Phases of an incident with the seconds that each took; one without an end lasts until now. */
export const lasted = (phases, now = Date.now()) => phases.map((p) => ({ ...p, seconds: Math.max(0, (p.endedAt ? Date.parse(p.endedAt) : now) - Date.parse(p.beganAt)) / 1000 }));
