// Stored results of 'ecfs bench --json' and of JMH (-rf json), compared in charts.
import { get } from '/api.js';
import { chart, picture } from '/charts.js';
import { clock, count, el, empty, head, panel, percent, table } from '/ui.js';

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
      const results = await Promise.all([...new Set(names)].map(async (name) => {
        const of = `benchmarks/${encodeURIComponent(name)}`;
        const [result, pictures] = await Promise.all([get(of), get(`${of}/plots`)]);
        return { ...result, plots: pictures.plots, leftOut: pictures.leftOut };
      }));
      if (mine === turn) draw(results);
    } catch (failure) {
      content.replaceChildren(empty(failure.message));
    }
  }

  function draw(results) {
    charts.forEach((c) => c.destroy());
    charts = [];
    const kinds = byKind(results);
    const pictures = [...kinds].filter(([, cases]) => !compares(cases)).slice(0, MOST_CHARTS).map(([kind, cases]) => {
      const picture = chart(`${kind}: medians`);
      charts.push(picture);
      return [picture, panel(kind, picture.node), {
        legend: {}, tooltip: { trigger: 'axis' }, xAxis: { type: 'category', data: [...cases.keys()] }, yAxis: { type: 'value' },
        series: results.map((result) => ({ type: 'bar', name: result.name, data: [...cases.values()].map((figures) => summary(figures.get(result.name)).median) })),
      }];
    });
    const number = (value) => (value === null ? '–' : value.toFixed(2));
    const column = (name, value, show = number) => ({ name, value, show: (r) => show(value(r)), num: true });
    const rows = table({
      caption: 'All figures: medians of repetitions, their spread (max − min) / median, median p99 and CPU', key: (r) => `${r.kind} ${r.name}`, pageSize: 50, none: 'No figure.',
      columns: [{ name: 'Benchmark', value: (r) => r.kind }, { name: 'Case', value: (r) => r.name, text: true },
        ...results.flatMap((result, i) => [
          column(result.name, (r) => r.of[i].median),
          column('Spread', (r) => r.of[i].spread, (v) => (v === null ? '–' : percent(v))),
          column('p99', (r) => r.of[i].p99, (v) => (v === null ? '–' : `${count(Math.round(v))} µs`)),
          column('CPU', (r) => r.of[i].cpu, (v) => (v === null ? '–' : `${v.toFixed(2)} s/GB`)),
        ]),
        ...(results.length === 2 ? [column('Change', (r) => change(r.of[0], r.of[1]), (v) => (v === null ? '–' : `${v > 0 ? '+' : ''}${percent(v)}`))] : [])],
    });
    rows.set([...kinds].flatMap(([kind, cases]) => [...cases].map(([name, figures]) => ({ kind, name, of: results.map((r) => summary(figures.get(r.name))) }))));
    content.replaceChildren(plots(results), el('div', { class: 'two' }, ...pictures.map(([, node]) => node)), panel('Figures', rows.node));
    pictures.forEach(([picture, , option]) => picture.set(option));
  }

  return { destroy() { charts.forEach((c) => c.destroy()); } };
}

/** What the server drew of each result: ratios beside a paper's, and rates over time. Those of one figure are side by side. */
function plots(results) {
  const drawn = results.flatMap((result) => result.plots.map((plot) => ({ ...plot, of: result.name })));
  drawn.sort((a, b) => place(drawn, a) - place(drawn, b)); // stable: a figure's pictures stay in the order of the results
  const more = results.filter((result) => result.leftOut > 0).map((result) => `${count(result.leftOut)} more of ${result.name} are left out.`);
  return el('div', { class: 'pictures' }, ...drawn.map((plot) => panel(plot.title, el('p', { class: 'soft' }, [results.length > 1 ? plot.of : null, plot.note].filter(Boolean).join('; ')), picture(plot.svg))),
    more.length ? empty(more.join(' ')) : null);
}

const place = (all, plot) => all.findIndex((other) => other.title === plot.title && other.note === plot.note);

/** True for ratios, which plots show beside those that they are compared with. */
const compares = (cases) => [...cases.values()].some((results) => [...results.values()].some((figures) => figures.some((f) => f.params.quantity !== undefined)));

/** Figures by kind, case and result: Map(kind → Map(case → Map(result → figures))). */
function byKind(results) {
  const kinds = new Map();
  for (const result of results) for (const figure of result.figures) {
    const kind = `${figure.name} (${figure.unit})`;
    if (!kinds.has(kind)) kinds.set(kind, new Map());
    const cases = kinds.get(kind);
    const name = (figure.params.mode ? Object.values(figure.params).join(' ') : figure.case) || 'all'; // a mode: of JMH
    if (!cases.has(name)) cases.set(name, new Map());
    const figures = cases.get(name);
    if (!figures.has(result.name)) figures.set(result.name, []);
    figures.get(result.name).push(figure);
  }
  return kinds;
}

const median = (values) => (values.length ? [...values].sort((a, b) => a - b)[Math.floor((values.length - 1) / 2)] : null);

/** What repetitions of one case add up to: {median, spread in %, p99 in µs, cpu in s/GB}; null where the results do not say. */
export function summary(figures = []) {
  const values = figures.map((f) => f.value);
  const of = (param) => median(figures.map((f) => f.params[param]).filter((v) => typeof v === 'number'));
  const middle = median(values);
  return {
    median: middle,
    spread: values.length > 1 && middle ? ((Math.max(...values) - Math.min(...values)) / middle) * 100 : null,
    p99: of('p99_us'), cpu: of('cpu_s_per_GB'),
  };
}

/** How far the first result is above the one it is compared with, in percent. */
export function change(first, second) {
  return first.median === null || !second.median ? null : (first.median / second.median - 1) * 100;
}
