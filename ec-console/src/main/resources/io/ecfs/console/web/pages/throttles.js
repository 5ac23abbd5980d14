// Limits of reconstruction: the current values, and sliders to change them.
import { get, post } from '/api.js';
import { badge, bytes, confirm, el, panel, run, slider } from '/ui.js';

const MIB = 1048576;
const LIMITS = [
  { name: 'repairsAtOnce', label: 'Concurrent reconstructions in the cluster', min: 0, max: 400, unit: 1, text: (n) => String(n), note: '0: no reconstruction and no move' },
  { name: 'repairsPerDatanode', label: 'Concurrent reconstructions per datanode', min: 1, max: 32, unit: 1, text: (n) => String(n), note: '' },
  { name: 'repairBytesPerSecond', label: 'Repair reads per datanode, MiB/s', min: 0, max: 1000, unit: MIB, text: (n) => (n < 0 ? 'as each datanode is configured' : n ? `${bytes(n)}/s` : 'no limit'),
    note: '0: no limit; user reads and writes take precedence all the same' },
];

/** The panel. */
export function throttles(operator) {
  const said = el('p', { class: 'soft', role: 'status' }, 'Loading…');
  const rows = LIMITS.map((limit) => row(limit, operator));
  const apply = el('button', { class: 'b main', type: 'button', onclick: change }, 'Apply throttles');
  const body = el('div', { class: 'stack' }, ...rows.map((r) => r.node), el('div', { class: 'row' }, operator ? apply : null), said);

  function show(now) {
    rows.forEach((r) => r.show(now[r.limit.name]));
    said.textContent = 'Throttles apply under every leader until they are reset. The groups with the least redundancy are repaired first.';
  }

  async function change() {
    const wanted = {};
    for (const r of rows) if (r.changed()) wanted[r.limit.name] = Math.round(r.value() * r.limit.unit);
    if (!Object.keys(wanted).length) { said.textContent = 'No throttle was changed.'; return; }
    await set('Set throttles', wanted, wanted.repairsAtOnce === 0);
  }

  async function set(title, wanted, danger) {
    const lines = LIMITS.filter((l) => l.name in wanted).map((l) => el('p', {}, `${l.label}: ${wanted[l.name] === null ? 'as configured' : l.text(wanted[l.name])}`));
    if (!await confirm({ title: `${title}?`, text: el('div', {}, ...lines), action: 'Set', danger })) return;
    const now = await run(title, () => post('throttles', wanted));
    if (now) show(now);
  }

  rows.forEach((r) => { r.back.addEventListener('click', () => set(`${r.limit.label}: as configured`, { [r.limit.name]: null }, false)); });
  get('throttles').then(show).catch((failure) => { said.textContent = `This could not be loaded: ${failure.message}`; });
  return panel('Throttles', body);
}

function row(limit, operator) {
  const input = slider({ label: limit.label, min: limit.min, max: limit.max, disabled: !operator });
  const state = el('span', { class: 'soft' });
  const back = el('button', { class: 'b', type: 'button', 'aria-label': `As configured: ${limit.label}` }, 'As configured');
  let shown = NaN;
  back.hidden = true;
  return {
    limit, back,
    node: el('div', {}, el('div', {}, limit.label), input.node, el('div', { class: 'row' }, state, back)),
    value: input.value,
    changed: () => !Number.isNaN(input.value()) && input.value() !== shown,
    show(throttle) {
      shown = throttle.value < 0 ? NaN : Math.round(throttle.value / limit.unit);
      input.set(Number.isNaN(shown) ? null : shown);
      state.replaceChildren(throttle.set ? badge('set by an operator', 'warn') : '', `${throttle.set ? ` now ${limit.text(throttle.value)}, configured ` : 'as configured: '}${limit.text(throttle.configured)}${limit.note ? `; ${limit.note}` : ''}`);
      back.hidden = !operator || !throttle.set;
    },
  };
}
