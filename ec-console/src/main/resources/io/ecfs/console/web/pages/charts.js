// Charts: a thin layer over ECharts that draws in the page's colours. Tooltips are drawn in the canvas, never as HTML.
import * as echarts from '/lib/echarts.esm.min.js';
import { el } from '/ui.js';

const all = new Set();

function color(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}

/** Colours of series that mean neither good nor bad; those that do name a tone: good, warn or bad. */
export const palette = () => [color('accent'), '#8e6bd8', '#2f9e9e', '#c06c9b', color('soft'), '#b0793a'];

/** A chart with a label for screen readers. set(option) draws; destroy() frees it. */
export function chart(label, className = 'chart') {
  const node = el('div', { class: className, role: 'img', 'aria-label': label });
  let drawn = null;
  let gone = false;
  const handle = {
    node,
    set(option) {
      if (gone) return;
      if (!drawn) {
        if (!node.isConnected) return;
        drawn = echarts.init(node, null, { renderer: 'canvas' });
      }
      drawn.setOption(base(option), { notMerge: true, lazyUpdate: true });
    },
    on(event, listener) { if (drawn) { drawn.off(event); drawn.on(event, listener); } },
    resize() { if (drawn && !gone) drawn.resize(); },
    destroy() { gone = true; if (drawn) drawn.dispose(); all.delete(handle); },
  };
  all.add(handle);
  return handle;
}

const SVG = 'http://www.w3.org/2000/svg';
const SHAPES = new Set(['svg', 'title', 'text', 'line', 'rect', 'circle', 'polygon', 'polyline']);
const DRAWING = new Set(['role', 'aria-label', 'viewBox', 'width', 'height', 'font-size', 'x', 'y', 'x1', 'x2', 'y1', 'y2', 'cx', 'cy', 'r', 'points',
  'fill', 'fill-opacity', 'stroke', 'stroke-width', 'stroke-opacity', 'text-anchor']);

/** A picture that the server drew, made anew of shapes and text alone: nothing else of it gets into the page. */
export function picture(svg) {
  const copy = (from) => {
    if (from.nodeType === Node.TEXT_NODE) return document.createTextNode(from.data);
    if (from.namespaceURI !== SVG || !SHAPES.has(from.localName)) return '';
    const to = document.createElementNS(SVG, from.localName);
    for (const { name, value } of from.attributes) if (DRAWING.has(name)) to.setAttribute(name, value);
    to.append(...[...from.childNodes].map(copy));
    return to;
  };
  return el('div', { class: 'picture' }, copy(new DOMParser().parseFromString(svg, 'text/html').querySelector('svg')));
}

window.addEventListener('resize', () => all.forEach((handle) => handle.resize()));

function base(option) {
  const text = color('text');
  const soft = color('soft');
  const line = color('line');
  const axis = (a) => ({ axisLine: { lineStyle: { color: line } }, splitLine: { lineStyle: { color: line } }, ...a, axisLabel: { color: soft, hideOverlap: true, ...a?.axisLabel }, nameTextStyle: { color: soft } });
  return {
    animation: false,
    color: palette(),
    textStyle: { color: text },
    grid: { left: 8, right: 16, top: 34, bottom: 8, containLabel: true },
    ...option,
    legend: option.legend ? { textStyle: { color: text }, top: 0, type: 'scroll', ...option.legend } : undefined,
    tooltip: { renderMode: 'richText', confine: true, backgroundColor: color('panel'), borderColor: line, textStyle: { color: text }, ...option.tooltip },
    xAxis: option.xAxis ? [].concat(option.xAxis).map(axis) : undefined,
    yAxis: option.yAxis ? [].concat(option.yAxis).map(axis) : undefined,
  };
}

/** An axis of bytes from 0 whose marks are round in KiB, MiB and so on. */
export function byteAxis(values, format) {
  const MARKS = 5;
  const top = Math.max(1, ...values.filter((value) => value !== null && value !== undefined));
  const interval = Math.max(1, 2 ** Math.ceil(Math.log2(top / MARKS)));
  return { type: 'value', min: 0, max: interval * Math.ceil(top / interval), interval, axisLabel: { formatter: format } };
}

/** Lines over time: series = [{name, data: [[millis, number]…], tone}]; a tone is good, warn or bad. */
export function lines(series, format, extra = {}) {
  return {
    legend: {},
    tooltip: { trigger: 'axis', valueFormatter: (value) => (value === null || value === undefined ? '–' : format(value)) },
    xAxis: { type: 'time' },
    yAxis: { type: 'value', min: 0, minInterval: 1, axisLabel: { formatter: format } },
    series: series.map(({ tone, ...one }) => ({ type: 'line', showSymbol: false, lineStyle: { width: 2 }, ...(tone ? { color: color(tone) } : {}), ...one })),
    ...extra,
  };
}

/** Points of a series of GET /history, with a gap where samples are missing. */
export function points(history, name) {
  const values = history.series[name] ?? [];
  const step = Math.min(...history.at.slice(1).map((at, i) => at - history.at[i]));
  return history.at.flatMap((at, i) => [...(i > 0 && at - history.at[i - 1] > 3 * step ? [[at - 1, null]] : []), [at, values[i] ?? null]]);
}

export { color };
