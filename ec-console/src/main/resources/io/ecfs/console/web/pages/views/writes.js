// The cost of writes in five steps, by policy and by who encodes; who should; what masters relay; and the rate on other networks.
import { get } from '/api.js';
import { chart } from '/charts.js';
import { badge, bytes, count, el, head, panel, table, time } from '/ui.js';

const REFRESH_MILLIS = 5000;
const MILLIS = 1e6; // nanoseconds
const MEBI = 2 ** 20;
const STEPS = [
  ['CO', 'client overhead', (w) => w.copying + w.asking + w.transferring], ['MP', 'master process', (w) => w.managing], ['PC', 'parity calculation', (w) => w.encoding],
  ['DD', 'data distribution', (w) => w.distributing], ['SP', 'slave process', (w) => w.serving],
];
const perMebi = (nanos, write) => (write.bytes ? (nanos / MILLIS / write.bytes) * MEBI : 0);
const megabytes = (write) => (write.elapsed ? (write.bytes / write.elapsed) * 1e3 : null);
const name = (write) => `${write.policy} ${write.side.toLowerCase()}`;
const speed = (bits) => `${bits / 1e9} Gb/s`;
const number = (value, digits = 2) => (value === null ? '–' : value.toFixed(digits));

export function mount(root) {
  const steps = chart('Milliseconds of each step for a MiB, beside the time that passed');
  const rates = chart('Predicted rate of one client by network, encoded by the client and by a master');
  const began = el('p', { class: 'soft' });
  const said = el('p', {});
  let shown = [];
  let at = 0;
  const shares = table({
    caption: 'Writes by policy and by who encoded, milliseconds for a MiB', key: name, pageSize: 50, none: 'No client has reported a write yet.',
    columns: [
      { name: 'Policy', value: (w) => w.policy }, { name: 'Encoded by', value: (w) => w.side.toLowerCase() },
      { name: 'Stripes', value: (w) => w.stripes, show: (w) => count(w.stripes), num: true }, { name: 'Bytes', value: (w) => w.bytes, show: (w) => bytes(w.bytes), num: true },
      ...STEPS.map(([step, , nanos]) => ({ name: step, value: (w) => perMebi(nanos(w), w), show: (w) => number(perMebi(nanos(w), w)), num: true })),
      { name: 'Sum', value: sum, show: (w) => number(sum(w)), num: true }, { name: 'Elapsed', value: (w) => perMebi(w.elapsed, w), show: (w) => number(perMebi(w.elapsed, w)), num: true },
      { name: 'MB/s', value: megabytes, show: (w) => number(megabytes(w), 0), num: true },
    ],
  });
  const advice = table({
    caption: 'Who should encode new files of each policy', key: (a) => a.policy, pageSize: 50, none: 'Advice needs writes.',
    columns: [
      { name: 'Policy', value: (a) => a.policy }, { name: 'Encode at', value: (a) => a.side ?? '', node: (a) => (a.side ? badge(a.side.toLowerCase(), 'good') : badge('not known')), sign: (a) => a.side },
      { name: 'Because', value: (a) => a.reason, text: true },
    ],
  });
  const masters = table({
    caption: 'Datanodes as masters', key: (m) => m.datanode, pageSize: 20, none: 'No datanode has reported its relays.', sort: 1, descending: true,
    columns: [
      { name: 'Datanode', value: (m) => m.datanode }, { name: 'Relays', value: (m) => m.load.relays, show: (m) => count(m.load.relays), num: true },
      { name: 'Stripes under way', value: (m) => m.load.bytes, show: (m) => bytes(m.load.bytes), num: true }, { name: 'Refused', value: (m) => m.load.refused, show: (m) => count(m.load.refused), num: true },
    ],
  });
  const fallbacks = table({
    caption: 'Groups that clients encoded after all', key: (f) => f.reason, pageSize: 20, none: 'No client encoded a group after all because its master would or could not.',
    columns: [{ name: 'Failure of the master', value: (f) => f.reason.toLowerCase().replaceAll('_', ' ') }, { name: 'Groups', value: (f) => f.groups, show: (f) => count(f.groups), num: true }],
  });
  const policy = el('select', { 'aria-label': 'Policy of the forecast', onchange: () => { predict(); } });
  const network = el('input', { type: 'range', min: 0, max: 0, value: 0, 'aria-label': 'Network of the forecast', oninput: say });
  let forecast = [];

  root.append(head('Writes'), began, panel('Five steps', steps.node, shares.node,
    el('p', { class: 'soft' }, STEPS.map(([step, words]) => `${step} ${words}`).join(', '), '. Stripes overlap, so the time that passed may be less than the sum.')),
  panel('Who should encode', advice.node, el('p', { class: 'soft' }, 'A directory is set on ', el('a', { href: '#/files' }, 'Files'), ', or by ', el('code', {}, 'ecfs ec set DIR --encode master|client|auto'), '.')),
  panel('Masters', masters.node, fallbacks.node,
    el('p', { class: 'soft' }, 'Relays: groups whose stripes the datanode encodes for a writer at present. Refused: for want of memory or number (', el('code', {}, 'relay.bytes'), ', ', el('code', {}, 'relay.most'), ') since the datanode began.')),
  panel('Other networks', el('div', { class: 'row' }, policy, network), said, rates.node,
    el('p', { class: 'soft' }, 'One client, files of 1 GiB, as many datanodes as chunks: ecfs model write --policy NAME --network SPEED. Dashed: as measured here, on the network that is here.')));

  function sum(write) {
    return STEPS.reduce((all, [, , nanos]) => all + perMebi(nanos(write), write), 0);
  }

  function load() {
    at = Date.now();
    get('writes').then((report) => {
      shown = report.shares;
      began.replaceChildren('As clients reported them to the leading namenode since ', time(new Date(report.sinceMillis).toISOString()), '.');
      shares.set(shown);
      advice.set(report.advice);
      masters.set(report.masters ?? []); // null: from a namenode of an earlier release
      fallbacks.set(report.fallbacks ?? []);
      fallbacks.node.hidden = !report.fallbacks;
      steps.set({
        legend: {}, tooltip: { trigger: 'axis', axisPointer: { type: 'shadow' }, valueFormatter: (value) => `${number(value ?? 0)} ms a MiB` },
        xAxis: { type: 'value', name: 'ms a MiB', nameLocation: 'middle', nameGap: 26, min: 0 }, yAxis: { type: 'category', data: shown.map(name) }, grid: { left: 8, right: 24, top: 34, bottom: 30, containLabel: true },
        series: [...STEPS.map(([step, , nanos]) => ({ name: step, type: 'bar', stack: 'sum', data: shown.map((w) => perMebi(nanos(w), w)) })), { name: 'Elapsed', type: 'bar', data: shown.map((w) => perMebi(w.elapsed, w)) }],
      });
      offer();
    }).catch((failure) => { [shares, advice, masters, fallbacks].forEach((one) => one.failed(failure)); });
  }

  /** Policies that were written, or the cluster's default. */
  function offer() {
    const names = [...new Set(shown.map((w) => w.policy))];
    if (names.length) choose(names);
    else if (!policy.options.length) get('policies').then(({ policies }) => choose(policies.filter((p) => p.isDefault).map((p) => p.name))).catch((failure) => { said.textContent = failure.message; });
  }

  function choose(names) {
    const before = policy.value;
    if (names.join() !== [...policy.options].map((o) => o.value).join()) policy.replaceChildren(...names.map((n) => el('option', { value: n, selected: n === before }, n)));
    predict();
  }

  function predict() {
    const of = policy.value;
    if (!of) return;
    if (forecast[0]?.policy === of) draw();
    else get('writes/forecast', { policy: of }).then(({ networks }) => { forecast = networks; network.max = networks.length - 1; draw(); }).catch((failure) => { said.textContent = failure.message; });
  }

  function draw() {
    const measured = shown.filter((w) => w.policy === policy.value && megabytes(w) !== null);
    rates.set({
      legend: {}, tooltip: { trigger: 'axis', valueFormatter: (value) => `${number(value, 0)} MB/s` },
      xAxis: { type: 'category', data: forecast.map((f) => speed(f.network)) }, yAxis: { type: 'log', name: 'MB/s' },
      series: ['client', 'master'].map((side) => ({
        name: side, type: 'line', data: forecast.map((f) => f.sides.find((s) => s.side === side).rate),
        markLine: { silent: true, symbol: 'none', lineStyle: { type: 'dashed' }, data: measured.filter((w) => w.side.toLowerCase() === side).map((w) => ({ yAxis: megabytes(w), label: { formatter: `${side}, measured`, position: 'insideStartTop' } })) },
      })),
    });
    say();
  }

  function say() {
    const one = forecast[network.value];
    if (one) said.textContent = `${speed(one.network)}: ${one.reason}`;
  }

  load();
  return { update() { if (Date.now() - at >= REFRESH_MILLIS) load(); }, destroy() { steps.destroy(); rates.destroy(); } };
}
