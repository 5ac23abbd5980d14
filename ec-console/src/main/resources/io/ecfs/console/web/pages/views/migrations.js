// Moves of chunks without a loss: balancing of volumes, decommissions, the chunk optimizer; conversions of files.
import { get, incidents as incidentList, post } from '/api.js';
import { chart, color } from '/charts.js';
import { conversions } from '/conversions.js';
import { badge, bytes, confirm, count, el, empty, groupLink, head, panel, percent, rate, run, seconds, state, table, tile, time } from '/ui.js';

export function mount(root, { operator }) {
  const moved = tile('Moved');
  const toMove = tile('To move');
  const underWay = tile('In progress');
  const range = tile('Volume utilization');
  const begin = el('button', { class: 'b main', type: 'button', onclick: start }, 'Balance now');
  const end = el('button', { class: 'b', type: 'button', onclick: stop }, 'Stop balancing');
  const said = el('p', { class: 'soft' });
  const fill = chart('Utilization of each volume, and the mean');
  const flow = chart('Bytes from datanode to datanode of the latest move', 'chart tall');
  const flowSaid = el('div');
  const volumes = table({
    caption: 'Volumes, fullest first', key: (v) => `${v.datanode}/${v.id}`, pageSize: 25, none: 'No volume yet.',
    columns: [
      { name: 'Datanode', value: (v) => v.datanode }, { name: 'Volume', value: (v) => v.id, num: true },
      { name: 'Used', value: (v) => v.usedBytes, show: (v) => bytes(v.usedBytes), num: true }, { name: 'Capacity', value: (v) => v.roomBytes, show: (v) => bytes(v.roomBytes), num: true },
      { name: 'Utilization', value: (v) => v.usedBytes / Math.max(1, v.roomBytes), show: (v) => percent((100 * v.usedBytes) / Math.max(1, v.roomBytes)), num: true },
      { name: 'Plan', value: (v) => v.moveBytes, show: (v) => (v.moveBytes ? `${v.moveBytes > 0 ? '+' : ''}${bytes(v.moveBytes)}` : '–'), num: true },
    ],
  });
  const moves = table({
    caption: 'Moves, the latest first', key: (i) => i.id, sort: 0, descending: true, pageSize: 15, none: 'Nothing was moved yet. Balancing and decommissions are listed here.',
    columns: [
      { name: 'No.', value: (i) => i.id, node: (i) => el('a', { href: `#/recovery/${i.id}`, 'aria-label': `Timeline of move ${i.id}` }, String(i.id)), sign: (i) => i.id, num: true },
      { name: 'Reason', value: (i) => i.cause, text: true }, { name: 'State', value: (i) => i.healedAt ?? '', node: (i) => (i.healedAt ? badge('done', 'good') : badge('in progress', 'warn')), sign: (i) => i.healedAt },
      { name: 'Started', value: (i) => i.detectedAt, node: (i) => time(i.detectedAt), sign: (i) => i.detectedAt }, { name: 'Duration', value: (i) => i.repairSeconds, show: (i) => seconds(i.repairSeconds), num: true },
      { name: 'Chunks', value: (i) => i.chunksRepaired, show: (i) => count(i.chunksRepaired), num: true }, { name: 'Moved', value: (i) => i.bytesRepaired, show: (i) => bytes(i.bytesRepaired), num: true },
    ],
  });
  const history = incidentList();
  const converted = conversions(operator);
  const mover = tile('Chunk optimizer');
  const hold = el('button', { class: 'b', type: 'button', onclick: steer }, 'Pause the optimizer');
  let paused = false;
  const steps = table({
    caption: 'Chunks moved to where reads of them cost less, the latest first', key: (m) => `${m.group}/${m.index}/${m.from}/${m.to}`, sort: 0, descending: true, pageSize: 15,
    none: 'The chunk optimizer has moved nothing yet. It moves chunks that are read together to where reading them costs less.',
    columns: [
      { name: 'When', value: (m) => m.number, node: (m) => time(new Date(m.atMillis).toISOString()), sign: (m) => m.atMillis }, { name: 'State', value: (m) => m.state, node: (m) => state(m.state), sign: (m) => m.state },
      { name: 'Chunk', value: (m) => `g${m.group}.${m.index}`, node: (m) => groupLink(`g${m.group}`, `g${m.group}.${m.index}`), sign: (m) => [m.group, m.index] }, { name: 'From', value: (m) => m.from }, { name: 'To', value: (m) => m.to }, { name: 'Size', value: (m) => m.bytes, show: (m) => bytes(m.bytes), num: true },
      { name: 'Predicted gain', value: (m) => m.predictedGain, show: (m) => m.predictedGain.toFixed(2), num: true }, { name: 'Access E', value: (m) => m.accessGain, show: (m) => m.accessGain.toFixed(2), num: true },
      { name: 'Balance I', value: (m) => m.balanceGain, show: (m) => m.balanceGain.toFixed(2), num: true }, { name: 'Realised gain', value: (m) => m.realisedGain, show: (m) => (m.realisedGain === null ? '–' : m.realisedGain.toFixed(2)), num: true },
    ],
  });
  const planned = table({
    caption: 'Moves that the chunk optimizer would make next; none is started by showing them', key: (m) => `${m.group}/${m.index}`, pageSize: 15, none: 'No move would reduce the cost of reads now.',
    columns: [
      { name: 'Chunk', value: (m) => `g${m.group}.${m.index}`, node: (m) => groupLink(`g${m.group}`, `g${m.group}.${m.index}`), sign: (m) => [m.group, m.index] }, { name: 'From', value: (m) => m.from }, { name: 'To', value: (m) => m.to }, { name: 'Size', value: (m) => m.bytes, show: (m) => bytes(m.bytes), num: true },
      { name: 'Predicted gain', value: (m) => m.predictedGain, show: (m) => m.predictedGain.toFixed(2), num: true }, { name: 'Access E', value: (m) => m.accessGain, show: (m) => m.accessGain.toFixed(2), num: true },
      { name: 'Balance I', value: (m) => m.balanceGain, show: (m) => m.balanceGain.toFixed(2), num: true },
    ],
  });
  const plan = panel('Planned moves', planned.node);
  plan.hidden = true;
  const preview = el('button', { class: 'b', type: 'button', onclick: () => {
    plan.hidden = false;
    get('moves', { plan: true, limit: 1 }).then((report) => planned.set(report.plan)).catch(planned.failed);
  } }, 'Preview the next moves');
  root.append(head('Data movement', el('a', { href: '#/explain' }, 'Explain a read'), ...(operator ? [begin, end, hold] : [])), el('div', { class: 'tiles' }, moved.node, toMove.node, underWay.node, range.node, mover.node), said,
    el('div', { class: 'two' }, panel('Volume utilization', fill.node), panel('From → to', flowSaid, flow.node)), panel('Balancing and decommissions', moves.node), converted.node, panel('Chunk optimizer', ...(operator ? [preview] : []), steps.node), plan, panel('Volumes', volumes.node));

  async function start() {
    const values = await confirm({ title: 'Balance the volumes now?', text: 'Chunks are moved from fuller volumes to emptier ones. Groups keep their full redundancy; repairs and decommissions take precedence.', action: 'Balance',
      fields: [{ name: 'percent', label: 'Volumes may differ from the mean by (percent; empty: as configured)', type: 'number', step: '0.1' }] });
    if (values) await run('Balance', () => post('balance', values.percent ? { wish: 'begin', thresholdPercent: Number(values.percent) } : { wish: 'begin' }));
    load();
  }

  async function stop() {
    if (await confirm({ title: 'Stop balancing?', text: 'Moves in progress are completed; the balancing that an operator requested ends.', action: 'Stop', danger: true })) await run('Stop balancing', () => post('balance', { wish: 'end' }));
    load();
  }

  async function steer() {
    const wish = paused ? 'resume' : 'pause';
    if (await confirm({ title: `${paused ? 'Resume' : 'Pause'} the chunk optimizer?`, text: 'It moves chunks that are read together to where reading them costs less.', action: paused ? 'Resume' : 'Pause' })) {
      await run(`${paused ? 'Resume' : 'Pause'} the chunk optimizer`, () => post('moves', { wish }));
    }
    load();
  }

  function drawMover(report) {
    paused = report.paused;
    hold.textContent = paused ? 'Resume the optimizer' : 'Pause the optimizer';
    mover.set(report.on ? (paused ? 'paused' : `${count(report.moving)} in progress`) : 'off', report.waiting ? `waiting: ${report.waiting}` : `${count(report.chunksMoved)} chunks (${bytes(report.bytesMoved)}) moved`);
    steps.set(report.moves);
  }

  async function load() {
    converted.refresh();
    try {
      const [balance, all, report] = await Promise.all([get('balance'), history.load(), get('moves', { limit: 300 })]);
      drawMover(report);
      drawBalance(balance);
      const planned = all.filter((i) => i.planned && i.kind !== 'FILES_REWRITTEN');
      moves.set(planned);
      await drawFlow(planned[planned.length - 1]);
    } catch (failure) {
      [moves, steps, volumes].forEach((one) => one.failed(failure));
    }
  }

  function drawBalance(b) {
    const shares = b.volumes.map((v) => (100 * v.usedBytes) / Math.max(1, v.roomBytes));
    toMove.set(bytes(b.bytesToMove), `within ${percent(b.thresholdPermille / 10)} of the mean`, b.bytesToMove ? 'warn' : 'good');
    underWay.set(count(b.moving), `${count(b.chunksMoved)} chunks (${bytes(b.bytesMoved)}) moved by this leader`);
    range.set(shares.length ? `${percent(Math.min(...shares))} – ${percent(Math.max(...shares))}` : '–');
    said.textContent = `${b.asked ? 'Requested by an operator.' : b.background ? 'Running in the background.' : 'Balancing is disabled.'}${b.waiting ? ` Waiting: ${b.waiting}` : ''}`;
    end.disabled = !b.asked;
    volumes.set(b.volumes);
    const mean = (100 * b.volumes.reduce((s, v) => s + v.usedBytes, 0)) / Math.max(1, b.volumes.reduce((s, v) => s + v.roomBytes, 0));
    fill.set({
      grid: { left: 8, right: 16, top: 16, bottom: 8, containLabel: true }, tooltip: { trigger: 'axis', valueFormatter: (v) => percent(v, 2) },
      xAxis: { type: 'category', data: b.volumes.map((v) => `${v.datanode}/${v.id}`) }, yAxis: { type: 'value', axisLabel: { formatter: '{value} %' } },
      series: [{ type: 'bar', name: 'utilization', data: shares, markLine: { precision: 10, symbol: 'none', silent: true, label: { position: 'insideEndTop', formatter: 'mean', color: color('soft') }, lineStyle: { color: color('soft') }, data: [{ yAxis: mean }] } }],
    });
  }

  async function drawFlow(incident) {
    if (!incident) { flow.node.hidden = true; flowSaid.replaceChildren(empty('Bytes moved from datanode to datanode are shown here.')); return; }
    const { groups } = await get(`incidents/${incident.id}/chunks`, { limit: 1000 });
    const sums = new Map();
    for (const c of groups) for (const s of c.sources) if (c.target) {
      const key = JSON.stringify([s.datanode, c.target]);
      sums.set(key, (sums.get(key) ?? 0) + s.bytes);
    }
    flowSaid.replaceChildren(el('p', { class: 'soft' }, `${incident.cause}: ${count(groups.length)} chunks`));
    flow.node.hidden = sums.size === 0;
    const pairs = [...sums].map(([key, n]) => [...JSON.parse(key), n]);
    const nodes = new Set(pairs.flatMap(([a, b]) => [`from ${a}`, `to ${b}`]));
    flow.set({
      tooltip: { valueFormatter: bytes },
      series: [{ type: 'sankey', right: 90, nodeGap: 6, data: [...nodes].map((name) => ({ name })), label: { color: color('text') }, lineStyle: { color: 'source', opacity: 0.35 },
        links: pairs.map(([a, b, n]) => ({ source: `from ${a}`, target: `to ${b}`, value: n })) }],
    });
    flow.resize();
  }

  load();
  const timer = setInterval(load, 4000);
  return {
    update({ numbers }) { moved.set(rate(numbers.movedBytesPerSecond), `${bytes(numbers.movedBytes)} in all moves`); },
    destroy() { clearInterval(timer); fill.destroy(); flow.destroy(); },
  };
}
