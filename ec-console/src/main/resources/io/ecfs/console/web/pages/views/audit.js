// Who did what with this console.
import { get } from '/api.js';
import { badge, el, head, panel, table, time } from '/ui.js';

export function mount(root) {
  const rows = table({
    caption: 'Logins and actions since this console began, newest first; the file audit.log has all', key: (r) => JSON.stringify(r), pageSize: 50, none: 'Nothing was done yet.',
    columns: [
      { name: 'When', value: (r) => r.at, node: (r) => time(r.at) }, { name: 'User', value: (r) => r.user, text: true }, { name: 'From', value: (r) => r.from },
      { name: 'Action', value: (r) => r.action }, { name: 'Target', value: (r) => r.target, text: true },
      { name: 'Outcome', value: (r) => r.outcome, node: (r) => (r.outcome === 'done' ? badge('done', 'good') : el('span', {}, r.outcome)), text: true },
    ],
  });
  root.append(head('Audit'), panel(null, rows.node));
  const load = () => get('audit').then((page) => rows.set(page.entries)).catch(rows.failed);
  load();
  const timer = setInterval(load, 5000);
  return { destroy() { clearInterval(timer); } };
}
