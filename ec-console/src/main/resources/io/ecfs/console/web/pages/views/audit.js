// Audit records: logins, actions and refused requests of this console.
import { get } from '/api.js';
import { badge, el, head, panel, table, time } from '/ui.js';

export function mount(root) {
  const done = list('Logins and actions since this console started, newest first; the file audit.log has all', 'No action yet.');
  const refused = list('Refused logins and requests, newest first; the file refused.log has more', 'No refused request yet.');
  root.append(head('Audit'), panel(null, done.node), panel('Refused', refused.node));
  const load = () => get('audit').then((page) => { done.set(page.entries); refused.set(page.refused); })
    .catch((failure) => { done.failed(failure); refused.failed(failure); });
  load();
  const timer = setInterval(load, 5000);
  return { destroy() { clearInterval(timer); } };
}

function list(caption, none) {
  return table({
    caption, none, key: (r) => JSON.stringify(r), pageSize: 50,
    columns: [
      { name: 'When', value: (r) => r.at, node: (r) => time(r.at) }, { name: 'User', value: (r) => r.user, text: true }, { name: 'From', value: (r) => r.from },
      { name: 'Action', value: (r) => r.action }, { name: 'Target', value: (r) => r.target, text: true },
      { name: 'Result', value: (r) => r.outcome, node: (r) => (r.outcome === 'done' ? badge('done', 'good') : el('span', {}, r.outcome)), text: true },
    ],
  });
}
