// Audit records: changes from the namenodes' logs, and logins, actions and refused requests of this console.
import { get } from '/api.js';
import { badge, el, head, panel, table, time } from '/ui.js';

const PAGE = 100;

export function mount(root, { query }) {
  const done = list('Logins and actions since this console started, newest first; the file audit.log has all', 'No action yet.');
  const refused = list('Refused logins and requests, newest first; the file refused.log has more', 'No refused request yet.');
  const changes = audited(query.get('find') || '');
  root.append(head('Audit', changes.search, changes.csv), panel('Changes and denied requests, by all clients', changes.said, changes.rows.node, changes.older),
    panel('This console', done.node), panel('Refused by this console', refused.node));
  const load = () => {
    get('audit').then((page) => { done.set(page.entries); refused.set(page.refused); }).catch((failure) => { done.failed(failure); refused.failed(failure); });
    changes.refresh();
  };
  load();
  const timer = setInterval(load, 5000);
  return { destroy() { clearInterval(timer); } };
}

const result = (text, good) => (text === good ? badge(good === 'OK' ? 'done' : good, 'good') : el('span', {}, text));

/** The namenodes' audit logs, filtered by a text, page by page towards the past. */
function audited(text) {
  let entries = [];
  let next = '';
  let loading = false;
  const said = el('p', { class: 'soft', role: 'status' });
  const word = el('input', { type: 'search', name: 'find', value: text, placeholder: 'user, path, operation…', 'aria-label': 'Show only lines that contain' });
  const rows = table({
    caption: 'From the audit logs of all namenodes, newest first', none: 'No line matches.', pageSize: PAGE, key: (r) => JSON.stringify(r),
    columns: [
      { name: 'When', value: (r) => r.at, node: (r) => time(r.at) }, { name: 'Who', value: (r) => (r.person === r.user ? r.user : `${r.person} as ${r.user}`), text: true }, { name: 'Via', value: (r) => r.via }, { name: 'From', value: (r) => r.from },
      { name: 'Operation', value: (r) => r.action }, { name: 'Target', value: (r) => (r.to ? `${r.target} → ${r.to}` : r.target), text: true }, { name: 'Detail', value: (r) => r.detail, text: true },
      { name: 'Result', value: (r) => r.result, node: (r) => result(r.result, 'OK') },
    ],
  });
  const older = el('button', { class: 'b', type: 'button', hidden: true, onclick: () => load(next) }, 'Older lines');
  const csv = el('a', { class: 'b', href: exportLink(text), download: 'audit.csv' }, 'Export CSV');
  const search = el('form', { class: 'row', role: 'search', onsubmit: (event) => {
    event.preventDefault();
    location.hash = `#/audit${word.value.trim() ? `?find=${encodeURIComponent(word.value.trim())}` : ''}`;
  } }, word, el('button', { type: 'submit', class: 'b' }, 'Filter'));

  async function load(after) {
    if (loading) return;
    loading = true;
    try {
      const page = await get('audit/changes', { after, find: text, limit: PAGE });
      entries = after ? entries.concat(page.entries) : page.entries;
      next = page.next;
      older.hidden = !next;
      rows.set(entries);
      const missing = Object.entries(page.missing).map(([namenode, why]) => `${namenode} was not read: ${why}`);
      said.textContent = [...missing, ...(next ? ['Older lines follow.'] : [])].join(' ');
    } catch (failure) {
      rows.failed(failure);
    }
    loading = false;
  }

  /** New lines come in on top while nobody reads on towards the past. */
  const refresh = () => { if (entries.length <= PAGE) load(''); };
  return { search, csv, rows, older, said, refresh };
}

export const exportLink = (text) => `/api/v1/audit/changes.csv${text ? `?find=${encodeURIComponent(text)}` : ''}`;

function list(caption, none) {
  return table({
    caption, none, key: (r) => JSON.stringify(r), pageSize: 50,
    columns: [
      { name: 'When', value: (r) => r.at, node: (r) => time(r.at) }, { name: 'User', value: (r) => r.user, text: true }, { name: 'From', value: (r) => r.from },
      { name: 'Action', value: (r) => r.action }, { name: 'Target', value: (r) => r.target, text: true },
      { name: 'Result', value: (r) => r.outcome, node: (r) => result(r.outcome, 'done'), text: true },
    ],
  });
}
