// An explained read: the chunks that are requested, their predicted costs, the result of each request, and the late ones.
import { get, post } from '/api.js';
import { chart, color } from '/charts.js';
import { badge, bytes, confirm, count, el, groupLink, head, panel, table, tile } from '/ui.js';

const LATE = ['answered late', 'called off late', 'failed'];
const RESULTS = { 'called off': 'cancelled', 'called off late': 'cancelled (late)', 'answered late': 'answered (late)' };
const millis = (number) => (number === undefined || number === null ? '–' : `${number.toFixed(2)} ms`);

export function mount(root, { query, operator }) {
  const paths = el('textarea', { rows: 3, name: 'paths', placeholder: '/data/a' }, query.getAll('path').join('\n'));
  const from = el('input', { type: 'number', min: 0, value: query.get('from') ?? 0 });
  const length = el('input', { type: 'number', min: 1, value: query.get('length') ?? 1048576 });
  const said = el('p', { class: 'soft', role: 'status' }, 'Enter files, one per line; the same range of each is read in one request. A plan reads nothing.');
  const facts = { predicted: tile('Predicted'), took: tile('Took'), plan: tile('Cost of the plan'), data: tile('Data chunks only'), greedy: tile('Greedy plan'), exact: tile('Optimal plan') };
  const drawn = chart('Predicted cost and time taken of each chunk', 'chart tall');
  const rows = table({
    caption: 'Chunks of the groups to read', key: (c) => `${c.part}/${c.index}`, pageSize: 50, none: 'No chunk has bytes of this range.',
    columns: [
      { name: 'Part', value: (c) => c.part, show: (c) => c.where, text: true }, { name: 'Chunk', value: (c) => c.index, node: (c) => groupLink(`g${c.group}`, `g${c.group}.${c.index}`), sign: (c) => [c.group, c.index], num: true },
      { name: 'Datanode', value: (c) => c.datanode }, { name: 'Volume', value: (c) => c.volume, num: true },
      { name: 'Initial request', value: (c) => (c.chosen ? 0 : 1), node: (c) => (c.chosen ? badge('chosen', 'good') : '') },
      { name: 'Seek/queue cost (o_j)', value: (c) => c.accessMillis, show: (c) => millis(c.accessMillis), num: true }, { name: 'Transfer cost (m_j z)', value: (c) => c.readMillis, show: (c) => millis(c.readMillis), num: true },
      { name: 'Bytes', value: (c) => c.bytes, show: (c) => (c.bytes ? bytes(c.bytes) : '–'), num: true },
      { name: 'Result', value: (c) => c.fate, node: (c) => (c.fate === 'not asked' ? '' : badge(RESULTS[c.fate] ?? c.fate, LATE.includes(c.fate) ? 'bad' : 'good')) },
      { name: 'Latency', value: (c) => c.tookMillis, show: (c) => (c.fate === 'not asked' ? '–' : millis(c.tookMillis)), num: true },
    ],
  });
  const result = el('div', { class: 'panels', hidden: true }, el('div', { class: 'tiles' }, ...Object.values(facts).map((t) => t.node)), panel('Chunks', drawn.node), panel(null, rows.node));
  const form = el('form', { class: 'stack', onsubmit: (event) => { event.preventDefault(); request(false); } },
    el('label', {}, 'Files', paths), el('div', { class: 'row' }, el('label', {}, 'From byte', from), el('label', {}, 'Length in bytes', length)),
    el('div', { class: 'row' }, el('button', { class: 'b main', type: 'submit' }, 'Plan'), operator ? el('button', { class: 'b', type: 'button', onclick: () => request(true) }, 'Read and explain') : null), said);
  root.append(head('Explain a read'), panel(null, form), result);

  async function request(read) {
    const named = paths.value.split('\n').map((line) => line.trim()).filter(Boolean);
    if (!named.length) { said.textContent = 'Enter a file first.'; paths.focus(); return; }
    const part = { from: Number(from.value), length: Number(length.value) };
    if (read && !await confirm({ title: 'Read these files?', text: `${count(named.length * part.length)} bytes at most are read, in the way of any client.`, action: 'Read' })) return;
    said.textContent = 'Planning…';
    try {
      show(read ? await post('explain', { paths: named, ...part }) : await get('explain', { path: named, ...part }));
    } catch (failure) {
      result.hidden = true;
      said.textContent = failure.message;
    }
  }

  function show(explained) {
    result.hidden = false;
    said.textContent = `Plan from: ${explained.origin}, made in ${millis(explained.planningMillis)}. Costs are the sum of the seek/queue cost of a volume and the transfer cost of its bytes.`;
    facts.predicted.set(millis(explained.predictedMillis), 'until the last answer');
    facts.took.set(explained.actualMillis === undefined ? 'not read' : millis(explained.actualMillis), 'from the plan to the last byte');
    facts.plan.set(millis(explained.planCost), explained.origin);
    facts.data.set(millis(explained.dataChunksCost), 'a read without planning');
    facts.greedy.set(millis(explained.greedyCost));
    facts.exact.set(millis(explained.exactCost), explained.exactCost === undefined ? 'no solver, or not solved in time' : '');
    const chunks = explained.parts.flatMap((p, i) => p.chunks.map((c) => ({ ...c, part: i, group: p.group, where: `${p.path} bytes ${count(p.from)} to ${count(p.to)}${p.decoded ? ', decoded' : ''}${p.planned ? '' : ', not planned'}` })));
    rows.set(chunks);
    drawn.set(picture(chunks));
    drawn.resize();
  }

  if (query.get('path')) request(false);
  return { destroy() { drawn.destroy(); } };
}

/** Initial requests in full colour, late ones in the colour of errors. */
function picture(chunks) {
  const some = chunks.slice(0, 60);
  const bars = (name, key, tone, stack) => ({ type: 'bar', name, stack, itemStyle: { color: color(tone) }, data: some.map((c) => ({ value: c[key], itemStyle: { opacity: c.chosen || key === 'tookMillis' ? 1 : 0.35, color: color(key === 'tookMillis' && LATE.includes(c.fate) ? 'bad' : tone) } })) });
  return {
    legend: {}, tooltip: { trigger: 'axis', axisPointer: { type: 'shadow' }, valueFormatter: millis },
    xAxis: { type: 'value', name: 'ms' }, yAxis: { type: 'category', inverse: true, data: some.map((c) => `${c.chosen ? '● ' : ''}g${c.group}.${c.index} ${c.datanode}`) },
    series: [bars('seek/queue', 'accessMillis', 'soft', 'cost'), bars('transfer', 'readMillis', 'accent', 'cost'), bars('latency', 'tookMillis', 'good', 'took')],
  };
}
