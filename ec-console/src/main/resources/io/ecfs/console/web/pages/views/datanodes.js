// Datanodes and volumes, the skew and the causes of their load, and the actions of an operator on them.
import { get, post } from '/api.js';
import { byteAxis, chart, color, lines, points } from '/charts.js';
import { bytes, clock, confirm, count, el, groupLink, head, panel, percent, periods, rate, run, state, table, tile, time } from '/ui.js';

const DRAW_MILLIS = 1900;
const CAUSES_MILLIS = 5000;
const HOT_FACTOR = 1.25;
const MOST_HOT = 4;
const MOST_CAUSES = 3;

export function mount(root, { operator }) {
  const now = tile('Load skew (λ)');
  const storedNow = tile('Skew of stored bytes (λ)');
  const most = tile('Fullest');
  const mean = tile('Average');
  const busy = chart('Bytes read and written per second by each datanode');
  const bars = chart('Bytes stored on each datanode, with the average');
  const course = chart('Load skew over time');
  const heat = chart('Bytes read and written per second by each datanode over time', 'chart tall');
  const filter = el('input', { type: 'search', placeholder: 'name, rack or state', 'aria-label': 'Show only datanodes that match' });
  let report = null;
  let drawn = 0;
  let loads = new Map();
  let causes = new Map();
  let asked = 0;
  const rows = table({
    caption: 'Datanodes and their volumes', key: (r) => `${r.id}/${r.volume}`, pageSize: 50, sort: 0, none: 'No datanode matches.',
    columns: [
      { name: 'Datanode', value: (r) => r.id }, { name: 'Rack', value: (r) => r.rack },
      { name: 'State', value: (r) => r.state, node: (r) => state(r.state), sign: (r) => r.state },
      { name: 'Admin state', value: (r) => r.duty, node: (r) => el('span', {}, state(r.duty), r.drain ? ` ${r.drain}` : ''), sign: (r) => [r.duty, r.drain] },
      { name: 'Volume', value: (r) => r.volume, node: (r) => el('span', { class: 'nowrap' }, `${r.volume} `, state(r.volumeState)), sign: (r) => [r.volume, r.volumeState] },
      { name: 'Used', value: (r) => r.used, show: (r) => bytes(r.used), num: true }, { name: 'Free', value: (r) => r.free, show: (r) => bytes(r.free), num: true },
      { name: 'Chunks', value: (r) => r.chunks, show: (r) => count(r.chunks), num: true },
      { name: 'Load', value: (r) => r.io, node: (r) => loadCell(r), sign: (r) => [r.io, r.causes], num: true }, { name: 'CPU', value: (r) => r.cpu, show: (r) => (r.cpu === null ? '–' : percent(r.cpu, 0)), num: true },
      { name: 'I/O wait', value: (r) => r.wait, show: (r) => (r.wait === null ? '–' : `${r.wait.toFixed(2)} ms`), num: true }, { name: 'Queue', value: (r) => r.queued, num: true },
      { name: 'Last heartbeat', value: (r) => r.heard, node: (r) => (r.heard ? time(new Date(r.heard).toISOString()) : 'never'), sign: (r) => clock(r.heard) },
      { name: 'Actions', pinned: true, node: (r) => actions(r, operator), sign: (r) => [r.id, r.duty] },
    ],
  });
  filter.addEventListener('input', show);
  const period = periods(() => quietly(charts()));
  root.append(head('Datanodes', period.node, filter), el('div', { class: 'tiles' }, now.node, storedNow.node, most.node, mean.node),
    el('div', { class: 'two' }, panel('Load', busy.node), panel('Load skew (λ)', course.node)), el('div', { class: 'two' }, panel('Heat map of load', heat.node), panel('Bytes stored', bars.node)), panel('Volumes', rows.node));

  function show() {
    if (!report) return;
    const word = filter.value.trim().toLowerCase();
    rows.set(report.datanodes.flatMap((d) => flat(d, loads.get(d.id), causes.get(d.id) ?? [])).filter((r) => !word || `${r.id} ${r.rack} ${r.state} ${r.duty} ${r.volumeState}`.toLowerCase().includes(word)));
  }

  /** For operators: the groups that are read most on the datanodes with most reads. */
  async function explain() {
    const found = new Map();
    await Promise.all(hottest([...loads.values()]).map(async (id) => found.set(id, (await get(`datanodes/${encodeURIComponent(id)}/reads`)).groups)));
    causes = found;
    show();
  }

  async function charts() {
    const history = await get('history', { range: period.range(), points: report && report.datanodes.length > 60 ? 60 : 120, prefix: ['imbalance', 'heldImbalance', 'datanode.'] });
    course.set(lines([{ name: 'λ of bytes read', data: points(history, 'imbalancePercent'), areaStyle: { opacity: 0.15 } }, { name: 'λ of bytes stored', data: points(history, 'heldImbalancePercent') }], (v) => percent(v, 0)));
    heat.set(heatMap(history));
  }

  const quietly = (promise) => promise.catch(() => {});
  const timer = setInterval(() => quietly(charts()), 5000);
  quietly(charts());

  return {
    update(view) {
      report = view.report;
      const stored = report.datanodes.map((d) => ({ id: d.id, state: d.state, used: d.volumes.reduce((sum, v) => sum + v.usedBytes, 0) }));
      const healthy = stored.filter((d) => d.state === 'HEALTHY');
      const average = healthy.reduce((sum, d) => sum + d.used, 0) / Math.max(1, healthy.length);
      const fullest = healthy.reduce((a, b) => (b.used > a.used ? b : a), { id: '–', used: 0 });
      now.set(percent(view.numbers.imbalancePercent), '(max − avg) / avg of bytes read per second');
      storedNow.set(percent(view.numbers.heldImbalancePercent), 'of the healthy datanodes');
      most.set(fullest.id, bytes(fullest.used));
      mean.set(bytes(average), `${healthy.length} healthy datanodes`);
      loads = new Map((view.numbers.loads?.datanodes ?? []).map((d) => [d.id, d]));
      if (Date.now() - drawn > DRAW_MILLIS) {
        drawn = Date.now();
        bars.set(barChart(stored, average));
        busy.set(loadChart([...loads.values()]));
      }
      if (operator && Date.now() - asked > CAUSES_MILLIS) { asked = Date.now(); quietly(explain()); }
      show();
    },
    destroy() { clearInterval(timer); [busy, bars, course, heat].forEach((c) => c.destroy()); },
  };
}

