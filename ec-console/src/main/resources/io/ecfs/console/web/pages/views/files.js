// The namespace, and the stripe inspector: location and state of each chunk of a file.
import { get, live, post } from '/api.js';
import { convert } from '/conversions.js';
import { patches, updated } from '/patches.js';
import { badge, bytes, confirm, count, el, empty, head, panel, run, state, table, time, toast } from '/ui.js';

const PAGE = 200;
/** Names that one call examines, and matches after which a search ends. */
const EXAMINED = 5000;
const MOST_FOUND = 5000;
/** Of a pack: files that are counted, and listed. */
const MOST_COUNTED = 10000;
const MOST_LISTED = 20;

export const link = (path) => `#/files?path=${encodeURIComponent(path)}`;

const searchLink = (path, name) => `#/files?path=${encodeURIComponent(path)}&find=${encodeURIComponent(name)}`;

export function mount(root, { query, operator }) {
  const path = query.get('path') || '/';
  const wanted = query.get('find') || '';
  const group_ = query.get('group');
  const crumbs = el('nav', { 'aria-label': 'Path', class: 'row' });
  const content = el('div', { class: 'panels' });
  const to = el('input', { type: 'text', name: 'path', value: path, size: 40, 'aria-label': 'Path' });
  const name = el('input', { type: 'search', name: 'find', value: wanted, size: 24, placeholder: 'part of a name, or *.csv', 'aria-label': 'Find names below the path' });
  const go = el('form', { class: 'row', onsubmit: (event) => { event.preventDefault(); location.hash = link(to.value.trim() || '/'); } },
    to, el('button', { type: 'submit', class: 'b' }, 'Go'));
  const find = el('form', { class: 'row', role: 'search', onsubmit: (event) => {
    event.preventDefault();
    if (name.value.trim()) location.hash = searchLink(to.value.trim() || '/', name.value.trim());
  } }, name, el('button', { type: 'submit', class: 'b' }, 'Find'));
  root.append(head('Files', go, find), crumbs, content);
  const names = path.split('/').filter(Boolean);
  crumbs.append(el('a', { href: link('/') }, '/'), ...names.flatMap((part, i) => [
    el('a', { href: link(`/${names.slice(0, i + 1).join('/')}`) }, part), i < names.length - 1 ? '/' : '']));
  let gone = false;
  const failed = (failure) => content.replaceChildren(empty(failure.message));
  if (group_) {
    get(`groups/${encodeURIComponent(group_)}`).then((found) => {
      if (gone) return;
      if (found.path) location.replace(link(found.path));
      else content.replaceChildren(empty(found.state === 'GONE' ? `No file has group ${group_}: it was deleted, or the group never existed.` : `You may not list the file of group ${group_}.`));
    }).catch(failed);
    return { destroy() { gone = true; } };
  }
  if (wanted) {
    const search = results(path, wanted);
    content.append(search.node);
    return { destroy() { search.stop(); } };
  }
  get('files', { path, limit: PAGE }).then((answer) => {
    if (gone) return;
    content.replaceChildren(...(answer.directory ? directory(answer, operator) : [file(answer, operator)]));
  }).catch(failed);
  return { destroy() { gone = true; } };
}

