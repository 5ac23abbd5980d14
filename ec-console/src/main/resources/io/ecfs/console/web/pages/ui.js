// The few components that pages are made of. Text goes in as text, never as HTML.

/** An element: el('a', {class: 'x', href: '#', onclick: f}, 'text', child). */
export function el(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (name === 'class') element.className = value;
    else element.setAttribute(name, value === true ? '' : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

export const count = (number) => Number(number).toLocaleString('en');

const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB'];

export function bytes(number) {
  if (number === null || number === undefined) return '–';
  let value = Math.abs(number);
  let unit = 0;
  while (value >= 1024 && unit < UNITS.length - 1) { value /= 1024; unit++; }
  const text = unit === 0 ? String(value) : value.toFixed(value < 10 ? 2 : 1);
  return `${number < 0 ? '-' : ''}${text} ${UNITS[unit]}`;
}

export const rate = (number) => `${bytes(Math.round(number))}/s`;
export const percent = (number, digits = 1) => `${Number(number).toFixed(digits)} %`;

export function seconds(number) {
  if (number === null || number === undefined) return '–';
  if (number < 120) return `${number.toFixed(number < 10 ? 2 : 1)} s`;
  if (number < 7200) return `${(number / 60).toFixed(1)} min`;
  return `${(number / 3600).toFixed(1)} h`;
}

const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;

export function clock(iso) {
  const at = new Date(iso);
  const day = at.toDateString() === new Date().toDateString() ? '' : `${at.toLocaleDateString('sv')} `;
  return `${day}${at.toLocaleTimeString('sv')}`;
}

/** A local time, with the date and the zone on hover. */
export function time(iso) {
  if (!iso) return '–';
  return el('time', { datetime: iso, title: `${new Date(iso).toLocaleString('sv')} ${zone}` }, clock(iso));
}

/** Text in which every group or chunk (g17, g2:17, g17.3) links to the file that has it: nodes for el(). */
export function linked(text) {
  return String(text).split(/(?<![\w.:-])(g(?:\d+:){0,2}\d+)(?![\w:-])/).map((part, i) => (i % 2 ? groupLink(part) : part));
}

/** A link to the file that has a group. */
export const groupLink = (group, shown = group) => el('a', { href: `#/files?group=${encodeURIComponent(group)}` }, shown);

export const badge = (text, tone = '') => el('span', { class: `badge ${tone}` }, text);
export const empty = (text) => el('p', { class: 'empty' }, text);
export const panel = (title, ...children) => el('section', { class: 'panel' }, title ? el('h2', {}, title) : null, ...children);

export function head(title, ...right) {
  return el('div', { class: 'head' }, el('h1', {}, title), el('div', { class: 'row' }, ...right));
}

/** Buttons that choose the period of a page's charts: range() is hour, day or week. */
export function periods(onchange) {
  let chosen = 'hour';
  const buttons = ['hour', 'day', 'week'].map((name) => el('button', { class: 'b', type: 'button', 'aria-pressed': String(name === chosen), onclick: () => {
    chosen = name;
    buttons.forEach((button) => button.setAttribute('aria-pressed', String(button.textContent.toLowerCase() === name)));
    onchange();
  } }, `${name[0].toUpperCase()}${name.slice(1)}`));
  return { node: el('div', { class: 'row', role: 'group', 'aria-label': 'Period of the charts' }, ...buttons), range: () => chosen };
}

/** A number with its label that changes in place. */
export function tile(label) {
  const value = el('div', { class: 'value' }, '–');
  const note = el('div', { class: 'note' });
  const node = el('div', { class: 'tile' }, el('div', { class: 'label' }, label), value, note);
  return {
    node,
    set(text, more = '', tone = '') {
      put(value, text);
      put(note, more);
      node.className = `tile ${tone}`;
    },
  };
}

/** Sets text only when it differs, so that a screen reader and a selection are left alone. */
export function put(element, text) {
  if (element.textContent !== String(text)) element.textContent = text;
}

export function meter(share, label) {
  const bar = el('div');
  bar.style.width = `${Math.max(0, Math.min(100, share * 100))}%`;
  return el('div', { class: 'meter', role: 'img', 'aria-label': label }, bar);
}

const style = (column) => (column.num ? 'num' : column.text ? 'text' : column.pinned ? 'pinned' : null);

/**
 * A paged table that reuses unchanged rows. Shows 'Loading…' until set() is called, and the reason after failed().
 * columns: [{name, value(row) to sort by and show, node(row) instead of text, num, text, pinned: in sight however far the rest is scrolled}]
 */
export function table({ caption, columns, key, none, pageSize = 50, sort = null, descending = false }) {
  let rows = [];
  let page = 0;
  const lines = new Map();
  const body = el('tbody');
  const order = { by: sort, down: descending };
  const headers = columns.map((column, at) => {
    const cell = el('th', { scope: 'col', class: style(column) },
      column.value ? el('button', { type: 'button', onclick: () => turn(at) }, column.name) : column.name);
    return cell;
  });
  const said = el('span');
  const back = el('button', { class: 'b', type: 'button', onclick: () => { page--; show(); } }, 'Previous');
  const next = el('button', { class: 'b', type: 'button', onclick: () => { page++; show(); } }, 'Next');
  const pager = el('div', { class: 'pager' }, back, next, said);
  const nothing = empty('Loading…');
  const grid = el('table', {}, el('caption', {}, caption), el('thead', {}, el('tr', {}, ...headers)), body);
  const frame = el('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': caption }, grid);
  const node = el('div', {}, frame, nothing, pager);

  function turn(at) {
    order.down = order.by === at ? !order.down : false;
    order.by = at;
    show();
  }

  function sorted() {
    if (order.by === null) return rows;
    const { value } = columns[order.by];
    const sign = order.down ? -1 : 1;
    return [...rows].sort((a, b) => {
      const [x, y] = [value(a) ?? '', value(b) ?? ''];
      return sign * (typeof x === 'number' && typeof y === 'number' ? x - y : String(x).localeCompare(String(y), 'en', { numeric: true }));
    });
  }

  function line(row) {
    const id = String(key(row));
    let cached = lines.get(id);
    if (!cached) {
      cached = { tr: el('tr'), cells: columns.map((c) => el('td', { class: style(c) })), signs: [] };
      cached.tr.append(...cached.cells);
      lines.set(id, cached);
    }
    columns.forEach((column, i) => {
      const shown = column.node ? JSON.stringify(column.sign ? column.sign(row) : row) : String(column.show ? column.show(row) : column.value(row) ?? '–');
      if (cached.signs[i] === shown) return;
      cached.signs[i] = shown;
      if (column.node) cached.cells[i].replaceChildren(column.node(row) ?? '');
      else cached.cells[i].textContent = shown;
    });
    return cached.tr;
  }

  function show() {
    const all = sorted();
    page = Math.max(0, Math.min(page, Math.ceil(all.length / pageSize) - 1));
    const shown = all.slice(page * pageSize, (page + 1) * pageSize);
    const trs = shown.map(line);
    if (trs.length !== body.children.length || trs.some((tr, i) => body.children[i] !== tr)) {
      const focused = document.activeElement;
      body.replaceChildren(...trs);
      if (focused && body.contains(focused)) focused.focus();
    }
    if (lines.size > 4 * pageSize) {
      const now = new Set(shown.map((row) => String(key(row))));
      for (const id of lines.keys()) if (!now.has(id)) lines.delete(id);
    }
    headers.forEach((th, i) => {
      if (order.by === i) th.setAttribute('aria-sort', order.down ? 'descending' : 'ascending');
      else th.removeAttribute('aria-sort');
    });
    frame.hidden = all.length === 0;
    nothing.hidden = all.length > 0;
    pager.hidden = all.length <= pageSize;
    back.disabled = page === 0;
    next.disabled = (page + 1) * pageSize >= all.length;
    put(said, `${page * pageSize + 1}–${page * pageSize + shown.length} of ${all.length}`);
  }

  show();
  return {
    node,
    set(next_) {
      put(nothing, none);
      rows = next_;
      show();
    },
    /** Shows why there are no rows, unless some were loaded before. */
    failed(failure) { put(nothing, `This could not be loaded: ${failure.message}`); },
  };
}

/** A number between two ends, by a slider or as typed: value() is a number, NaN when what was typed is none. */
export function slider({ label, min, max, step = 1, disabled = false }) {
  const range = el('input', { type: 'range', min, max, step, disabled, 'aria-label': `${label}, slider` });
  const number = el('input', { type: 'number', min, step, disabled, 'aria-label': label });
  range.addEventListener('input', () => { number.value = range.value; });
  number.addEventListener('input', () => { range.value = number.value; });
  return {
    node: el('div', { class: 'row' }, range, number),
    value: () => (number.value === '' ? NaN : Number(number.value)),
    /** null leaves the number blank. */
    set(value) {
      if (value > Number(range.max)) range.max = value;
      number.value = value ?? '';
      range.value = value ?? min;
    },
  };
}

export function toast(text, bad = false) {
  const node = el('div', { class: bad ? 'toast bad' : 'toast' }, text);
  document.getElementById('toasts').append(node);
  setTimeout(() => node.remove(), bad ? 12000 : 5000);
}

/** Opens a confirmation dialog; resolves to the form's values, or null. */
export function confirm({ title, text, action, danger = false, fields = [] }) {
  return new Promise((done) => {
    const inputs = fields.map((field) => {
      const input = field.options
        ? el('select', { name: field.name }, ...field.options.map((o) => el('option', { value: o, selected: o === field.value }, o)))
        : el('input', { name: field.name, type: field.type ?? 'text', value: field.value ?? '', placeholder: field.placeholder ?? null, step: field.step ?? null });
      return { field, input, node: el('label', {}, field.label, input) };
    });
    const dialog = el('dialog', { 'aria-labelledby': 'dialog-title' },
      el('form', { method: 'dialog', class: 'stack', onsubmit: (event) => {
        event.preventDefault();
        finish(Object.fromEntries(inputs.map(({ field, input }) => [field.name, input.value])));
      } },
      el('h2', { id: 'dialog-title' }, title), text ? el('div', {}, text) : null, ...inputs.map((i) => i.node),
      el('div', { class: 'row' },
        el('button', { type: 'button', class: 'b', onclick: () => finish(null) }, 'Cancel'),
        el('button', { type: 'submit', class: `b ${danger ? 'danger' : 'main'}` }, action))));
    const finish = (value) => { dialog.close(); dialog.remove(); done(value); };
    dialog.addEventListener('cancel', (event) => { event.preventDefault(); finish(null); });
    document.body.append(dialog);
    dialog.showModal();
  });
}

/** Runs an action and reports its result in a toast. */
export async function run(what, action) {
  try {
    const result = await action();
    toast(`${what}: done`);
    return result;
  } catch (failure) {
    toast(`${what}: ${failure.message}`, true);
    return null;
  }
}

const TONES = {
  HEALTHY: 'good', LEADER: 'good', FOLLOWER: 'good', FINALISED: 'good', LIVE: 'good', DONE: 'good',
  SUSPECTED: 'warn', CANDIDATE: 'warn', READ_ONLY: 'warn', FULL: 'warn', BEING_WRITTEN: 'warn', LAST_RESORT: 'warn',
  DECOMMISSIONING: 'warn', IN_MAINTENANCE: 'warn', DECOMMISSIONED: 'warn', PAUSED: 'warn',
  DEAD: 'bad', FAILED: 'bad', UNREACHABLE: 'bad', CORRUPT: 'bad', MISSING: 'bad', LOST: 'bad',
};

export const state = (name) => badge(String(name).toLowerCase().replaceAll('_', ' '), TONES[String(name).toUpperCase()] ?? '');
