// Stored results of 'ecfs bench --json' and of JMH (-rf json), compared in charts.
import { get } from '/api.js';
import { chart } from '/charts.js';
import { clock, el, empty, head, panel, table } from '/ui.js';

const MOST_CHARTS = 12;

export function mount(root) {
  const first = el('select', { 'aria-label': 'Results' });
  const second = el('select', { 'aria-label': 'Compare with' });
  const content = el('div', { class: 'panels' });
  let charts = [];
  let turn = 0;
  root.append(head('Benchmarks', el('label', {}, 'Results', first), el('label', {}, 'compared with', second)), content);
  first.addEventListener('change', show);
  second.addEventListener('change', show);

  get('benchmarks').then(({ directory, files }) => {
    if (!files.length) {
      content.replaceChildren(panel(null, empty(directory ? `No result in ${directory}. 'ecfs bench --json ${directory}/NAME.jsonl all' writes one.` : 'No directory of results is configured (key benchmarks).')));
      return;
    }
    const options = () => files.map((f) => el('option', { value: f.name }, `${f.name} (${clock(f.at)})`));
    first.append(...options());
    second.append(el('option', { value: '' }, 'nothing'), ...options());
    show();
  }).catch((failure) => content.replaceChildren(empty(failure.message)));

  async function show() {
    const mine = ++turn;
    try {
      const names = [first.value, second.value].filter(Boolean);
      const results = await Promise.all([...new Set(names)].map((name) => get(`benchmarks/${encodeURIComponent(name)}`)));
      if (mine === turn) draw(results);
    } catch (failure) {
      content.replaceChildren(empty(failure.message));
    }
  }

  function draw(results) {
    charts.forEach((c) => c.destroy());
    charts = [];
    const kinds = new Map();
    for (const result of results) for (const figure of result.figures) {
      const kind = `${figure.name} (${figure.unit})`;
      if (!kinds.has(kind)) kinds.set(kind, new Map());
      const cases = kinds.get(kind);
      const named = figure.params.mode ? Object.keys(figure.params) : ['policy', 'threads', 'len'];
      const name = named.map((p) => figure.params[p]).filter((p) => p !== undefined).join(' ') || 'all';
      if (!cases.has(name)) cases.set(name, new Map());
      const values = cases.get(name);
      if (!values.has(result.name)) values.set(result.name, []);
      values.get(result.name).push(figure.value);
    }
    const median = (values) => (values ? [...values].sort((a, b) => a - b)[Math.floor((values.length - 1) / 2)] : null);
    const pictures = [...kinds].slice(0, MOST_CHARTS).map(([kind, cases]) => {
      const picture = chart(`${kind}: medians`);
      charts.push(picture);
      return [picture, panel(kind, picture.node), {
        legend: {}, tooltip: { trigger: 'axis' }, xAxis: { type: 'category', data: [...cases.keys()] }, yAxis: { type: 'value' },
        series: results.map((result) => ({ type: 'bar', name: result.name, data: [...cases.values()].map((values) => median(values.get(result.name))) })),
      }];
    });
    const rows = table({
      caption: 'All figures, medians of repetitions', key: (r) => `${r.kind} ${r.name}`, pageSize: 50, none: 'No figure.',
      columns: [{ name: 'What', value: (r) => r.kind }, { name: 'Case', value: (r) => r.name, text: true },
        ...results.map((result, i) => ({ name: result.name, value: (r) => r.values[i], show: (r) => (r.values[i] === null ? '–' : r.values[i].toFixed(2)), num: true }))],
    });
    rows.set([...kinds].flatMap(([kind, cases]) => [...cases].map(([name, values]) => ({ kind, name, values: results.map((r) => median(values.get(r.name))) }))));
    content.replaceChildren(el('div', { class: 'two' }, ...pictures.map(([, node]) => node)), panel('Figures', rows.node));
    pictures.forEach(([picture, , option]) => picture.set(option));
  }

  return { destroy() { charts.forEach((c) => c.destroy()); } };
}
