// Rings: which volumes write and which only read, what waits in their journals, and how many writers groups tolerate.
import { get, post } from '/api.js';
import { chart, lines } from '/charts.js';
import { badge, bytes, confirm, count, el, empty, head, meter, panel, put, rate, run, state, table } from '/ui.js';
import { wheel, writes } from '/wheel.js';

const POLL_MILLIS = 4000;
const TICK_MILLIS = 250;
const RATE_MILLIS = 12000;
const EVENTS = 1000;
const AUTO = 'auto';
const NO_JOURNAL = 'NO_JOURNAL';

export const NONE = 'No ring. Volumes that take turns in writing are made one by: ecfs ring create NAME --colours 6 --writers 3 --period 10s --volumes dn1:/ssd0,dn2:/ssd0,…';

const groups = (n) => `${count(n)} ${n === 1 ? 'group' : 'groups'}`;

/** How many groups tolerate fewer writers: they could not be read without a volume that writes. */
export const tolerateFewer = (ring, writers) => ring.groupsByMostWriters.slice(0, writers).reduce((sum, n) => sum + n, 0);

/** What a number of writers, or auto, would do, for people. */
export function preview(ring, wanted) {
  const all = ring.groupsByMostWriters.reduce((sum, n) => sum + n, 0);
  if (wanted === AUTO) return 'As many as the demand of the last rotations needs, and no more than all groups tolerate.';
  const fewer = tolerateFewer(ring, wanted);
  if (fewer) return `Would be refused: ${fewer} of ${groups(all)} could not be read without a volume that writes.`;
  return `${all ? `${all === 1 ? 'The group tolerates' : `All ${groups(all)} tolerate`} it` : 'There is no group yet'}; the policies of its directories are checked, too.`;
}

/** Groups by slack: how many more writers they tolerate than write now; below 0 reads may wait for writers. */
export const slack = (ring) => ring.groupsByMostWriters.map((n, most) => ({ most, slack: most - ring.writers, groups: n })).filter((s) => s.groups > 0);

/** The reported role, or the one by the clock where none is reported; without a journal a volume follows no clock. */
export function role(ring, volume, position = ring.position) {
  if (volume.status) return volume.status.role;
  if (volume.journal === false) return NO_JOURNAL;
  if (volume.colour === null) return null;
  return ring.paused || writes(ring, volume.colour, position) ? 'WRITING' : 'READING';
}

/** Spills by reason: journal full 3, volatile sync 1. */
export const spills = (status) => Object.entries(status.spills).map(([reason, n]) => `${reason.replaceAll('_', ' ')} ${count(n)}`).join(', ') || '0';

/** Milliseconds within which half and 99 of 100 recent reads were answered. */
export const readTimes = (times) => (times?.p99Micros ? `${(times.p50Micros / 1000).toFixed(1)} / ${(times.p99Micros / 1000).toFixed(1)} ms` : '–');

/**
 * The writers of a ring over time, of its events since it was made: [[millis, writers]…], up to now. Empty when the
 * events that are retained have no other number of writers.
 */
export function writersOverTime(ring, events, now) {
  let steps = [];
  for (const e of events.filter((one) => one.event === 'ringChanged' && one.ring === ring.name && one.to)) {
    const at = Date.parse(e.at);
    if (!e.from) steps = [[at, e.to.writers]];
    else if (e.from.writers !== e.to.writers) steps.push(...(steps.length ? [] : [[at, e.from.writers]]), [at, e.to.writers]);
  }
  return steps.length ? [...steps, [now, ring.writers]] : [];
}

/** Bytes drained a second between the first sample of a window and the last; null while there is one sample only. */
export function drainRate(samples) {
  const [first, last] = [samples[0], samples[samples.length - 1]];
  return samples.length < 2 || last.at === first.at ? null : ((last.drained - first.drained) * 1000) / (last.at - first.at);
}