/** The ids of datanodes from which clearly more than the mean is read, the busiest first. */
export function hottest(loads) {
  const read = (d) => d.load?.readBytesPerSecond ?? 0;
  const mean = loads.reduce((sum, d) => sum + read(d), 0) / Math.max(1, loads.length);
  return loads.filter((d) => read(d) > 0 && read(d) >= HOT_FACTOR * mean).sort((a, b) => read(b) - read(a)).slice(0, MOST_HOT).map((d) => d.id);
}

/** The rate, and of a hot datanode its causes: group (with its file on hover), share of all requests, main reader. */
function loadCell(r) {
  const cause = (c) => el('div', { class: 'soft cause', title: c.file ?? '' }, groupLink(c.group), ` ${percent(c.share * 100, 0)}${c.readers.length ? ` by ${c.readers[0].user}` : ''}`);
  return el('div', {}, r.io === null ? '–' : rate(r.io), ...r.causes.slice(0, MOST_CAUSES).map(cause));
}

function flat(d, load, causes) {
  const drain = d.drain ? `${count(d.drain.chunksLeft)} chunks left${d.drain.etaSeconds ? `, estimated completion in ${d.drain.etaSeconds} s` : ''}${d.drain.waiting ? `, waiting: ${d.drain.waiting}` : ''}` : '';
  return d.volumes.map((v, at) => ({
    causes: at === 0 ? causes : [], id: d.id, rack: d.rack, state: d.state, duty: d.duty.state, drain, volume: v.id, volumeState: v.state,
    used: v.usedBytes, free: v.freeBytes, chunks: v.chunks, heard: d.lastHeartbeatMillis,
    io: load?.load ? load.load.readBytesPerSecond + load.load.writtenBytesPerSecond : null, cpu: load?.load && load.load.cpuPermille >= 0 ? load.load.cpuPermille / 10 : null,
    wait: load?.load ? load.load.waitMicros / 1000 : null, queued: load?.queued ?? null,
  }));
}

function actions(row, operator) {
  const button = (text, action, danger) => el('button', { class: `b ${danger ? 'danger' : ''}`, type: 'button', 'aria-label': `${text} ${row.id}`, onclick: action }, text);
  const buttons = operator ? [button('Safe to stop?', () => safe(row.id))] : [];
  if (operator && row.duty === 'IN_SERVICE') {
    buttons.push(button('Decommission', () => duty(row.id, 'decommission'), true), button('Maintenance', () => duty(row.id, 'maintenance'), true));
  } else if (operator) {
    buttons.push(button('Recommission', () => duty(row.id, 'recommission')));
  }
  return el('div', { class: 'actions' }, ...buttons);
}

