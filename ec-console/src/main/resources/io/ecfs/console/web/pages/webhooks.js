// Webhooks of this console: what each receiver acknowledged, and a test message.
import { get, post } from '/api.js';
import { badge, confirm, count, el, panel, run, table, time } from '/ui.js';

/** The panel, hidden while no webhook is configured. refresh() loads it again. */
export function webhooks() {
  const rows = table({
    caption: 'Webhooks of this console, since its start', none: 'No webhook is configured.', key: (w) => w.name,
    columns: [
      { name: 'Webhook', value: (w) => w.name }, { name: 'Host', value: (w) => w.host }, { name: 'Severities', value: (w) => w.severities.join(', ') },
      { name: 'State', value: (w) => w.failure ?? '', text: true, node: (w) => (w.failure ? el('span', {}, badge('failing', 'warn'), ` ${w.failure}`) : badge('ok', 'good')) },
      { name: 'Queued', value: (w) => w.queued, num: true }, { name: 'Delivered', value: (w) => w.delivered, show: (w) => count(w.delivered), num: true },
      { name: 'Failed attempts', value: (w) => w.failedAttempts, num: true }, { name: 'Abandoned', value: (w) => w.abandoned, num: true },
      { name: 'Last delivery', value: (w) => w.deliveredAt, node: (w) => time(w.deliveredAt) },
      { name: 'Actions', pinned: true, sign: (w) => w.name, node: (w) => el('button', { class: 'b', type: 'button', 'aria-label': `Send a test message to ${w.name}`, onclick: () => test(w.name) }, 'Test') },
    ],
  });
  const node = panel('Webhooks', rows.node);
  node.hidden = true;

  async function test(name) {
    if (!await confirm({ title: `Send a test message to ${name}?`, action: 'Send' })) return;
    await run(`Test message to ${name}`, () => post(`webhooks/${encodeURIComponent(name)}/test`, {}));
    refresh();
  }

  function refresh() {
    get('webhooks').then((page) => {
      node.hidden = page.webhooks.length === 0;
      rows.set(page.webhooks);
    }).catch(rows.failed);
  }

  return { node, refresh };
}
