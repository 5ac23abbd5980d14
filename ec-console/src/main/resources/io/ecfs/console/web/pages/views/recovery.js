// Incidents, and the timeline of one: the time to the first repair and the repair, chunk by chunk.
import { get, incidents as incidentList } from '/api.js';
import { throttles } from '/throttles.js';
import { inWords, lasted, legend, stack, TONES } from '/phases.js';
import { byteAxis, chart, color } from '/charts.js';
import { conversions, during } from '/conversions.js';
import { badge, bytes, clock, count, el, empty, head, linked, panel, rate, seconds, table, tile, time } from '/ui.js';

const CHUNKS = 40;
const PACE_SECONDS = 60;
const MOST_HEIGHT = 26;
const REWRITTEN = 'FILES_REWRITTEN';
const IN_PROGRESS = 'in progress';
const WAITING = 'waiting';
const PHASES = [
  ['check', 'detectedAt', 'checkedAt', 'soft'], ['wait for a target', 'checkedAt', 'plannedAt', 'warn'], ['order', 'plannedAt', 'startedAt', '#8e6bd8'],
  ['read', 'startedAt', 'readAt', 'accent'], ['decode', 'readAt', 'decodedAt', '#2f9e9e'], ['verify', 'decodedAt', 'verifiedAt', 'good'],
  ['write', 'verifiedAt', 'writtenAt', '#c06c9b'], ['commit', 'writtenAt', 'committedAt', 'bad'],
];

export function mount(root, { below, operator }) {
  return below[0] ? one(root, Number(below[0]), operator) : all(root, operator);
}

function all(root, operator) {
  const degraded = tile('Degraded groups');
  const lost = tile('Unavailable groups');
  const speed = tile('Repaired');
  const eta = tile('Estimated completion');
  const rows = table({
    caption: 'Incidents, the latest first', key: (i) => i.id, sort: 0, descending: true, pageSize: 25,
    none: 'No incident: no chunk was lost. Causes, times and costs of losses are listed here.',
    columns: [
      { name: 'No.', value: (i) => i.id, node: (i) => el('a', { href: `#/recovery/${i.id}`, 'aria-label': `Timeline of incident ${i.id}` }, String(i.id)), sign: (i) => i.id, num: true },
      { name: 'Cause', value: (i) => i.cause, text: true },
      { name: 'State', value: (i) => i.healedAt ?? '', node: status, sign: (i) => [i.healedAt, i.planned, i.firstRepairAt] },
      { name: 'Started', value: (i) => i.deadAt, node: (i) => time(i.deadAt), sign: (i) => i.deadAt },
      { name: 'Time to first repair', value: (i) => i.checkingSeconds, show: (i) => seconds(i.checkingSeconds), num: true },
      { name: 'Repair time', value: (i) => i.repairSeconds, show: (i) => seconds(i.repairSeconds), num: true },
      { name: 'Chunks', value: (i) => i.chunksRepaired, show: (i) => count(i.chunksRepaired), num: true },
      { name: 'Failed attempts', value: (i) => i.attemptsFailed, show: (i) => count(i.attemptsFailed), num: true },
      { name: 'Read', value: (i) => i.bytesRead, show: (i) => bytes(i.bytesRead), num: true },
      { name: 'Reconstructed', value: (i) => i.bytesRepaired, show: (i) => bytes(i.bytesRepaired), num: true },
    ],
  });
  root.append(head('Recovery'), el('div', { class: 'tiles' }, degraded.node, lost.node, speed.node, eta.node), panel('Incidents', rows.node), throttles(operator));
  const history = incidentList();
  let loading = false;
  const load = () => {
    if (loading) return;
    loading = true;
    history.load().then(rows.set, rows.failed).finally(() => { loading = false; });
  };
  load();
  let requested = 0;
  const left = timeLeft();
  return {
    update({ report, numbers }) {
      degraded.set(count(report.groups.degraded), 'readable', report.groups.degraded ? 'warn' : 'good');
      lost.set(count(report.groups.lost), 'not readable now', report.groups.lost ? 'bad' : 'good');
      speed.set(rate(numbers.repairedBytesPerSecond), `${count(numbers.incidents)} ${numbers.incidents === 1 ? 'incident' : 'incidents'} open`);
      eta.set(left(performance.now() / 1000, report.groups.degraded));
      if (Date.now() - requested > 2000) { requested = Date.now(); load(); }
    },
  };
}

/**
 * Estimates the completion of repairs from how fast the number of degraded groups fell within the last minute; starts over when it rises. Unavailable
 * groups are left out: no repair restores them by itself. The returned function takes the second of a sample and the number of degraded groups then.
 */
