// Is all well? What is wrong now, worst first, each line linking on.
import { get } from '/api.js';
import { byteAxis, chart, lines, points } from '/charts.js';
import { badge, bytes, count, el, empty, head, meter, panel, percent, rate, state, table, tile } from '/ui.js';

export function mount(root) {
  const tiles = {
    groups: tile('Groups whole'), degraded: tile('Groups degraded'), lost: tile('Groups lost'), datanodes: tile('Datanodes'),
    space: tile('Space used'), imbalance: tile('Load imbalance λ'), repair: tile('Repaired'), io: tile('Read'),
  };
  const wrong = el('div');
  const redundancy = el('div', { class: 'spares' });
  const space = el('div');
  const groups = chart('Degraded and lost groups over time');
  const throughput = chart('Bytes read, written, repaired and moved per second over time');
  const spare = table({
    caption: 'Damaged groups by chunks to spare, those that need help first', key: (p) => `${p.groupId} ${p.path}`, pageSize: 10,
    none: 'No group is damaged. A group that loses a chunk is listed here with what is done about it.',
    columns: [
      { name: 'Spare', value: (p) => p.chunksAlive - p.chunksNeeded, node: (p) => (p.lost ? badge('lost', 'bad') : badge(`${p.chunksAlive - p.chunksNeeded} left`, p.chunksAlive > p.chunksNeeded ? 'warn' : 'bad')) },
      { name: 'File', value: (p) => p.path, text: true, node: (p) => el('a', { href: `#/files?path=${encodeURIComponent(p.path)}` }, p.path) },
      { name: 'Group', value: (p) => p.groupId, show: (p) => `g${p.groupId}`, num: true },
      { name: 'What is done', value: (p) => p.doing, text: true },
    ],
  });
  const namenodes = table({
    caption: 'Namenodes', key: (n) => n.id, none: 'No namenode is known yet.',
    columns: [
      { name: 'Namenode', value: (n) => n.id }, { name: 'Address', value: (n) => n.address }, { name: 'Role', value: (n) => n.role, node: (n) => state(n.role) },
      { name: 'Term', value: (n) => n.term, num: true },
      { name: 'Applied entry', value: (n) => n.appliedIndex, show: (n) => (n.appliedIndex < 0 ? '–' : count(n.appliedIndex)), num: true },
      { name: 'Behind', value: (n) => n.behind, show: (n) => (n.appliedIndex < 0 ? '–' : count(n.behind)), num: true },
    ],
  });
  root.append(head('Overview'), el('div', { class: 'tiles', id: 'tiles' }, ...Object.values(tiles).map((t) => t.node)), space,
    panel('Wrong now', wrong), panel('Groups by what they survive', redundancy), el('div', { class: 'two' }, panel('Groups', groups.node), panel('Throughput', throughput.node)),
    panel('Damage', spare.node), panel('Namenodes', namenodes.node));

  async function charts() {
    const history = await get('history', { points: 240, prefix: ['groups.', 'readBytes', 'writtenBytes', 'repairedBytes', 'movedBytes'] });
    groups.set(lines([{ name: 'degraded', data: points(history, 'groups.degraded') }, { name: 'lost', data: points(history, 'groups.lost') }], count));
    const flows = [['read', 'readBytesPerSecond'], ['written', 'writtenBytesPerSecond'], ['repaired', 'repairedBytesPerSecond'], ['moved', 'movedBytesPerSecond']]
      .map(([name, key]) => ({ name, data: points(history, key) }));
    throughput.set(lines(flows, rate, { yAxis: byteAxis(flows.flatMap((flow) => flow.data.map(([, value]) => value)), rate) }));
  }

  async function damage(report) {
    if (report.groups.degraded + report.groups.lost === 0) { spare.set([]); return; }
    const pages = await Promise.all([get('problems', { lost: true, limit: 100 }), get('problems', { urgent: true, limit: 100 })]);
    spare.set(pages.flatMap((page) => page.problems).sort((a, b) => (a.chunksAlive - a.chunksNeeded) - (b.chunksAlive - b.chunksNeeded)));
  }

  const quietly = (promise) => promise.catch(() => {}); // the banner says it
  const timer = setInterval(() => quietly(charts()), 4000);
  quietly(charts());
  let asked = 0;

  return {
    update({ report, numbers, incidents }) {
      const g = report.groups;
      const healthy = report.datanodes.filter((d) => d.state === 'HEALTHY').length;
      tiles.groups.set(count(g.healthy), `${count(g.open)} being written`, 'good');
      tiles.degraded.set(count(g.degraded), 'can be read, lack chunks', g.degraded ? 'warn' : 'good');
      tiles.lost.set(count(g.lost), 'cannot be read now', g.lost ? 'bad' : 'good');
      tiles.datanodes.set(`${healthy} of ${report.datanodes.length}`, 'healthy', healthy === report.datanodes.length ? 'good' : 'warn');
      tiles.space.set(bytes(numbers.usedBytes), `${bytes(numbers.freeBytes)} free`);
      tiles.imbalance.set(percent(numbers.imbalancePercent), 'of bytes read a second');
      tiles.repair.set(rate(numbers.repairedBytesPerSecond), `${bytes(numbers.repairedBytes)} in all incidents`);
      tiles.io.set(rate(numbers.readBytesPerSecond), `written ${rate(numbers.writtenBytesPerSecond)}, moved ${rate(numbers.movedBytesPerSecond)}`);
      const share = numbers.usedBytes / Math.max(1, numbers.usedBytes + numbers.freeBytes);
      space.replaceChildren(meter(share, `${percent(share * 100)} of the space for chunks is used`));
      drawSpares(redundancy, report);
      wrong.replaceChildren(list(findings(report, incidents)));
      const leader = report.namenodes.find((n) => n.role === 'LEADER');
      namenodes.set(report.namenodes.map((n) => ({ ...n, behind: leader ? Math.max(0, leader.appliedIndex - n.appliedIndex) : 0 })));
      if (Date.now() - asked > 3000) { asked = Date.now(); damage(report).catch(spare.failed); }
    },
    destroy() { clearInterval(timer); groups.destroy(); throughput.destroy(); },
  };
}

