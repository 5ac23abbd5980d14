// Which policy to choose for files, machines and goals: 'ecfs advise' as a form. Nothing is asked of the cluster.
import { get } from '/api.js';
import { badge, bytes, count, el, panel, table } from '/ui.js';

/** Groups of fields: [name, label, value, placeholder]. Texts are those of the command's options. */
const FIELDS = [
  ['Goals', [['tolerate', 'Losses to tolerate', '2', '2'], ['recoverIn', 'Recover within', '', 'any, such as 15m'], ['overhead', 'Overhead at most', '', 'any, such as 1.5']]],
  ['Machines', [['datanodes', 'Datanodes', '', '30'], ['disk', 'Disks of each', '250MB/s', '250MB/s'], ['net', 'Link of each', '10Gbit', '10Gbit'], ['cores', 'Cores of each', '4', '4'], ['grace', 'Grace period', '', 'default, 10m']]],
  ['Files', [['files', 'Number x length', '', '10000x64m'], ['pack', 'Packed up to', 'default', 'default']]],
];

/** Text, as the server wants it: fields left blank are left out, so that the defaults are the command's. */
export const question = (values) => Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value.trim()]).filter(([, value]) => value !== ''));

export function advisor() {
  const inputs = new Map();
  const said = el('p', { class: 'soft', role: 'status' }, 'Give the files and the number of datanodes.');
  const rows = table({
    caption: 'Policies, the best one first: those that meet all goals, then by what they store and how fast they recover', key: (a) => a.policy, pageSize: 25, none: 'No policy was compared yet.',
    columns: [
      { name: 'Policy', value: (a) => a.policy, node: (a) => el('span', { class: 'nowrap' }, a.policy) }, { name: 'Cell', value: (a) => a.cell, show: (a) => bytes(a.cell), num: true },
      { name: 'Stored per byte', value: (a) => a.storedPerByte, show: (a) => a.storedPerByte.toFixed(4), num: true }, { name: 'Survives', value: (a) => a.survives, num: true },
      { name: 'Read per byte', value: (a) => a.readPerByte, show: (a) => a.readPerByte.toFixed(2), num: true },
      { name: 'Recovery', value: (a) => a.recoverySeconds, show: (a) => (a.recoverySeconds === null ? '–' : `${a.recoverySeconds.toFixed(1)} s`), num: true },
      { name: 'Bottleneck', value: (a) => a.bottleneck, show: (a) => a.bottleneck ?? '–' }, { name: 'Datanodes needed', value: (a) => a.datanodesNeeded, show: (a) => (a.datanodesNeeded === null ? '–' : count(a.datanodesNeeded)), num: true },
      { name: 'Verdict', value: (a) => a.verdict, node: verdict, text: true },
    ],
  });
  rows.set([]);
  rows.node.hidden = true;
  const all = el('input', { type: 'checkbox' });
  const field = ([name, label, value, placeholder]) => {
    const input = el('input', { name, value, placeholder, size: 12, autocomplete: 'off', required: name === 'files' || name === 'datanodes' });
    inputs.set(name, input);
    return el('label', {}, label, input);
  };
  let turn = 0;
  const form = el('form', { class: 'advisor', 'aria-label': 'Advisor', onsubmit: async (event) => {
    event.preventDefault();
    const mine = ++turn;
    said.className = 'soft';
    said.textContent = 'Comparing…';
    try {
      const answer = await get('advice', { ...question(Object.fromEntries([...inputs].map(([name, input]) => [name, input.value]))), all: all.checked });
      if (mine !== turn) return;
      rows.set(answer.advice);
      rows.node.hidden = false;
      said.textContent = summary(answer);
    } catch (failure) {
      if (mine !== turn) return;
      said.className = 'refusal';
      said.textContent = failure.message;
    }
  } }, ...FIELDS.map(([title, fields]) => el('fieldset', {}, el('legend', {}, title), ...fields.map(field))),
  el('div', { class: 'row' }, el('button', { class: 'b main', type: 'submit' }, 'Compare'), el('label', {}, all, 'every policy and cell')));
  return { node: panel('Advisor', el('p', { class: 'soft' }, 'Which policy to choose before anything is written, as ecfs advise computes it: by arithmetic, without the cluster.'), form, said, rows.node) };
}

/** How many policies meet the goals, and when recoveries begin. */
export const summary = ({ meeting, ranked, waitSeconds }) =>
  `${meeting ? count(meeting) : 'None'} of ${count(ranked)} meet all goals. Recovery includes ${waitSeconds.toFixed(1)} s until the first byte is read: noticed, awaited for the grace period, checked.`;

/** Goals that are missed are named by the options of the command. */
function verdict(advice) {
  return advice.verdict === 'meets all goals' ? badge(advice.verdict, 'good') : el('span', {}, badge('misses', 'warn'), ` ${advice.verdict}`);
}