export function timeLeft() {
  let samples = [];
  return (at, degraded) => {
    if (samples.length && degraded > samples[samples.length - 1].degraded) samples = [];
    samples.push({ at, degraded });
    samples = samples.filter((sample) => sample.at >= at - PACE_SECONDS);
    if (!degraded) return 'none degraded';
    const fallen = samples[0].degraded - degraded;
    return fallen > 0 ? `about ${seconds((degraded * (at - samples[0].at)) / fallen)}` : 'unknown';
  };
}

function status(i) {
  return badge(stateOf(i), i.healedAt ? 'good' : i.planned || i.firstRepairAt ? 'warn' : 'bad');
}

/** The state of an incident in words; of a planned one nothing was lost, so nothing heals. */
export function stateOf(i) {
  if (i.planned) return i.healedAt ? 'done' : 'in progress';
  return i.healedAt ? 'healed' : i.firstRepairAt ? 'repairing' : 'not started';
}

function one(root, id, operator) {
  const facts = el('div', { class: 'tiles' });
  const fivePhases = el('div', { class: 'phases' });
  const gantt = chart(`Timeline of incident ${id}: when each chunk was in which phase`, 'chart tall');
  const sources = chart('Bytes read from each datanode');
  const waits = el('div');
  const said = el('p', { class: 'soft' });
  const more = el('button', { class: 'b', type: 'button', onclick: () => { from.push(last); load(); } }, 'Later chunks');
  const fewer = el('button', { class: 'b', type: 'button', onclick: () => { from.pop(); load(); } }, 'Earlier chunks');
  const filesSaid = el('p', { class: 'soft' });
  const files = table({
    caption: 'Files with chunks in this incident, healed or not', key: (f) => f.path, pageSize: 25, sort: 0, none: 'No file: no group of this incident has one.',
    columns: [{ name: 'File', value: (f) => f.path, node: (f) => el('a', { href: `#/files?path=${encodeURIComponent(f.path)}` }, f.path), text: true },
      { name: 'Chunks', value: (f) => f.chunks, show: (f) => count(f.chunks), num: true }],
  });
  const from = [[0, 0]];
  let last = [0, 0];
  const chunkPanels = el('div', { class: 'panels' }, panel('Phases', fivePhases), panel('Timeline', said, gantt.node, el('div', { class: 'pager' }, fewer, more)),
    el('div', { class: 'two' }, panel('Bytes by source, of these chunks', sources.node), panel('Waiting chunks', waits)), panel('Files', filesSaid, files.node));
  const converted = conversions(operator);
  converted.node.hidden = true;
  root.append(head(`Incident ${id}`, el('a', { href: '#/recovery' }, 'All incidents')), facts,
    chunkPanels, converted.node);

  const loadFiles = () => get(`incidents/${id}/files`).then((page) => {
    files.set(page.files);
    filesSaid.textContent = filesInWords(page);
  }).catch(files.failed);
  let filesOf = '';

  async function load() {
    try {
      const [afterGroup, afterIndex] = from[from.length - 1];
      const [incident, page, { phases }] = await Promise.all([get(`incidents/${id}`), get(`incidents/${id}/chunks`, { afterGroup, afterIndex, limit: CHUNKS }), get(`incidents/${id}/phases`)]);
      if (incident.kind === REWRITTEN) drawRewrites(incident);
      else draw(incident, page.groups, phases);
      if (incident.kind !== REWRITTEN && filesOf !== `${incident.attempts} ${incident.healedAt}`) { filesOf = `${incident.attempts} ${incident.healedAt}`; loadFiles(); }
      if (incident.healedAt) clearInterval(timer);
    } catch (failure) {
      said.textContent = failure.message;
      if (failure.status === 404 || failure.status === 400) clearInterval(timer);
    }
  }

  /** Nothing is lost, no chunk is reconstructed: the progress of the conversions instead. */
  function drawRewrites(incident) {
    chunkPanels.hidden = true;
    converted.node.hidden = false;
    facts.replaceChildren(...factTiles(incident));
    converted.refresh((all) => during(all, incident.detectedAt, incident.healedAt));
  }

  function draw(incident, chunks, phases) {
    fivePhases.parentElement.hidden = !phases.length;
    fivePhases.replaceChildren(...drawPhases(phases));
    if (chunks.length) last = [chunks[chunks.length - 1].groupId, chunks[chunks.length - 1].index];
    more.disabled = chunks.length < CHUNKS;
    fewer.disabled = from.length === 1;
    facts.replaceChildren(...factTiles(incident));
    said.textContent = chunks.length
      ? `${incident.cause}. ${chunks.length} chunks in the order of their groups. Above them the incident and its phases.${incident.healedAt ? '' : ' The phases of a chunk in progress are shown once it is done.'}`
      : `${incident.cause}. No chunk had to be reconstructed${from.length > 1 ? ' beyond these' : ' yet'}.`;
    gantt.set(timeline(incident, chunks, phases));
    sources.set(bySource(chunks));
    const reasons = new Map();
    for (const c of chunks.filter((x) => x.waiting && !x.committedAt)) reasons.set(c.waiting, (reasons.get(c.waiting) ?? 0) + 1);
    waits.replaceChildren(reasons.size
      ? el('ul', { class: 'list' }, ...[...reasons].map(([why, n]) => el('li', {}, badge(count(n), 'warn'), linked(why))))
      : empty('None of these chunks waits. Reasons such as too few sources or no target for a chunk are listed here.'));
  }

  const timer = setInterval(load, 2000);
  load();
  return { destroy() { clearInterval(timer); gantt.destroy(); sources.destroy(); } };
}