/** Sealed groups by the further losses that they surely survive: none are left of the lost ones. */
function drawSpares(node, report) {
  const g = report.groups;
  const all = Math.max(1, g.healthy + g.degraded + g.lost);
  const rows = [['lost', g.lost, 'bad'], ...(report.degradedBySpare ?? []).map((n, spare) => [spare === 0 ? 'survive no further loss' : `survive ${spare} more`, n, spare === 0 ? 'bad' : 'warn']), ['whole', g.healthy, 'good']];
  const text = JSON.stringify(rows);
  if (node.dataset.rows === text) return;
  node.dataset.rows = text;
  node.replaceChildren(...rows.map(([name, n, tone]) => el('div', {}, badge(name, n || tone === 'good' ? tone : ''), el('span', { class: 'num' }, count(n)), meter(n / all, `${count(n)} groups: ${name}`))));
}

/** What is wrong, worst first: [tone, text, link]. */
function findings(report, incidents) {
  const found = [];
  const g = report.groups;
  if (g.lost) found.push(['bad', `${count(g.lost)} groups cannot be read`, '#/recovery']);
  if (!report.namenodes.some((n) => n.role === 'LEADER')) found.push(['bad', 'no namenode leads', '#/events']);
  if (report.safeMode) found.push(['bad', `safe mode: ${report.safeModeReason}`, '#/events']);
  for (const incident of incidents.filter((i) => !i.planned)) found.push(['bad', `incident ${incident.id}: ${incident.cause}`, `#/recovery/${incident.id}`]);
  for (const d of report.datanodes.filter((x) => x.state === 'DEAD')) found.push(['bad', `datanode ${d.id} is dead`, '#/datanodes']);
  for (const n of report.namenodes.filter((x) => x.role === 'UNREACHABLE')) found.push(['bad', `namenode ${n.id} is not heard`, '#/overview']);
  if (g.degraded) found.push(['warn', `${count(g.degraded)} groups lack chunks`, '#/recovery']);
  for (const d of report.datanodes) {
    if (d.state === 'SUSPECTED') found.push(['warn', `datanode ${d.id} is suspected`, '#/datanodes']);
    for (const v of d.volumes) {
      if (v.state !== 'HEALTHY') found.push(['warn', `volume ${v.id} of ${d.id} is ${v.state.toLowerCase()}`, '#/datanodes']);
      else if (v.usedBytes / Math.max(1, v.usedBytes + v.freeBytes) > 0.9) found.push(['warn', `volume ${v.id} of ${d.id} is nearly full`, '#/migrations']);
    }
  }
  for (const incident of incidents.filter((i) => i.planned)) found.push(['', `under way: ${incident.cause}`, '#/migrations']);
  return found;
}

function list(found) {
  if (!found.length) return empty('Nothing: all groups are whole and every daemon is heard.');
  const words = { bad: 'act', warn: 'look', '': 'note' };
  const lines_ = found.slice(0, 30).map(([tone, text, link]) => el('li', {}, badge(words[tone], tone), el('a', { href: link }, text)));
  if (found.length > 30) lines_.push(el('li', {}, `and ${found.length - 30} more`));
  return el('ul', { class: 'list' }, ...lines_);
}
