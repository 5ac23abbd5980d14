// Client of the console's server: requests, the session, and the live stream.

export const session = { user: null, role: null, csrf: null };

export class Refused extends Error {
  constructor(status, problem) {
    super(problem.detail || `HTTP ${status}`);
    this.status = status;
    this.code = problem.code;
  }
}

async function answer(response) {
  if (response.ok) return response.status === 204 ? null : response.json();
  let problem = {};
  try { problem = await response.json(); } catch { /* no body: the status says it */ }
  if (response.status === 401 && session.user) {
    session.user = null;
    window.dispatchEvent(new Event('session-over'));
  }
  throw new Refused(response.status, problem);
}

export function get(path, parameters = {}) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    for (const one of Array.isArray(value) ? value : [value]) query.append(name, one);
  }
  const text = query.toString();
  return fetch(`/api/v1/${path}${text ? `?${text}` : ''}`, { cache: 'no-store' }).then(answer);
}

export function post(path, body) {
  return fetch(`/api/v1/${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', [session.csrf.header]: session.csrf.token },
    body: JSON.stringify(body),
  }).then(answer);
}

export async function whoAmI() {
  Object.assign(session, await get('session'));
  return session;
}

export async function logIn(user, password) {
  await fetch('/api/v1/session', {
    method: 'POST',
    headers: { [session.csrf.header]: session.csrf.token },
    body: new URLSearchParams({ user, password }),
  }).then(answer);
  return whoAmI();
}

export async function logOut() {
  await fetch('/api/v1/session/end', { method: 'POST', headers: { [session.csrf.header]: session.csrf.token } }).then(answer);
  session.user = null;
  return whoAmI();
}

/**
 * All incidents that the history has: the first load gets them, later ones those that were not healed and new ones.
 * load() resolves to them, oldest first.
 */
export function incidents() {
  const PAGE = 1000;
  const MOST_PAGES = 20;
  const known = new Map();
  return {
    async load() {
      const all = [...known.values()];
      const open = all.filter((incident) => !incident.healedAt).map((incident) => incident.id);
      let after = open.length ? Math.min(...open) - 1 : Math.max(0, ...known.keys());
      for (let page = 0; page < MOST_PAGES; page++) {
        const found = (await get('incidents', { after, limit: PAGE })).incidents;
        for (const incident of found) known.set(incident.id, incident);
        if (found.length < PAGE) break;
        after = found[found.length - 1].id;
      }
      return [...known.values()];
    },
  };
}

/** The latest view of the cluster and the latest events; subscribers are notified of each new one. */
export const live = {
  view: null,
  streaming: false,
  viewers: new Set(),
  listeners: new Set(),
  source: null,

  /** A hidden tab closes its stream: a browser has six connections to a server for all its tabs. */
  start() {
    this.stop();
    if (document.hidden) return;
    this.source = new EventSource(`/api/v1/live?afterEvent=${Number.MAX_SAFE_INTEGER}`);
    this.source.addEventListener('open', () => { this.turn(true); this.sameUser(); });
    this.source.addEventListener('error', () => {
      this.turn(false);
      if (this.source && this.source.readyState === EventSource.CLOSED) this.later();
    });
    this.source.addEventListener('view', (message) => {
      this.view = JSON.parse(message.data);
      this.viewAt = performance.now();
      this.lastEvent ??= this.view.lastEvent;
      if (this.view.lastEvent > this.lastEvent) this.fetchEvents();
      this.viewers.forEach((viewer) => viewer(this.view));
    });
  },

  stop() {
    clearTimeout(this.timer);
    if (this.source) this.source.close();
    this.source = null;
  },

  /** Seconds since the latest view came. */
  age() {
    return this.viewAt === undefined ? 0 : (performance.now() - this.viewAt) / 1000;
  },

  /** Checks after a refused stream if the session ended or the server is full. */
  later() {
    this.timer = setTimeout(() => {
      if (!this.source) return;
      whoAmI().then((who) => {
        if (!this.source) return;
        if (who.user) this.start(); else window.dispatchEvent(new Event('session-over'));
      }, () => { if (this.source) this.later(); });
    }, 3000);
  },

  /** Another user may have logged in in another tab, or the server may have restarted with other accounts. */
  sameUser() {
    const { user, role } = session;
    whoAmI().then((who) => {
      if (user && (who.user !== user || who.role !== role)) window.dispatchEvent(new Event('session-over'));
    }, () => { /* the stream's own end will tell */ });
  },

  turn(streaming) {
    this.streaming = streaming;
    window.dispatchEvent(new Event('stream'));
  },

  /** One at a time, so that events come in their order. */
  async fetchEvents() {
    if (this.fetching) return;
    this.fetching = true;
    try {
      while (this.view.lastEvent > this.lastEvent) {
        const { events } = await get('events', { after: this.lastEvent });
        if (!events.length) break;
        this.lastEvent = events[events.length - 1].number;
        this.listeners.forEach((listener) => listener(events));
      }
    } catch { /* the banner says that the cluster does not answer; the next view has this tried again */ } finally {
      this.fetching = false;
    }
  },
};