/** How many files an incident has, and which of them are not listed. */
export function filesInWords(page) {
  const parts = [`${count(page.count)}${page.complete ? '' : ' or more'} ${page.count === 1 ? 'file' : 'files'}`];
  if (page.count > page.files.length) parts.push(`the first ${count(page.files.length)} are listed`);
  if (page.goneGroups) parts.push(`${count(page.goneGroups)} ${page.goneGroups === 1 ? 'group has' : 'groups have'} no file any more`);
  if (page.deniedGroups) parts.push(`${count(page.deniedGroups)} groups have files that you may not list`);
  return `${parts.join(', ')}.`;
}

function factTiles(i) {
  const fact = (label, text, note = '', tone = '') => { const t = tile(label); t.set(text, note, tone); return t.node; };
  return [
    fact('State', stateOf(i), i.kind === REWRITTEN ? i.cause : i.causeGone ? 'its cause is resolved' : '', i.healedAt ? 'good' : 'warn'),
    ...beginning(i).map((one) => fact(...one)),
    ...(i.kind === REWRITTEN ? rewritten(i).map((one) => fact(...one)) : reconstructed(i).map((one) => fact(...one))),
  ];
}

/** What rewrites did: [label, value, note]. */
export function rewritten(i) {
  return [['Time to first group', seconds(i.checkingSeconds), 'until it took the place of others'], ['Chunks written', count(i.chunksRepaired), 'all chunks of the new groups'],
    ['Rewritten', bytes(i.bytesRead), `user bytes; ${bytes(i.bytesRepaired)} of chunks written`]];
}

function reconstructed(i) {
  return [
    [i.planned ? 'Time to first move' : 'Time to first repair', seconds(i.checkingSeconds), 'until the first byte was read'], ['Repair time', seconds(i.repairSeconds), 'until the last commit'],
    ['Chunks reconstructed', count(i.chunksRepaired), `${count(i.attempts)} attempts, ${count(i.attemptsFailed)} failed`],
    ['Read', bytes(i.bytesRead), `${bytes(i.bytesRepaired)} reconstructed`],
  ];
}

/** How an incident began: [label, value, note]. Only a silent datanode or volume has a time between its first sign and its death. */
export function beginning(i) {
  if (i.planned) return [['Requested', clock(i.deadAt), 'nothing is lost by it']];
  const silent = (Date.parse(i.deadAt) - Date.parse(i.detectedAt)) / 1000;
  return silent > 0 ? [['Detected to dead', seconds(silent), 'suspicion and grace period']] : [['Detected', clock(i.detectedAt), 'certain at once']];
}

const shade = (name) => (name.startsWith('#') ? name : color(name));

/** The phases as one bar, and in words; those that the history does not know are named. */
function drawPhases(phases) {
  const known = lasted(phases);
  return [stack('Phases', known, known.reduce((sum, p) => sum + p.seconds, 0) || 1), el('p', {}, `${inWords(known)}.`), el('p', { class: 'soft' }, unknownOf(phases)), legend()];
}

/** Which phases are left out, and why. */
export function unknownOf(phases) {
  const has = (name) => phases.some((p) => p.phase === name);
  const open = phases.some((p) => !p.endedAt);
  return [
    has('NOTICE') ? 'NOTICE begins with the last heartbeat: when the fault happened is not known.' : 'NOTICE is not known: the history has no last heartbeat before this incident.',
    open ? 'The last phase goes on.' : has('SETTLING') ? '' : 'SETTLING is not known: the history no longer has the repairs of all chunks.',
  ].filter(Boolean).join(' ');
}

