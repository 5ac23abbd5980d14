// The frame of all pages: session, navigation, the banner about connections, routing.
import { live, logIn, logOut, session, whoAmI } from '/api.js';
import { badge, el, toast } from '/ui.js';

const PAGES = {
  overview: ['Overview', () => import('/views/overview.js')],
  datanodes: ['Datanodes', () => import('/views/datanodes.js')],
  recovery: ['Recovery', () => import('/views/recovery.js')],
  migrations: ['Data movement', () => import('/views/migrations.js')],
  files: ['Files', () => import('/views/files.js')],
  codes: ['Erasure coding', () => import('/views/codes.js')],
  events: ['Events', () => import('/views/events.js')],
  benchmarks: ['Benchmarks', () => import('/views/benchmarks.js')],
  audit: ['Audit', () => import('/views/audit.js')],
  writes: ['Writes', () => import('/views/writes.js')],
  explain: ['Explain', () => import('/views/explain.js')],
  experiments: ['Experiments', () => import('/views/experiments.js')],
  rings: ['Rings', () => import('/views/rings.js')],
};

const STALE_SECONDS = 45;
const main = document.getElementById('main');
const verdict = el('a', { id: 'health', href: '#/overview', 'aria-live': 'polite' });
let shown = null;
let turn = 0;

/** The route behind '#': page, subpath and query. */
function place() {
  const [name, ...rest] = location.hash.replace(/^#\/?/, '').split('?');
  const [page, ...below] = name.split('/');
  return { page: PAGES[page] ? page : 'overview', below: below.map((part) => { try { return decodeURIComponent(part); } catch { return part; } }), query: new URLSearchParams(rest.join('?')) };
}

async function show() {
  const mine = ++turn;
  if (shown) shown.destroy();
  shown = null;
  frame();
  if (!session.user) { logInPage(); return; }
  const at = place();
  document.title = `${PAGES[at.page][0]} · ECFS console`;
  try {
    const view = await PAGES[at.page][1]();
    if (mine !== turn) return;
    main.replaceChildren();
    main.dataset.page = at.page;
    shown = { destroy() {}, update() {}, ...view.mount(main, { ...at, operator: session.role === 'operator' }) };
    if (live.view?.report) shown.update(live.view);
  } catch (failure) {
    if (mine === turn) main.replaceChildren(el('p', { class: 'empty' }, `This page could not be shown: ${failure.message}`));
  }
}

function frame() {
  const at = place();
  const links = Object.entries(PAGES)
    .filter(([name]) => name !== 'audit' || session.role === 'operator')
    .map(([name, [title]]) => el('a', { href: `#/${name}`, 'aria-current': name === at.page ? 'page' : null }, title));
  const theme = el('button', { class: 'b', type: 'button', onclick: changeTheme }, dark() ? 'Light' : 'Dark');
  document.getElementById('top').replaceChildren(
    el('span', { class: 'brand' }, 'ECFS'), session.user ? verdict : '',
    session.user ? el('nav', { 'aria-label': 'Pages' }, ...links) : el('span'),
    el('div', { class: 'who' }, session.user ? el('span', {}, session.user === session.role ? session.user : `${session.user} (${session.role})`) : null, theme,
      session.user ? el('button', { class: 'b', type: 'button', onclick: leave }, 'Log out') : null));
}

function logInPage() {
  document.title = 'Log in · ECFS console';
  main.dataset.page = 'login';
  const user = el('input', { name: 'user', autocomplete: 'username', required: true });
  const password = el('input', { name: 'password', type: 'password', autocomplete: 'current-password', required: true });
  const said = el('p', { role: 'alert' });
  main.replaceChildren(el('section', { class: 'panel login' }, el('h1', {}, 'Log in'),
    el('form', { class: 'stack', onsubmit: async (event) => {
      event.preventDefault();
      said.textContent = '';
      try {
        await logIn(user.value, password.value);
        enter();
      } catch (failure) {
        said.textContent = failure.message;
        password.value = '';
        password.focus();
      }
    } }, el('label', {}, 'User', user), el('label', {}, 'Password', password), said,
    el('button', { class: 'b main', type: 'submit' }, 'Log in'))));
  user.focus();
}

function enter() {
  live.start();
  show();
}

async function leave() {
  try {
    await logOut();
    live.stop();
    live.view = null;
    show();
  } catch (failure) {
    toast(`Log out: ${failure.message}`, true);
  }
}

function dark() {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
}

function changeTheme() {
  document.documentElement.dataset.theme = dark() ? 'light' : 'dark';
  localStorage.setItem('theme', document.documentElement.dataset.theme);
  show();
}

/** The verdict on the cluster, on every page; its reasons on hover, and in full on the overview. */
function judge(health) {
  if (!health || verdict.dataset.shown === JSON.stringify(health)) return;
  verdict.dataset.shown = JSON.stringify(health);
  const [word, tone] = { OK: ['OK', 'good'], WARNING: ['Warning', 'warn'], CRITICAL: ['Critical', 'bad'] }[health.level];
  verdict.title = health.reasons.map((reason) => reason.text).join('\n') || 'no alert';
  verdict.replaceChildren(badge(`Health: ${word}`, tone));
}

function banner() {
  const lines = [];
  if (session.user && live.source && !live.streaming) lines.push('Connection to the console lost, reconnecting.');
  else if (live.view && !live.view.connected && session.user) {
    lines.push(`The namenodes do not answer, retrying: ${live.view.why}. The last known state is shown.`);
  } else if (session.user && live.source && live.view && live.age() > STALE_SECONDS) {
    lines.push('No update from the console for a while. The last known state is shown.');
  } else if (live.view?.report?.safeMode && session.user) lines.push(`Safe mode, writes are rejected: ${live.view.report.safeModeReason}`);
  const node = document.getElementById('banner');
  if (node.textContent !== lines.join('')) node.replaceChildren(...lines.map((line) => el('p', {}, line)));
}

live.viewers.add((view) => {
  banner();
  judge(view.health);
  if (shown && view.report) shown.update(view);
});
live.listeners.add((events) => { if (shown && shown.happened) shown.happened(events); });
window.addEventListener('stream', () => setTimeout(banner, 1500));
setInterval(banner, 5000);
window.addEventListener('hashchange', () => {
  document.querySelectorAll('dialog').forEach((dialog) => dialog.dispatchEvent(new Event('cancel')));
  show();
  main.focus({ preventScroll: true });
  scrollTo(0, 0);
});
window.addEventListener('session-over', () => {
  live.stop();
  banner();
  whoAmI().then((who) => (who.user ? enter() : show()), () => {});
});
document.addEventListener('visibilitychange', () => {
  if (document.hidden) live.stop();
  else if (session.user && !live.source) live.start();
});
window.addEventListener('keydown', (event) => {
  const typing = ['INPUT', 'SELECT', 'TEXTAREA'].includes(event.target.tagName) || event.ctrlKey || event.metaKey || event.altKey;
  const name = typing || !session.user ? undefined : Object.keys(PAGES)[Number(event.key) - 1];
  if (name) location.hash = `#/${name}`;
});

const theme = localStorage.getItem('theme');
if (theme) document.documentElement.dataset.theme = theme;
whoAmI().then((who) => (who.user ? enter() : show()), (failure) => {
  main.replaceChildren(el('p', { class: 'empty' }, `The console does not answer: ${failure.message}`));
});