async function safe(id) {
  const answer = await run(`Safe-to-stop check of ${id}`, () => get('safe-to-stop', { datanode: id }));
  if (!answer) return;
  await confirm({
    title: answer.safe ? `Safe: ${id} may be stopped` : `Not safe: ${id} must not be stopped now`,
    text: `Of ${count(answer.groupsChecked)} groups with chunks there, ${count(answer.groupsUnreadable)} would be unavailable, and ${count(answer.groupsWithoutSpare)} would be readable without tolerating another loss. ${count(answer.groupsBeingWritten)} more are being written.`,
    action: 'Close',
  });
}

const WORDS = {
  decommission: ['Decommission', 'All its chunks are moved to other datanodes; it gets no new ones. Groups keep their full redundancy meanwhile.'],
  maintenance: ['Start maintenance of', 'It gets no new chunks and may be stopped; nothing is reconstructed unless a group would have no spare chunk.'],
  recommission: ['Recommission', 'It returns to service.'],
};

async function duty(id, wanted) {
  const [word, text] = WORDS[wanted];
  const fields = wanted === 'maintenance' ? [{ name: 'for', label: 'Duration (such as 30m or 2h; empty: until recommissioned)', value: '1h' }] : [];
  const values = await confirm({ title: `${word} ${id}?`, text, action: word, danger: wanted !== 'recommission', fields });
  if (!values) return;
  const body = { duty: wanted };
  if (values.for) body.for = values.for;
  await run(`${word} ${id}`, () => post(`datanodes/${encodeURIComponent(id)}/duty`, body));
}

function barChart(stored, average) {
  const sorted = [...stored].sort((a, b) => b.used - a.used);
  return {
    grid: { left: 8, right: 16, top: 16, bottom: 8, containLabel: true },
    tooltip: { trigger: 'axis', valueFormatter: bytes },
    xAxis: { type: 'category', data: sorted.map((d) => d.id) },
    yAxis: byteAxis([average, ...sorted.map((d) => d.used)], bytes),
    series: [{
      type: 'bar', name: 'bytes stored', data: sorted.map((d) => ({ value: d.used, itemStyle: { color: d.state === 'HEALTHY' ? color('accent') : color('bad') } })),
      markLine: { precision: 10, symbol: 'none', silent: true, label: { position: 'insideEndTop', formatter: 'avg', color: color('soft') }, lineStyle: { color: color('soft') }, data: [{ yAxis: average }] },
    }],
  };
}

function loadChart(datanodes) {
  const series = (name, key) => ({ type: 'bar', stack: 'load', name, data: datanodes.map((d) => d.load?.[key] ?? 0) });
  return {
    legend: {}, tooltip: { trigger: 'axis', valueFormatter: rate },
    xAxis: { type: 'category', data: datanodes.map((d) => d.id) }, yAxis: byteAxis(datanodes.map((d) => (d.load?.readBytesPerSecond ?? 0) + (d.load?.writtenBytesPerSecond ?? 0)), rate),
    series: [series('read', 'readBytesPerSecond'), series('written', 'writtenBytesPerSecond')],
  };
}

const moment = (millis) => clock(new Date(millis).toISOString());

function heatMap(history) {
  const names = Object.keys(history.series).filter((n) => n.startsWith('datanode.') && n.endsWith('.bytesPerSecond'))
    .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
  const cells = [];
  let top = 1;
  names.forEach((name, y) => history.series[name].forEach((value, x) => {
    if (value !== null) { cells.push([x, y, value]); top = Math.max(top, value); }
  }));
  return {
    grid: { left: 8, right: 16, top: 8, bottom: 48, containLabel: true },
    tooltip: { formatter: ({ value: [x, y, v] }) => `${names[y].split('.')[1]}  ${moment(history.at[x])}  ${rate(v)}` },
    xAxis: { type: 'category', data: history.at.map(moment), splitLine: { show: false } },
    yAxis: { type: 'category', data: names.map((n) => n.split('.').slice(1, -1).join('.')), splitLine: { show: false } },
    visualMap: { min: 0, max: top, calculable: false, orient: 'horizontal', left: 'center', bottom: 0, formatter: rate, textStyle: { color: color('soft') }, inRange: { color: [color('panel'), color('accent')] } },
    series: [{ type: 'heatmap', data: cells }],
  };
}