/** The pattern that is searched for what a person typed: a word is a part of the name, a pattern the whole name. */
export const patternOf = (typed) => (/[*?[]/.test(typed) ? typed : `*${typed.replaceAll('\\', '\\\\')}*`);

/** A search that shows matches as they come, until it is cancelled or has enough. */
function results(path, typed) {
  const found = [];
  let examined = 0;
  let denied = 0;
  let stopped = false;
  const said = el('p', { class: 'soft', role: 'status' }, 'Searching…');
  const cancel = el('button', { class: 'b', type: 'button', onclick: () => stop() }, 'Cancel');
  const rows = table({
    caption: `Names below ${path} that match ${patternOf(typed)}`, key: (e) => e.path, pageSize: 100, none: 'No match.',
    columns: [
      { name: 'Path', value: (e) => e.path, node: (e) => el('a', { href: link(e.path) }, e.directory ? `${e.path}/` : e.path), text: true },
      { name: 'Length', value: (e) => (e.directory ? -1 : e.length), show: (e) => (e.directory ? '–' : bytes(e.length)), num: true },
      { name: 'Policy', value: (e) => e.policy }, { name: 'Owner', value: (e) => `${e.owner}:${e.group}` }, { name: 'Modified', value: (e) => e.modifiedAt, node: (e) => time(e.modifiedAt) },
    ],
  });

  function stop() { stopped = true; }

  function say(state) {
    const skipped = denied ? `, ${count(denied)} directories skipped that you may not list` : '';
    said.textContent = `${state} ${count(found.length)} ${found.length === 1 ? 'match' : 'matches'} among ${count(examined)} names${skipped}.`;
  }

  async function run_() {
    let after = '';
    try {
      do {
        const page = await get('find', { path, pattern: patternOf(typed), anyCase: true, after, examine: EXAMINED });
        found.push(...page.entries);
        examined += page.examined;
        denied += page.denied;
        after = page.next;
        rows.set(found);
        say('Searching:');
      } while (after && !stopped && found.length < MOST_FOUND);
      say(!after ? 'Done:' : stopped ? 'Cancelled:' : 'Ended early, search for a longer part:');
    } catch (failure) {
      say(`Failed (${failure.message}):`);
      rows.failed(failure);
    }
    cancel.hidden = true;
  }

  run_();
  return { node: panel('Search', el('div', { class: 'row' }, said, cancel), rows.node), stop };
}

function directory(dir, operator) {
  let entries = dir.entries;
  let { more } = dir;
  const rows = table({
    caption: `In ${dir.path}`, key: (e) => e.path, pageSize: 100, none: 'This directory is empty.',
    columns: [
      { name: 'Name', value: (e) => e.name, node: (e) => el('a', { href: link(e.path) }, e.directory ? `${e.name}/` : e.name), text: true },
      { name: 'Length', value: (e) => (e.directory ? -1 : e.length), show: (e) => (e.directory ? '–' : bytes(e.length)), num: true },
      { name: 'Policy', value: (e) => e.policy }, { name: 'Owner', value: (e) => `${e.owner}:${e.group}` }, { name: 'Mode', value: (e) => e.mode, num: true },
      { name: 'Modified', value: (e) => e.modifiedAt, node: (e) => time(e.modifiedAt) },
      { name: 'Open', value: (e) => (e.open ? 'being written' : ''), node: (e) => (e.open ? badge('being written', 'warn') : null) },
    ],
  });
  rows.set(entries);
  const next = el('button', { class: 'b', type: 'button', hidden: !more, onclick: async () => {
    let page;
    try {
      page = await get('files', { path: dir.path, after: entries[entries.length - 1].name, limit: PAGE });
    } catch (failure) {
      toast(`Load more entries: ${failure.message}`, true);
      return;
    }
    entries = entries.concat(page.entries);
    more = page.more;
    next.hidden = !more;
    rows.set(entries);
  } }, 'Load more entries');
  const policy = el('span', {}, dir.policy);
  let side = dir.encode;
  const encoder = el('span', {}, encodedBy(side));
  const change = el('button', { class: 'b', type: 'button', onclick: async () => {
    let policies;
    try {
      ({ policies } = await get('policies'));
    } catch (failure) {
      toast(`Set policy: ${failure.message}`, true);
      return;
    }
    const values = await confirm({ title: `Policy of new files below ${dir.path}`, text: 'Existing files keep their policy.', action: 'Set',
      fields: [{ name: 'policy', label: 'Policy', options: policyChoices(policies.map((p) => p.name), policy.textContent), value: policy.textContent },
        { name: 'encode', label: 'Parity computed by', options: ['inherit', 'client', 'master', 'auto'], value: side ?? 'inherit' }] });
    const encode = values && values.encode !== (side ?? 'inherit') ? values.encode : undefined; // absent: it stays
    const now = values && await run(`Policy of ${dir.path}`, () => post('policy', { path: dir.path, policy: values.policy, encode }));
    if (now) { policy.textContent = now.policy; side = now.encode; encoder.textContent = encodedBy(side); }
  } }, 'Set policy');
  const quota = el('span', { class: 'soft' }, limits(dir.quota ?? {}));
  let bounds = dir.quota ?? {};
  const bound = el('button', { class: 'b', type: 'button', onclick: async () => {
    const values = await confirm({ title: `Quota of ${dir.path}`, text: 'An empty field sets no bound.', action: 'Set',
      fields: [{ name: 'names', label: 'Most files and directories', type: 'number', value: bounds.names ?? '' },
        { name: 'space', label: 'Most bytes of chunks', type: 'number', value: bounds.space ?? '' }] });
    const number = (text) => (text === '' ? null : Number(text));
    const now = values && await run(`Quota of ${dir.path}`, () => post('quota', { path: dir.path, names: number(values.names), space: number(values.space) }));
    if (now) { bounds = now; quota.textContent = limits(now); }
  } }, 'Set quota');
  let rules = dir.rules ?? { from: null, rules: [] };
  const aging = el('span', { class: 'soft' }, rulesInWords(rules));
  const age = el('button', { class: 'b', type: 'button', onclick: async () => {
    const own = rules.from === dir.path ? rules.rules.map((r) => `${r.after}=${r.policy}`).join(', ') : '';
    const values = await confirm({ title: `Conversion rules of ${dir.path}`, text: 'Files below it get a policy once they were not modified for so long. An empty field: the rules of the directory above hold.', action: 'Set',
      fields: [{ name: 'rules', label: 'Age=policy, by growing age', value: own, placeholder: '30d=rs-10-4-1024k' }] });
    const now = values && await run(`Conversion rules of ${dir.path}`, () => post('rules', { path: dir.path, rules: values.rules.split(/[\s,]+/).filter(Boolean) }));
    if (now) { rules = now; aging.textContent = rulesInWords(now); }
  } }, 'Set rules');
  return [panel('Directory', el('div', { class: 'row' }, el('span', {}, 'Policy of new files: ', policy, encoder), el('a', { href: '#/writes' }, 'Cost of writes'), operator ? change : null, quota, operator ? bound : null,
    aging, operator ? age : null, operator ? converter(dir) : null)), panel('Entries', rows.node, next)];
}

/** Converts what is there already. */
function converter(at) {
  return el('button', { class: 'b', type: 'button', onclick: () => convert(at.path, at.policy) }, at.directory ? 'Convert files' : 'Convert file');
}

/** The rules by which files are converted as they age, and whose they are. */
export function rulesInWords({ from, rules }) {
  return rules.length ? `Conversion rules of ${from}: ${rules.map((r) => `after ${r.after} ${r.policy}`).join(', ')}` : 'No conversion rules';
}

/** The choices of a directory's policy: 'inherit', the standard ones, and the present one when it is another. */
export function policyChoices(standard, present) {
  return ['inherit', ...standard, ...(standard.includes(present) ? [] : [present])];
}

/** Who computes parity; each client where no directory sets a side. */
function encodedBy(side) {
  return side ? `, parity by ${side}` : ', parity by the client (no side is set)';
}

function limits(quota) {
  const names = quota.names === null || quota.names === undefined ? null : `${count(quota.namesUsed)} of ${count(quota.names)} names`;
  const space = quota.space === null || quota.space === undefined ? null : `${bytes(quota.spaceUsed)} of ${bytes(quota.space)} of space`;
  return names || space ? `Quota: ${[names, space].filter(Boolean).join(', ')}` : 'No quota';
}

function file(status, operator) {
  const packed = el('span');
  const over = el('div', { hidden: true });
  const writing = el('span', {}, status.open ? badge('being written', 'warn') : null);
  const groups = el('div');
  const shown = new Set();
  const next = el('button', { class: 'b', type: 'button', hidden: true, onclick: () => load(at) }, 'More groups');
  let at = 0;

  async function load(from) {
    const button = document.activeElement === next;
    try {
      const layout = await get('layout', { path: status.path, from, groups: 16 });
      if (layout.groups.some((g) => g.pack)) packed.replaceChildren(badge('packed'));
      const fresh = layout.groups.filter((g) => !shown.has(g.id)); // each part has the patch groups
      fresh.forEach((g) => shown.add(g.id));
      groups.append(...fresh.map((g) => group(g, layout.extents.filter((e) => e.groupId === g.id))));
      const last = layout.extents[layout.extents.length - 1];
      at = last ? last.fileOffset + last.length : status.length;
      next.hidden = at >= layout.length;
      if (!layout.groups.length && from === 0) groups.append(empty(status.open ? 'No group of this file is sealed yet: it is being written.' : 'The file is empty.'));
    } catch (failure) {
      groups.append(empty(failure.message));
    }
    if (button && next.hidden) groups.querySelector('h3')?.focus();
  }

  async function loadPatches() {
    try {
      const answer = await get('patches', { path: status.path });
      if (!updated(answer)) return;
      over.replaceChildren(patches(answer));
      if (answer.open) writing.replaceChildren(badge('open for update', 'warn'));
    } catch (failure) {
      over.replaceChildren(panel('Patches', empty(failure.message)));
    }
    over.hidden = false;
  }

  load(0);
  loadPatches();
  return el('div', { class: 'panels' }, panel('File', el('div', { class: 'row' }, el('strong', {}, bytes(status.length)), el('span', {}, status.policy), el('span', {}, `${status.owner}:${status.group} ${status.mode}`),
    el('span', {}, 'modified ', time(status.modifiedAt)), packed, writing,
    el('a', { href: `#/explain?path=${encodeURIComponent(status.path)}` }, 'Explain a read'), operator ? converter(status) : null)), over, panel('Groups and chunks', groups, next));
}

/** How many files share a pack with this one, and how many of them are listed. */
export function packedWith(pack) {
  const others = Math.max(0, pack.files - 1);
  const some = `${count(others)}${pack.files >= MOST_COUNTED ? ' or more' : ''} other ${others === 1 ? 'file' : 'files'}`;
  const why = pack.others.length < MOST_LISTED ? 'you may not list the others' : 'the others are left out';
  return `Packed with ${others ? some : 'no other file'}, ${bytes(pack.liveBytes)} live${pack.others.length < others ? `; ${count(pack.others.length)} are listed, ${why}` : ''}.`;
}

function companions(pack) {
  return el('div', {}, el('p', {}, packedWith(pack)), pack.others.length ? el('ul', { class: 'list', 'aria-label': 'Files packed with this one' }, ...pack.others.map((path) => el('li', {}, el('a', { href: link(path) }, path)))) : null);
}

/** Which bytes of the file a group has; a group without extents has patches of it. */
export const whereOf = (extents) => (extents.length ? extents.map((e) => `file bytes ${count(e.fileOffset)} to ${count(e.fileOffset + e.length)}`).join(', ') : 'patches of this file');

function group(g, extents) {
  const data = /-(\d+)-/.exec(g.policy);
  const k = g.policy.startsWith('replication') ? 1 : data ? Number(data[1]) : 0;
  const racks = new Map((live.view?.report?.datanodes ?? []).map((d) => [d.id, d.rack]));
  const where = whereOf(extents);
  return el('div', {}, el('h3', { tabindex: '-1' }, `Group g${g.id}`), el('p', { class: 'soft' }, `${g.policy}, ${g.length < 0 ? 'being written' : bytes(g.length)}: ${where}`), g.pack ? companions(g.pack) : null,
    el('div', { class: 'chunks' }, ...g.chunks.map((c) => {
      const tone = c.state === 'finalised' ? 'good' : ['being_written', 'last_resort'].includes(c.state) ? 'warn' : 'bad';
      return el('div', { class: `chunk ${tone}` }, el('b', {}, `${c.index < k ? 'data' : 'parity'} ${c.index}`), state(c.state), el('div', {}, `${c.datanode}, volume ${c.volume}${racks.has(c.datanode) ? `, rack ${racks.get(c.datanode)}` : ''}`),
        el('div', { class: 'soft' }, `${c.bytes < 0 ? 'size unknown' : bytes(c.bytes)}, generation ${c.generation}`));
    })));
}