export function mount(root, { operator }) {
  const list = el('div', { class: 'panels' });
  const note = empty('Loading…');
  const cards = new Map();
  let events = [];
  root.append(head('Rings'), note, list);

  async function load() {
    try {
      const { rings } = await get('rings');
      put(note, NONE);
      note.hidden = rings.length > 0;
      const names = new Set(rings.map((ring) => ring.name));
      for (const [name, one] of cards) if (!names.has(name)) { one.destroy(); cards.delete(name); }
      rings.forEach((ring) => {
        if (!cards.has(ring.name)) {
          const made = card(operator, load);
          cards.set(ring.name, made);
          list.append(made.node);
        }
        cards.get(ring.name).show(ring, events);
      });
    } catch (failure) {
      if (!cards.size) put(note, `This could not be loaded: ${failure.message}`);
    }
  }

  function happened(more) {
    const known = new Set(events.map((e) => e.number));
    events = [...events, ...more.filter((e) => e.event === 'ringChanged' && !known.has(e.number))].sort((a, b) => a.number - b.number);
  }

  get('events/latest', { limit: EVENTS }).then((page) => { happened(page.events); load(); }).catch(() => { /* the page is whole without the writers over time */ });
  load();
  const poll = setInterval(load, POLL_MILLIS);
  const ticking = setInterval(() => cards.forEach((one) => one.tick()), TICK_MILLIS);
  return {
    happened(more) { happened(more); if (more.some((e) => e.event === 'ringChanged' || e.event === 'directoryRingChanged')) load(); },
    destroy() { clearInterval(poll); clearInterval(ticking); cards.forEach((one) => one.destroy()); },
  };
}

