// Groups that small files share: how much of them is live, and what cleaning would free.
import { get } from '/api.js';
import { bytes, clock, count, el, panel, percent, tile } from '/ui.js';

const LATER = 10000;
const SOON = 1000;

/** The panel; destroy() ends its refreshes. */
export function packs() {
  const tiles = { groups: tile('Packed groups'), files: tile('Files in them'), live: tile('Live share'), sparse: tile('Below the cleaning threshold'), freed: tile('Cleaning frees at most') };
  const said = el('p', { class: 'soft' }, 'Loading…');
  let timer = 0;
  let gone = false;

  async function load() {
    let soon = false;
    try {
      const sums = await get('packs');
      soon = sums.at === null && sums.failure === null;
      if (gone) return;
      if (sums.at !== null) show(sums);
      said.textContent = inWords(sums);
    } catch (failure) {
      said.textContent = `This could not be loaded: ${failure.message}`;
    }
    if (!gone) timer = setTimeout(load, soon ? SOON : LATER);
  }

  function show(sums) {
    const dead = Math.max(0, sums.bytes - sums.liveBytes);
    const below = sums.cleanBelow === null ? 'threshold unknown' : sums.cleanBelow ? `live share below ${percent(100 * sums.cleanBelow, 0)}` : 'cleaning is disabled';
    tiles.groups.set(count(sums.groups), sums.open ? `${count(sums.open)} being written` : 'all sealed');
    tiles.files.set(`${count(sums.files)}${sums.allFiles ? '' : ' or more'}`, 'a file in two groups counts twice');
    tiles.live.set(sums.bytes ? percent((100 * sums.liveBytes) / sums.bytes) : '–', `${bytes(dead)} of ${bytes(sums.bytes)} dead`);
    tiles.sparse.set(count(sums.sparseGroups), below, sums.sparseGroups ? 'warn' : 'good');
    tiles.freed.set(bytes(sums.sparseDeadBytes), sums.deadShare === null ? 'user bytes' : `user bytes, once ${percent(100 * sums.deadShare, 0)} of all packs are dead`);
  }

  load();
  return {
    node: panel('Packs: small files in shared groups', el('div', { class: 'tiles' }, ...Object.values(tiles).map((t) => t.node)), said),
    destroy() { gone = true; clearTimeout(timer); },
  };
}

/** When the sums were computed, or why there are none. */
export function inWords(sums) {
  const failed = sums.failure === null ? '' : ` The latest attempt failed: ${sums.failure}`;
  if (sums.at === null) return failed ? failed.trim() : 'The groups are being counted.';
  return `As of ${clock(sums.at)}. Dead bytes are those of deleted files, and padding. Patch groups of files that are updated in place are not among them: the page of such a file has them.${failed}`;
}
