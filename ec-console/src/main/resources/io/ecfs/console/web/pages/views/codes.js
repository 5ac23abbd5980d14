// Erasure coding policies: cost and fault tolerance of each, and the measured storage overhead of those in use.
import { get } from '/api.js';
import { advisor } from '/advisor.js';
import { chart } from '/charts.js';
import { packs } from '/packs.js';
import { badge, bytes, count, el, head, panel, table } from '/ui.js';

export function mount(root, { operator }) {
  const picture = chart('Storage overhead against failures tolerated, with the reads of a repair', 'chart tall');
  const rows = table({
    caption: 'Erasure coding policies', key: (p) => p.name, pageSize: 100, none: 'No policy yet.',
    columns: [
      { name: 'Policy', value: (p) => p.name, node: (p) => el('span', {}, p.name, p.isDefault ? ' ' : '', p.isDefault ? badge('default', 'good') : '') },
      { name: 'Data k', value: (p) => p.k, num: true }, { name: 'Parity m', value: (p) => p.m, num: true }, { name: 'Cell', value: (p) => p.cellBytes, show: (p) => bytes(p.cellBytes), num: true },
      { name: 'Storage overhead', value: (p) => p.overhead, show: (p) => p.overhead.toFixed(2), num: true },
      { name: 'Failures tolerated', value: (p) => p.lossesSurvived, num: true }, { name: 'Repair reads (chunks)', value: (p) => p.repairChunks, show: (p) => p.repairChunks.toFixed(2), num: true },
    ],
  });
  const said = el('p', { class: 'soft' });
  const used = table({
    caption: 'Policies in use: bytes of chunks reported by datanodes per byte of sealed files', key: (p) => p.policy, pageSize: 50, none: 'No file is sealed yet. The storage overhead of its policy is measured here.',
    columns: [
      { name: 'Policy', value: (p) => p.policy }, { name: 'Groups', value: (p) => p.groups, show: (p) => count(p.groups), num: true },
      { name: 'User bytes', value: (p) => p.userBytes, show: (p) => bytes(p.userBytes), num: true }, { name: 'Stored', value: (p) => p.storedBytes, show: (p) => bytes(p.storedBytes), num: true },
      { name: 'Storage overhead, measured', value: (p) => p.measured, show: (p) => p.measured.toFixed(3), num: true }, { name: 'Nominal (n/k)', value: (p) => p.nominal, show: (p) => p.nominal.toFixed(3), num: true },
      { name: 'Missing chunks', value: (p) => p.lackingChunks, show: (p) => count(p.lackingChunks), num: true },
    ],
  });
  const kernels = table({
    caption: 'Codec kernels on the machine of this console', key: (k) => k.name, none: 'No kernel.',
    columns: [
      { name: 'Kernel', value: (k) => k.name, node: (k) => el('span', {}, k.name, k.used ? ' ' : '', k.used ? badge('in use', 'good') : '') },
      { name: 'Available', value: (k) => (k.available ? 'yes' : 'no') }, { name: 'Description', value: (k) => k.text, text: true },
    ],
  });
  const shared = operator ? packs() : null;
  root.append(head('Erasure coding'), ...(operator ? [panel('In use', used.node, said), shared.node] : []), panel('Cost and fault tolerance', picture.node), panel('Policies', rows.node), advisor().node, panel('Codec', kernels.node,
    el('p', { class: 'soft' }, 'Every process of ECFS uses the fastest kernel that loads, unless the property ecfs.kernel names one. ecfs version lists the kernels of another machine.')));
  if (operator) get('usage').then((use) => {
    used.set(use.policies);
    said.textContent = `Volumes store ${bytes(use.heldBytes)} for ${bytes(use.userBytes)} of sealed files${use.userBytes ? `: an overhead of ${(use.heldBytes / use.userBytes).toFixed(3)}, including chunks that are being written or wait to be deleted, without those of dead datanodes` : ''}.${use.whole ? '' : ` Only the first ${count(use.groups)} groups are included.`}`;
  }).catch(used.failed);
  get('codec').then((codec) => kernels.set(codec.kernels.map((k) => ({ ...k, used: k.name === codec.inUse })))).catch(kernels.failed);
  get('policies').then(({ policies }) => {
    rows.set(policies);
    picture.set({
      grid: { left: 28, right: 40, top: 30, bottom: 30, containLabel: true },
      tooltip: { formatter: ({ data }) => `${data.name}\n${data.value[0].toFixed(2)} bytes stored per byte\ntolerates ${data.value[1]} failures\na repair reads ${data.value[2].toFixed(2)} chunks` },
      xAxis: { type: 'value', name: 'storage overhead', nameLocation: 'middle', nameGap: 26, min: 1 }, yAxis: { type: 'value', name: 'failures tolerated', nameLocation: 'middle', nameGap: 26, minInterval: 1 },
      series: [{ type: 'scatter', symbolSize: (v) => 8 + 2.5 * v[2], itemStyle: { opacity: 0.65 }, data: policies.map((p) => ({ name: p.name, value: [p.overhead, p.lossesSurvived, p.repairChunks] })) }],
    });
  }).catch(rows.failed);
  return { destroy() { picture.destroy(); shared?.destroy(); } };
}
