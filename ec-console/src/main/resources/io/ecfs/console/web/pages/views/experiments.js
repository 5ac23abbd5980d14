// Reports of 'ecfs fault run' and 'sweep': timelines, what settings matter, whom faults hurt. Nothing is started from here.
import { get } from '/api.js';
import { legend, PHASES, stack } from '/phases.js';
import { badge, bytes, clock, count, el, empty, head, panel, percent, rate, seconds, table, tile } from '/ui.js';

const MOST_BARS = 60;

export function mount(root) {
  const chosen = el('select', { 'aria-label': 'Report' });
  const content = el('div', { class: 'panels' });
  let turn = 0;
  const choice = el('label', {}, 'Report', chosen);
  root.append(head('Fault experiments', choice), content);
  chosen.addEventListener('change', show);

  get('experiments').then(({ directory, reports }) => {
    if (!reports.length) {
      choice.hidden = true;
      content.replaceChildren(panel(null, empty(nothing(directory))));
      return;
    }
    chosen.append(...reports.map((r) => el('option', { value: r.name }, `${r.name} (${clock(r.at)})`)));
    show();
  }).catch((failure) => content.replaceChildren(panel(null, empty(failure.message))));

  async function show() {
    const mine = ++turn;
    try {
      const report = await get(`experiments/${encodeURIComponent(chosen.value)}`);
      if (mine === turn) content.replaceChildren(...draw(report));
    } catch (failure) {
      if (mine === turn) content.replaceChildren(panel(null, empty(failure.message)));
    }
  }
}

/** Why there is nothing, and the command that writes a report. */
export function nothing(directory) {
  return directory
    ? `No experiment in ${directory}. 'ecfs fault run profile.yaml --out ${directory}/NAME' runs one on a cluster of its own and writes its report there.`
    : "No directory of results is configured (key benchmarks). 'ecfs fault run profile.yaml --out DIR' runs an experiment on a cluster of its own and writes its report.";
}

/** Policy, repetition and the settings of a sweep. */
export const nameOf = (r) => [r.policy, `repetition ${r.repetition}`, ...Object.entries(r.settings).map(([key, value]) => `${key}=${value}`)].join(', ');

function draw({ results, sensitivity }) {
  if (!results.length) return [panel(null, empty("This report has no timeline: 'ecfs fault paper' writes its tables to report.html beside it."))];
  return [facts(results), timelines(results), sensitivity.length ? tornado(sensitivity) : null,
    el('div', { class: 'two' }, victims(results), problems(results)), numbers(results)].filter(Boolean);
}

function facts(results) {
  const fact = (label, text, note, tone = '') => { const t = tile(label); t.set(text, note, tone); return t.node; };
  const failed = results.filter((r) => r.problems.length).length;
  const policies = new Set(results.map((r) => r.policy)).size;
  const worst = Math.max(...results.map((r) => r.lostGroups));
  return el('div', { class: 'tiles' },
    fact('Verdict', failed ? 'Failed' : 'Passed', failed ? `${count(failed)} of ${count(results.length)} have problems` : 'all bytes were read back', failed ? 'bad' : 'good'),
    fact('Experiments', count(results.length), `${count(policies)} ${policies === 1 ? 'policy' : 'policies'}`),
    fact('Longest', seconds(Math.max(...results.map((r) => r.totalSeconds))), 'from injected to healed'),
    fact('Groups lost', count(worst), worst ? 'at a time, until faults were undone' : 'none at any time', worst ? 'warn' : 'good'));
}

/** One bar for each experiment, all on one scale. */
function timelines(results) {
  const most = Math.max(...results.map((r) => r.totalSeconds)) || 1;
  const bars = results.slice(0, MOST_BARS).map((r) => el('li', {}, el('span', {}, nameOf(r)), stack(nameOf(r), r.phases, most), el('span', { class: 'num' }, seconds(r.totalSeconds))));
  return panel('Timelines, from injected to healed', legend(), el('ul', { class: 'bars' }, ...bars),
    results.length > MOST_BARS ? empty(`${count(results.length - MOST_BARS)} more are in the table below.`) : null);
}