/** One ring. */
function card(operator, reload) {
  const title = el('h2');
  const facts = el('p', { class: 'soft' });
  const picture = wheel();
  const histogram = el('ul', { class: 'bars' });
  const noGroups = empty('No group of this ring is sealed or open yet.');
  const wanted = el('select', { 'aria-label': 'Writers to try' });
  const outcome = el('p', { class: 'soft', role: 'status' });
  const period = el('input', { type: 'text', 'aria-label': 'Period', placeholder: 'as it is', size: '8' });
  const set = el('button', { class: 'b main', type: 'button', onclick: change }, 'Set');
  const hold = el('button', { class: 'b', type: 'button', onclick: pause }, 'Pause');
  const over = chart('Colours that write, over time');
  const writers = el('div', {}, el('h3', {}, 'Writers over time'), over.node);
  const samples = new Map();
  let ring = null;
  let fetched = 0;
  let options = '';
  const volumes = table({
    caption: 'Volumes, by colour', key: (v) => v.volume, sort: 3, pageSize: 50, none: 'No volume.',
    columns: [
      { name: 'Volume', value: (v) => v.volume, show: (v) => `v${v.volume}`, num: true }, { name: 'Datanode', value: (v) => v.datanode },
      ...(operator ? [{ name: 'Directory', value: (v) => v.directory ?? '', show: (v) => v.directory ?? '–', text: true }] : []),
      { name: 'Colour', value: (v) => v.colour ?? Infinity, show: (v) => v.colour ?? '–', num: true },
      { name: 'Duty', value: (v) => v.duty.toLowerCase() },
      { name: 'State', value: (v) => v.state ?? '', node: (v) => (v.state ? state(v.state) : badge('not reported')), sign: (v) => v.state },
      { name: 'Role', value: (v) => v.role ?? '', node: (v) => (v.role ? badge(`${v.role.toLowerCase().replaceAll('_', ' ')}${v.status || v.role === NO_JOURNAL ? '' : ' (by the clock)'}`, v.role === 'READING' ? 'good' : 'warn') : badge('–')), sign: (v) => [v.role, !v.status] },
      { name: 'Staged', value: (v) => v.status?.stagedBytes, show: (v) => (v.status ? `${bytes(v.status.stagedBytes)}, journal ${bytes(v.status.journalBytes)} of ${bytes(v.status.journalBound)}` : '–'), num: true },
      { name: 'Drain rate', value: (v) => v.rate, show: (v) => (v.rate === null ? '–' : rate(v.rate)), num: true },
      { name: 'Spills', value: (v) => (v.status ? spills(v.status) : ''), show: (v) => (v.status ? spills(v.status) : '–'), text: true },
      { name: 'Reads p50 / p99', value: (v) => v.status?.reading?.p99Micros, show: (v) => readTimes(v.status?.reading), num: true },
      { name: 'While writing', value: (v) => v.status?.writing?.p99Micros, show: (v) => readTimes(v.status?.writing), num: true },
      { name: 'Late switches', value: (v) => v.status?.lateSwitches, show: (v) => (v.status ? count(v.status.lateSwitches) : '–'), num: true },
    ],
  });
  wanted.addEventListener('change', showOutcome);
  const node = panel(null, title, facts, el('div', { class: 'ring' }, picture.node, el('div', { class: 'panels' },
    el('div', {}, el('h3', {}, 'Slack: writers that groups tolerate beyond those that write'), histogram, noGroups),
    el('div', {}, el('h3', {}, operator ? 'Writers and period' : 'What other writers would break'),
      el('div', { class: 'row' }, el('label', {}, 'Writers', wanted), ...(operator ? [el('label', {}, 'Period', period), set, hold] : [])), outcome))), volumes.node, writers);
  writers.hidden = true;

  const choice = () => (wanted.value === AUTO ? AUTO : Number(wanted.value));

  function showOutcome() { put(outcome, preview(ring, choice())); }

  function sampled(v) {
    if (!v.status) return null;
    const before = samples.get(v.volume) ?? [];
    // A datanode that restarts counts anew.
    const kept = before.length && before[before.length - 1].drained > v.status.drainedBytes ? [] : before.filter((s) => fetched - s.at <= RATE_MILLIS);
    samples.set(v.volume, [...kept, { at: fetched, drained: v.status.drainedBytes }]);
    return drainRate(samples.get(v.volume));
  }

  function show(next, events) {
    ring = next;
    fetched = performance.now();
    title.replaceChildren(ring.name, ' ', ...(ring.adaptive ? [badge('writers by demand'), ' '] : []), ...(ring.paused ? [badge('paused', 'warn'), ' '] : []), ...(ring.dropping ? [badge('being dropped', 'warn')] : []));
    const all = ring.groupsByMostWriters.reduce((sum, n) => sum + n, 0);
    put(facts, `${ring.writers} of ${ring.colours} colours write at a time, a turn every ${ring.periodMillis / 1000} s; ${groups(all)}, ${count(ring.directories)} ${ring.directories === 1 ? 'directory names' : 'directories name'} it; epoch ${ring.epoch}.${ring.waiting ? ` Waits: ${ring.waiting}.` : ''}`);
    volumes.set(ring.volumes.map((v) => ({ ...v, role: role(ring, v), rate: sampled(v) })));
    const bars = slack(ring);
    const most = Math.max(1, ...bars.map((s) => s.groups));
    noGroups.hidden = bars.length > 0;
    histogram.replaceChildren(...bars.map((s) => el('li', {}, el('span', {}, `${s.slack < 0 ? 'reads may wait, ' : ''}slack ${s.slack} (tolerates ${s.most})`),
      meter(s.groups / most, `${groups(s.groups)} with slack ${s.slack}`), el('span', { class: 'num' }, count(s.groups)))));
    const sign = JSON.stringify([ring.colours, ring.writers, ring.adaptive]);
    if (sign !== options) {
      const present = ring.adaptive ? AUTO : String(ring.writers);
      wanted.replaceChildren(...[...Array(ring.colours - 1).keys()].map((i) => String(i + 1)).concat(AUTO).map((o) => el('option', { value: o, selected: o === present }, o)));
      options = sign;
    }
    hold.textContent = ring.paused ? 'Resume' : 'Pause';
    hold.setAttribute('aria-label', `${hold.textContent} ring ${ring.name}`);
    set.setAttribute('aria-label', `Set ring ${ring.name}`);
    wanted.setAttribute('aria-label', `Writers of ${ring.name}`);
    period.setAttribute('aria-label', `Period of ${ring.name}`);
    showOutcome();
    tick();
    const steps = writersOverTime(ring, events, Date.now());
    writers.hidden = steps.length === 0;
    if (steps.length) over.set(lines([{ name: 'writers', step: 'end', data: steps }], count));
  }

  function tick() {
    if (ring) picture.show(ring, performance.now() - fetched);
  }

  async function change() {
    const present = ring.adaptive ? AUTO : ring.writers;
    const body = { ...(choice() === present ? {} : { writers: choice() }), ...(period.value.trim() ? { period: period.value.trim() } : {}) };
    if (!Object.keys(body).length) { put(outcome, 'Nothing was changed: choose other writers, or type a period such as 20s.'); return; }
    const text = `${body.writers ? `Writers ${present} to ${body.writers}. ${preview(ring, choice())} ` : ''}${body.period ? `Period ${ring.periodMillis / 1000} s to ${body.period}.` : ''}`;
    if (!await confirm({ title: `Set ring ${ring.name}?`, text, action: 'Set' })) return;
    if (await run(`Set ring ${ring.name}`, () => post(`rings/${encodeURIComponent(ring.name)}`, body))) period.value = '';
    reload();
  }

  async function pause() {
    const word = ring.paused ? 'Resume' : 'Pause';
    const text = ring.paused ? 'Its volumes take turns in writing again.' : 'All of its volumes write at once, as those of no ring, until it is resumed: reads wait behind writes.';
    if (!await confirm({ title: `${word} ring ${ring.name}?`, text, action: word })) return;
    await run(`${word} ring ${ring.name}`, () => post(`rings/${encodeURIComponent(ring.name)}`, { paused: word === 'Pause' }));
    reload();
  }

  return { node, show, tick, destroy() { over.destroy(); node.remove(); } };
}