export function timeline(incident, chunks, phases = []) {
  const end = incident.healedAt ? Date.parse(incident.healedAt) : Date.now();
  const rows = ['incident', ...chunks.map((c) => `g${c.groupId}.${c.index}${c.target ? ` → ${c.target}` : ''}`)];
  const bars = [];
  const bar = (row, name, a, b, tone) => { if (a !== null && b !== null && b >= a) bars.push({ value: [row, a, b], name, itemStyle: { color: shade(tone) } }); };
  const first = incident.firstRepairAt ? Date.parse(incident.firstRepairAt) : null;
  if (phases.length) {
    for (const p of phases) bar(0, p.phase, Date.parse(p.beganAt), p.endedAt ? Date.parse(p.endedAt) : end, TONES[p.phase]);
  } else {
    if (!incident.planned) bar(0, 'suspicion and grace period', Date.parse(incident.detectedAt), Date.parse(incident.deadAt), 'soft');
    bar(0, incident.planned ? 'waiting for the first move' : 'time to first repair', Date.parse(incident.deadAt), first ?? end, 'warn');
    if (first) bar(0, incident.planned ? 'move period' : 'repair period', first, end, 'accent');
  }
  const at = (text) => (text ? Date.parse(text) : null);
  chunks.forEach((c, row) => {
    for (const [name, a, b, tone] of PHASES) bar(row + 1, name, at(c[a]), at(c[b]), tone);
    const so = c.waiting ? [`${WAITING}: ${c.waiting}`, 'warn-bg'] : [IN_PROGRESS, 'line'];
    if (!c.committedAt && !incident.healedAt) bar(row + 1, so[0], Math.max(...PHASES.map(([, a]) => at(c[a]) ?? 0)), end, so[1]);
  });
  const named = [...PHASES.map(([name, , , tone]) => [name, tone]), [WAITING, 'warn-bg'], [IN_PROGRESS, 'line']];
  return {
    grid: { left: 8, right: 16, top: 34, bottom: 8, containLabel: true },
    legend: { data: named.map(([name, tone]) => ({ name, itemStyle: { color: shade(tone) } })), selectedMode: false },
    tooltip: { formatter: ({ name, value }) => `${rows[value[0]]}\n${name}: ${seconds((value[2] - value[1]) / 1000)}` },
    xAxis: { type: 'time' },
    yAxis: { type: 'category', data: rows, inverse: true, splitLine: { show: false } },
    series: [...named.map(([name, tone]) => ({ type: 'custom', name, itemStyle: { color: shade(tone) }, renderItem: () => null, data: [] })),
      { type: 'custom', renderItem: (parameters, api) => rectangle(parameters, api, bars), encode: { x: [1, 2], y: 0 }, data: bars }],
  };
}

/** A bar; those of the incident as a whole have their names written in, where there is room. */
function rectangle({ dataIndex }, api, bars) {
  const from = api.coord([api.value(1), api.value(0)]);
  const to = api.coord([api.value(2), api.value(0)]);
  const height = Math.min(MOST_HEIGHT, api.size([0, 1])[1] * 0.7);
  const width = Math.max(1.5, to[0] - from[0]);
  const bar = { type: 'rect', shape: { x: from[0], y: from[1] - height / 2, width, height }, style: { fill: api.visual('color') } };
  const text = api.value(0) === 0 ? bars[dataIndex].name : '';
  if (!text || height < 13 || width < 8 * text.length) return bar;
  return { type: 'group', children: [bar, { type: 'text', silent: true, style: { text, x: from[0] + 8, y: from[1], verticalAlign: 'middle', fill: color('on-accent') } }] };
}

function bySource(chunks) {
  const sums = new Map();
  for (const c of chunks) for (const s of c.sources) sums.set(s.datanode, (sums.get(s.datanode) ?? 0) + s.bytes);
  const sorted = [...sums].sort((a, b) => b[1] - a[1]);
  return {
    grid: { left: 8, right: 16, top: 16, bottom: 8, containLabel: true }, tooltip: { trigger: 'axis', valueFormatter: bytes },
    xAxis: { type: 'category', data: sorted.map(([name]) => name) }, yAxis: byteAxis(sorted.map(([, n]) => n), bytes),
    series: [{ type: 'bar', name: 'bytes read', data: sorted.map(([, n]) => n) }],
  };
}
