// Health of the cluster: alerts, worst first, each with a link; fault tolerance, throughput, namenodes.
import { get } from '/api.js';
import { byteAxis, chart, lines, points } from '/charts.js';
import { badge, bytes, count, el, empty, groupLink, head, meter, panel, percent, periods, rate, state, table, tile } from '/ui.js';

export function mount(root) {
  const tiles = {
    groups: tile('Healthy groups'), degraded: tile('Degraded groups'), lost: tile('Unavailable groups'), datanodes: tile('Datanodes'),
    space: tile('Space used'), imbalance: tile('Load skew (λ)'), repair: tile('Repaired'), io: tile('Read'),
  };
  const alerts = el('div');
  const redundancy = el('div', { class: 'spares' });
  const space = el('div');
  const groups = chart('Degraded and unavailable groups over time');
  const throughput = chart('Bytes read, written, repaired and moved per second over time');
  const spare = table({
    caption: 'Degraded groups by remaining fault tolerance, the most urgent first', key: (p) => `${p.groupId} ${p.path}`, pageSize: 10,
    none: 'No group is degraded. A group with missing chunks is listed here with the state of its repair.',
    columns: [
      { name: 'Spare chunks', value: (p) => p.chunksAlive - p.chunksNeeded, node: (p) => (p.lost ? badge('unavailable', 'bad') : badge(`${p.chunksAlive - p.chunksNeeded} left`, p.chunksAlive > p.chunksNeeded ? 'warn' : 'bad')) },
      { name: 'File', value: (p) => p.path, text: true, node: (p) => el('a', { href: `#/files?path=${encodeURIComponent(p.path)}` }, p.path) },
      { name: 'Group', value: (p) => p.groupId, node: (p) => groupLink(`g${p.groupId}`), sign: (p) => p.groupId, num: true },
      { name: 'Repair', value: (p) => p.doing, text: true },
    ],
  });
  const namenodes = table({
    caption: 'Namenodes', key: (n) => n.id, none: 'No namenode yet.',
    columns: [
      { name: 'Namenode', value: (n) => n.id }, { name: 'Address', value: (n) => n.address }, { name: 'Role', value: (n) => n.role, node: (n) => state(n.role) },
      { name: 'Term', value: (n) => n.term, num: true },
      { name: 'Applied index', value: (n) => n.appliedIndex, show: (n) => (n.appliedIndex < 0 ? '–' : count(n.appliedIndex)), num: true },
      { name: 'Lag', value: (n) => n.behind, show: (n) => (n.appliedIndex < 0 ? '–' : count(n.behind)), num: true },
    ],
  });
  const period = periods(() => quietly(charts()));
  root.append(head('Overview', period.node), el('div', { class: 'tiles', id: 'tiles' }, ...Object.values(tiles).map((t) => t.node)), space,
    panel('Alerts', alerts), panel('Remaining fault tolerance', redundancy), el('div', { class: 'two' }, panel('Groups', groups.node), panel('Throughput', throughput.node)),
    panel('Degraded groups', spare.node), panel('Namenodes', namenodes.node));

  async function charts() {
    const history = await get('history', { range: period.range(), points: 240, prefix: ['groups.', 'readBytes', 'writtenBytes', 'repairedBytes', 'movedBytes'] });
    groups.set(lines([{ name: 'degraded', tone: 'warn', data: points(history, 'groups.degraded') }, { name: 'unavailable', tone: 'bad', data: points(history, 'groups.lost') }], count));
    const flows = [['read', 'readBytesPerSecond'], ['written', 'writtenBytesPerSecond'], ['repaired', 'repairedBytesPerSecond'], ['moved', 'movedBytesPerSecond']]
      .map(([name, key]) => ({ name, data: points(history, key) }));
    throughput.set(lines(flows, rate, { yAxis: byteAxis(flows.flatMap((flow) => flow.data.map(([, value]) => value)), rate) }));
  }

  async function damage(report) {
    if (report.groups.degraded + report.groups.lost === 0) { spare.set([]); return; }
    const pages = await Promise.all([get('problems', { lost: true, limit: 100 }), get('problems', { urgent: true, limit: 100 })]);
    spare.set(pages.flatMap((page) => page.problems).sort((a, b) => (a.chunksAlive - a.chunksNeeded) - (b.chunksAlive - b.chunksNeeded)));
  }

  const quietly = (promise) => promise.catch(() => {}); // the banner reports it
  const timer = setInterval(() => quietly(charts()), 4000);
  quietly(charts());
  let requested = 0;

  return {
    update({ report, numbers, incidents, health }) {
      const g = report.groups;
      const healthy = report.datanodes.filter((d) => d.state === 'HEALTHY').length;
      tiles.groups.set(count(g.healthy), `${count(g.open)} being written`, 'good');
      tiles.degraded.set(count(g.degraded), 'readable, with missing chunks', g.degraded ? 'warn' : 'good');
      tiles.lost.set(count(g.lost), 'not readable now', g.lost ? 'bad' : 'good');
      tiles.datanodes.set(`${healthy} of ${report.datanodes.length}`, 'healthy', healthy === report.datanodes.length ? 'good' : 'warn');
      tiles.space.set(bytes(numbers.usedBytes), `${bytes(numbers.freeBytes)} free`);
      tiles.imbalance.set(percent(numbers.imbalancePercent), 'of bytes read per second');
      tiles.repair.set(rate(numbers.repairedBytesPerSecond), `${bytes(numbers.repairedBytes)} in all incidents`);
      tiles.io.set(rate(numbers.readBytesPerSecond), `written ${rate(numbers.writtenBytesPerSecond)}, moved ${rate(numbers.movedBytesPerSecond)}`);
      const share = numbers.usedBytes / Math.max(1, numbers.usedBytes + numbers.freeBytes);
      space.replaceChildren(meter(share, `${percent(share * 100)} of the space for chunks is used`));
      drawSpares(redundancy, report);
      alerts.replaceChildren(list(findings(health, incidents)));
      const leader = report.namenodes.find((n) => n.role === 'LEADER');
      namenodes.set(report.namenodes.map((n) => ({ ...n, behind: leader ? Math.max(0, leader.appliedIndex - n.appliedIndex) : 0 })));
      if (Date.now() - requested > 3000) { requested = Date.now(); damage(report).catch(spare.failed); }
    },
    destroy() { clearInterval(timer); groups.destroy(); throughput.destroy(); },
  };
}

