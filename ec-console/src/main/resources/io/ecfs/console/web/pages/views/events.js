// The replicated event log, live and filterable; for operators the webhooks that alerts go to.
import { get } from '/api.js';
import { clock, el, empty, head, linked, panel } from '/ui.js';
import { webhooks } from '/webhooks.js';

const RETAINED = 1000;

export function mount(root, { operator }) {
  let events = [];
  let paused = false;
  const kind = el('select', { 'aria-label': 'Kind of event' }, el('option', { value: '' }, 'all kinds'));
  const word = el('input', { type: 'search', placeholder: 'datanode, chunk, word…', 'aria-label': 'Show only events that contain' });
  const pause = el('button', { class: 'b', type: 'button', 'aria-pressed': 'false', onclick: () => {
    paused = !paused;
    pause.setAttribute('aria-pressed', String(paused));
    pause.textContent = paused ? 'Resume' : 'Pause';
    if (!paused) show();
  } }, 'Pause');
  const log = el('div', { class: 'log', role: 'log', tabindex: '0', 'aria-label': 'Events, newest first' });
  const said = el('p', { class: 'soft' });
  const receivers = operator ? webhooks() : null;
  root.append(head('Events', kind, word, pause), receivers?.node ?? '', panel(null, said, log));
  receivers?.refresh();
  const timer = receivers ? setInterval(receivers.refresh, 5000) : null;
  kind.addEventListener('change', show);
  word.addEventListener('input', show);

  function line(event) {
    return el('div', {}, el('span', {}, String(event.number)), el('time', { datetime: event.at, title: event.at }, clock(event.at)),
      event.incident ? el('a', { href: `#/recovery/${event.incident}` }, `i${event.incident}`) : el('span', {}, '–'), el('span', {}, linked(event.text)));
  }

  function show() {
    const wanted = word.value.trim().toLowerCase();
    const found = events.filter((e) => (!kind.value || e.event === kind.value) && (!wanted || e.text.toLowerCase().includes(wanted)));
    said.textContent = `${found.length} of the latest ${events.length} events`;
    log.replaceChildren(...(found.length ? found.slice(-300).reverse().map(line) : [empty(events.length ? 'No event matches.' : 'No event yet. Elections, losses and repairs are listed here.')]));
  }

  function add(more) {
    const have = new Set(events.map((e) => e.number));
    events = events.concat(more.filter((e) => !have.has(e.number))).sort((a, b) => a.number - b.number).slice(-RETAINED);
    const known = new Set([...kind.options].map((o) => o.value));
    for (const name of [...new Set(events.map((e) => e.event))].sort()) if (!known.has(name)) kind.append(el('option', { value: name }, name));
    if (!paused) show();
  }

  said.textContent = 'Loading…';
  get('events/latest', { limit: 500 }).then((page) => add(page.events)).catch((failure) => { said.textContent = failure.message; });
  return { happened: add, destroy() { clearInterval(timer); } };
}
