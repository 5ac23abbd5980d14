// Conversions of files to another policy: their progress, and the dialog that counts files before it begins one.
import { get, post } from '/api.js';
import { badge, bytes, confirm, count, el, meter, panel, percent, run, seconds, state, table, time, toast } from '/ui.js';

const ENDED = ['DONE', 'FAILED', 'CANCELLED'];
const COUNTED_EVERY = 300;
const MOST_COUNTS = 200;

export const ended = (c) => ENDED.includes(c.state);

/** The share of a conversion that is done: of bytes, and of files where none has bytes to read. */
export function share(c) {
  if (c.bytesToRead) return Math.min(1, c.bytesDone / c.bytesToRead);
  return c.files ? Math.min(1, c.converted / c.files) : ended(c) ? 1 : 0;
}

/** Those that were under way between two times; until now where the second is null. Dry runs change nothing and are left out. */
export function during(all, from, to) {
  const end = to ? Date.parse(to) : Infinity;
  return all.filter((c) => !c.dryRun && Date.parse(c.begunAt) <= end && (!c.endedAt || Date.parse(c.endedAt) >= Date.parse(from)));
}

function progress(c) {
  const text = `${count(c.converted)} of ${count(c.files)} files, ${bytes(c.bytesDone)} of ${bytes(c.bytesToRead)}`;
  return el('div', {}, c.dryRun ? `${count(c.files)} files: reads ${bytes(c.bytesToRead)}, writes ${bytes(c.bytesToWrite)}` : text,
    c.dryRun ? null : meter(share(c), `${percent(100 * share(c))} of conversion ${c.job}`));
}

function remarks(c) {
  return [c.waiting ? `waits: ${c.waiting}` : null, c.failed ? `${count(c.failed)} not converted${c.firstFailure ? `, first ${c.firstFailure}` : ''}` : null].filter(Boolean).join('; ');
}

/** The panel; refresh() loads it again. */
export function conversions(operator) {
  let chosen = (all) => all;
  const rows = table({
    caption: 'Conversions under way, and those that ended last', key: (c) => c.job, sort: 0, descending: true, pageSize: 15,
    none: operator ? 'No conversion. The page of a directory or file converts it to another policy.' : 'No conversion of yours. Those of others are not shown.',
    columns: [
      { name: 'No.', value: (c) => c.job, num: true },
      { name: 'Path', value: (c) => c.path, text: true, node: (c) => el('a', { href: `#/files?path=${encodeURIComponent(c.path)}` }, c.path), sign: (c) => c.path },
      { name: 'To policy', value: (c) => c.policy }, { name: 'User', value: (c) => c.user },
      { name: 'State', value: (c) => c.state, node: (c) => el('span', {}, state(c.state), c.dryRun ? badge('dry run') : null), sign: (c) => [c.state, c.dryRun] },
      { name: 'Progress', value: share, node: progress, sign: (c) => [c.files, c.converted, c.bytesDone, c.bytesToRead] },
      { name: 'Time left', value: (c) => c.secondsLeft, show: (c) => (c.secondsLeft === null ? '–' : seconds(c.secondsLeft)), num: true },
      { name: 'Requested', value: (c) => c.begunAt, node: (c) => time(c.begunAt), sign: (c) => c.begunAt },
      { name: 'Remarks', value: remarks, text: true },
      ...(operator ? [{ name: 'Actions', pinned: true, sign: (c) => c.state, node: actions }] : []),
    ],
  });
  const node = panel('Conversions', rows.node);

  function actions(c) {
    if (ended(c)) return null;
    const button = (word, wish, danger) => el('button', { class: danger ? 'b danger' : 'b', type: 'button', 'aria-label': `${word} conversion ${c.job}`, onclick: () => control(c, word, wish, danger) }, word);
    return el('div', { class: 'actions' }, c.state === 'PAUSED' ? button('Resume', 'resume') : button('Pause', 'pause'), button('Cancel', 'cancel', true));
  }

  async function control(c, word, wish, danger) {
    const text = danger ? 'Files that are converted stay so; the others keep their policy.' : `${c.path} to ${c.policy}.`;
    if (!await confirm({ title: `${word} conversion ${c.job}?`, text, action: danger ? 'Cancel the conversion' : word, danger })) return;
    await run(`${word} conversion ${c.job}`, () => post(`conversions/${c.job}`, { wish }));
    refresh();
  }

  /** @param some those to show of all, from now on */
  function refresh(some = chosen) {
    chosen = some;
    return get('conversions').then((page) => rows.set(chosen(page.conversions))).catch(rows.failed);
  }

  return { node, refresh };
}

/** Asks for a policy, counts the files, and begins the conversion when its cost is accepted. */
export async function convert(path, present) {
  const what = `Convert ${path}`;
  let names;
  try {
    names = (await get('policies')).policies.map((p) => p.name);
  } catch (failure) {
    toast(`${what}: ${failure.message}`, true);
    return;
  }
  const values = await confirm({ title: `${what} to another policy`, text: 'Files are counted first; nothing is rewritten by that. New files of a directory keep its policy.', action: 'Count files',
    fields: [{ name: 'policy', label: 'Policy', options: names, value: names.find((name) => name !== present) }] });
  if (!values) return;
  let plan;
  try {
    plan = await counted(path, values.policy);
  } catch (failure) {
    toast(`${what}: ${failure.message}`, true);
    return;
  }
  if (!plan) { toast(`${what}: the files are still being counted; Data movement lists the dry run`); return; }
  if (!plan.files) { toast(`${what}: every file has policy ${plan.policy}`); return; }
  const cost = `${count(plan.files)} ${plan.files === 1 ? 'file' : 'files'} to ${plan.policy}: ${bytes(plan.bytesToRead)} to read, ${bytes(plan.bytesToWrite)} to write.`;
  if (!await confirm({ title: `${what}?`, text: `${cost} Files can be read meanwhile.`, action: 'Convert' })) return;
  if (await run(what, () => post('conversions', { path, policy: plan.policy }))) location.hash = '#/migrations';
}

/** The dry run once all files are counted; null when that takes long. */
async function counted(path, policy) {
  let plan = await post('conversions', { path, policy, dryRun: true });
  for (let i = 0; plan?.state === 'COUNTING' && i < MOST_COUNTS; i++) {
    await new Promise((done) => { setTimeout(done, COUNTED_EVERY); });
    const { job } = plan;
    plan = (await get('conversions')).conversions.find((c) => c.job === job);
  }
  return plan && plan.state !== 'COUNTING' ? plan : null;
}