/** Sealed groups by the number of further losses that each tolerates for certain. */
function drawSpares(node, report) {
  const g = report.groups;
  const all = Math.max(1, g.healthy + g.degraded + g.lost);
  const rows = [['unavailable', g.lost, 'bad'], ...(report.degradedBySpare ?? []).map((n, spare) => [spare === 0 ? 'tolerate no further loss' : `tolerate ${spare} more`, n, spare === 0 ? 'bad' : 'warn']), ['healthy', g.healthy, 'good']];
  const text = JSON.stringify(rows);
  if (node.dataset.rows === text) return;
  node.dataset.rows = text;
  node.replaceChildren(...rows.map(([name, n, tone]) => el('div', {}, badge(name, n || tone === 'good' ? tone : ''), el('span', { class: 'num' }, count(n)), meter(n / all, `${count(n)} groups: ${name}`))));
}

/** The alerts, worst first, as [tone, text, link]; of one severity the reasons of the verdict, then open incidents, then what is planned. */
export function findings(health, incidents) {
  const tones = { CRITICAL: 'bad', WARNING: 'warn' };
  const order = { bad: 0, warn: 1, '': 2 };
  const link = (i) => `#/recovery/${i.id}`;
  return [
    ...health.reasons.map((reason) => [tones[reason.level], reason.text, `#/${reason.page}`]),
    ...incidents.filter((i) => !i.planned).map((i) => [tones[i.severity.toUpperCase()] ?? '', `incident ${i.id}: ${i.cause}`, link(i)]),
    ...incidents.filter((i) => i.planned).map((i) => ['', `in progress: ${i.cause}`, '#/migrations']),
  ].sort(([a], [b]) => order[a] - order[b]);
}

function list(found) {
  if (!found.length) return empty('No alerts: all groups are healthy and every daemon responds.');
  const words = { bad: 'critical', warn: 'warning', '': 'info' };
  const lines_ = found.slice(0, 30).map(([tone, text, link]) => el('li', {}, badge(words[tone], tone), el('a', { href: link }, text)));
  if (found.length > 30) lines_.push(el('li', {}, `and ${found.length - 30} more`));
  return el('ul', { class: 'list' }, ...lines_);
}