/** Left the best value of each setting, right the worst, from the geometric middle: what matters most is the widest. */
export function tornado(sensitivity) {
  const widest = Math.max(...sensitivity.map((s) => Math.log(Math.max(1, s.spread)))) || 1;
  const wing = (tone, share) => { const bar = el('div', { class: tone }); bar.style.width = `${100 * share}%`; return el('div', { class: `wing ${tone}` }, bar); };
  const line = (s) => {
    const share = Math.log(Math.max(1, s.spread)) / widest;
    return el('li', {}, el('div', { class: 'swing', role: 'img', 'aria-label': `${s.setting}: ${seconds(s.bestSeconds)} with ${s.best}, ${seconds(s.worstSeconds)} with ${s.worst}, ${s.spread.toFixed(2)} times` },
      el('b', {}, s.setting), el('span', { class: 'num' }, `× ${s.spread.toFixed(2)}`),
      el('div', { class: 'wings' }, wing('good', share), wing('bad', share)),
      el('span', {}, `${s.best}: ${seconds(s.bestSeconds)}`), el('span', { class: 'num' }, `${s.worst}: ${seconds(s.worstSeconds)}`)));
  };
  return panel('Sensitivity', el('p', { class: 'soft' }, 'Seconds from injected to healed with the best and the worst value of each setting, each the median over all combinations with it. Widths are on a logarithmic scale.'),
    el('ul', { class: 'tornado' }, ...sensitivity.map(line)));
}

/** The racks of one experiment's cluster, its datanodes, and what hurt them. */
function victims(results) {
  const shown = el('select', { 'aria-label': 'Experiment' }, ...results.map((r, i) => el('option', { value: i }, nameOf(r))));
  const map = el('div', { class: 'victims' });
  const show = () => map.replaceChildren(...rackMap(results[Number(shown.value)]));
  shown.value = String(Math.max(0, results.findIndex((r) => r.problems.length)));
  shown.addEventListener('change', show);
  show();
  return panel('Victims', el('div', { class: 'victims' }, el('div', { class: 'row' }, shown), map));
}

export function rackMap(result) {
  const racks = result.racks.map(({ rack, datanodes }) => el('section', { class: 'rack', 'aria-label': `Rack ${rack}` }, el('h3', {}, rack),
    el('ul', {}, ...datanodes.map((d) => el('li', { class: d.faults.length ? 'hurt' : null }, el('b', {}, d.name), el('span', {}, [...new Set(d.faults)].join(', ') || 'unhurt'))))));
  return [
    racks.length ? el('div', { class: 'racks' }, ...racks) : empty('The report does not name the racks of this cluster.'),
    result.otherVictims.length ? el('p', {}, 'In no rack: ', result.otherVictims.join(', ')) : null,
    el('ul', { class: 'list' }, ...result.faults.map((f) => el('li', {}, badge(f.fault, 'bad'), `${f.victims.join(', ')} for ${seconds(f.lastedSeconds)}; ${losses(f)}`))),
  ].filter(Boolean);
}

/** Groups by the chunks that they lost by a fault, and what all of them survived beside. */
export function losses(fault) {
  const lost = Object.entries(fault.groupsByLosses).filter(([chunks]) => chunks !== '0');
  const spare = fault.leastSpare < 0 ? 'a group was lost' : `every group survived ${fault.leastSpare} more`;
  if (!Object.keys(fault.groupsByLosses).length) return spare; // of a simulated cluster: its placement is not counted
  return lost.length ? `${lost.map(([chunks, groups]) => `${count(groups)} ${groups === 1 ? 'group' : 'groups'} lost ${chunks}`).join(', ')}; ${spare}` : `no group lost a chunk; ${spare}`;
}

function problems(results) {
  const failed = results.filter((r) => r.problems.length);
  return panel('Problems', failed.length
    ? el('ul', { class: 'list' }, ...failed.flatMap((r) => r.problems.map((problem) => el('li', {}, badge('failed', 'bad'), `${nameOf(r)}: ${problem}`))))
    : empty('None: every byte was read back and every fault was undone.'));
}

function numbers(results) {
  const phase = (r, name) => r.phases.find((p) => p.phase === name)?.seconds ?? null;
  const number = (name, value, show) => ({ name, value, show: (r) => show(value(r)), num: true });
  const rows = table({
    caption: 'Experiments: seconds of each phase, and what was rebuilt', key: (r) => nameOf(r), pageSize: 25, none: 'No experiment.',
    columns: [{ name: 'Experiment', value: nameOf, text: true }, { name: 'Verdict', value: (r) => r.problems.length, node: (r) => (r.problems.length ? badge('failed', 'bad') : badge('passed', 'good')) },
      ...[...PHASES.keys()].map((name) => number(name, (r) => phase(r, name), (v) => (v === null ? '–' : v.toFixed(2)))),
      number('Total', (r) => r.totalSeconds, seconds), number('Checking share', (r) => 100 * r.checkingShare, percent), number('Chunks', (r) => r.chunksRepaired, count),
      number('Rebuilt', (r) => r.bytesRepaired, bytes), number('Read per byte', (r) => r.readPerByte, (v) => v.toFixed(2)), number('Rate', (r) => r.bytesPerSecond, rate)],
  });
  rows.set(results);
  return panel('Numbers', rows.node);
}

