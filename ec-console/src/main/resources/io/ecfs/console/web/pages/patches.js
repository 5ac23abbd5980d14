// Groups of what was written over the bytes of a file that is updated in place, and how much of them is live.
import { badge, bytes, count, el, groupLink, panel, percent, table, tile } from '/ui.js';

/** True for a file that has patches, or is open for update. */
export const updated = (file) => file.open || file.patches.length > 0;

/** Sealed groups, the oldest first, then the one that is being filled; its bytes are not known before it is sealed. */
export function rows(file) {
  const sealed = file.patches.map((p) => ({ group: p.groupId, bytes: p.length, live: p.liveBytes, open: false, indexed: p.indexed }));
  return file.openGroup === null ? sealed : [...sealed, { group: file.openGroup, bytes: null, live: null, open: true, indexed: null }];
}

/** A part of a whole in percent; a dash for a whole that is nothing, or not known. */
export const share = (part, whole) => (whole ? percent((100 * part) / whole) : '–');

/** The panel of one file, of the answer of GET /patches. */
export function patches(file) {
  const all = rows(file);
  const dead = Math.max(0, file.storedBytes - file.liveBytes);
  const tiles = { groups: tile('Patch groups'), stored: tile('Stored in them'), live: tile('Live share'), dead: tile('Dead share'), version: tile('Version of the layout') };
  tiles.groups.set(count(all.length), file.openGroup === null ? 'all sealed' : '1 being written');
  tiles.stored.set(bytes(file.storedBytes), 'user bytes of sealed groups');
  tiles.live.set(share(file.liveBytes, file.storedBytes), bytes(file.liveBytes));
  tiles.dead.set(share(dead, file.storedBytes), bytes(dead));
  tiles.version.set(count(file.version), file.open ? 'open for update' : 'closed');
  const known = (value) => (value === null ? '–' : bytes(value));
  const list = table({
    caption: `Patch groups of ${file.path}, the oldest first`, key: (p) => p.group, pageSize: 50, none: 'No patch group yet.',
    columns: [
      { name: 'Group', value: (p) => p.group, node: (p) => groupLink(`g${p.group}`) },
      { name: 'State', value: (p) => (p.open ? 'being written' : 'sealed'), node: (p) => (p.open ? badge('being written', 'warn') : el('span', {}, 'sealed')) },
      { name: 'Bytes', value: (p) => p.bytes, show: (p) => known(p.bytes), num: true },
      { name: 'Live', value: (p) => p.live, show: (p) => known(p.live), num: true },
      { name: 'Live share', value: (p) => (p.bytes ? p.live / p.bytes : -1), show: (p) => share(p.live, p.bytes), num: true },
      { name: 'Index', value: (p) => (p.indexed === null ? '–' : p.indexed ? 'yes' : 'no') },
    ],
  });
  list.set(all);
  return panel('Patches: what was written over the bytes of this file', el('div', { class: 'tiles' }, ...Object.values(tiles).map((t) => t.node)), list.node,
    el('p', { class: 'soft' }, 'Live bytes are those that the updater counted when a group was sealed last. `ecfs admin compact` writes a closed file in order, without patches.'));
}
