"use strict";
/*
 * Draw the runs of a page. Rows come in chunks of numbers, as lib/writers/html.c describes them. A
 * series (a column in a place) is decoded when it is first shown.
 */
(() => {
const find = (query, at = document) => at.querySelector(query);
const all = (query, at = document) => [...at.querySelectorAll(query)];

function make(name, attributes, ...inside) {
	const svg = /^(svg|g|path|rect|line|text|title)$/.test(name);
	const e = svg ? document.createElementNS("http://www.w3.org/2000/svg", name) : document.createElement(name);
	for (const key in attributes)
		if (typeof attributes[key] == "function")
			e.addEventListener(key, attributes[key]);
		else if (attributes[key] !== undefined)
			e.setAttribute(key, attributes[key]);
	e.append(...inside);
	return e;
}

/* --- Numbers ---------------------------------------------------------------------------------- */

/* Print 15 digits, as --format=json does. */
const exact = x => Number.isFinite(x) ? String(+x.toPrecision(15)) : "";
const brief = x => !Number.isFinite(x) ? "-" : Math.abs(x) >= 1e5 || Number.isInteger(x) ? x.toLocaleString("en", {maximumFractionDigits: 0}) :
	Math.abs(x) < 10 ? String(+x.toPrecision(3)) : x.toFixed(1);
const short = x => !(Math.abs(x) >= 1e4) ? brief(x) : x.toLocaleString("en", {
							   notation : "compact",
							   maximumSignificantDigits : 3
						   }).replace("B", "G");
/* Mark an unknown error with ?; without a mark a value is exact. */
const about = (e, run) => e > 0 ? " \u00b1 " + String(+e.toPrecision(2))
			  : run && run.errors && Number.isNaN(e) ? " \u00b1 ?"
								 : "";
/* A value has as many digits as its error, which has two; but only as many as are useful. */
const magnitude = x => x ? Math.floor(Math.log10(Math.abs(x))) : 0;
const both = (x, e, run) => {
	const nr = Math.max(0, Math.min(1 - magnitude(e), Math.max(3, 3 - magnitude(x)))), last = 10 ** -nr;
	return e > 0 && Number.isFinite(x) && nr < 12 ? x.toFixed(nr) + " \u00b1 " + Math.max(e, last).toFixed(nr) : brief(x) + about(e, run);
};
const seconds = s => s.toFixed(3) + " s";

function bytes(text) {
	const plain = atob(text), out = new Uint8Array(plain.length);
	for (let i = 0; i < plain.length; i++)
		out[i] = plain.charCodeAt(i);
	return new DataView(out.buffer);
}

function doubles(text) {
	const from = bytes(text), out = new Float64Array(from.byteLength / 8);
	for (let i = 0; i < out.length; i++)
		out[i] = from.getFloat64(8 * i, true);
	return out;
}

/* --- Data ------------------------------------------------------------------------------------- */

function load() {
	const runs = all("script.r").map(e => ({...JSON.parse(e.textContent), n: 0, chunks: [], codes: [["counted", ""]],
		changes: [], gaps: [], phases: [], cache: new Map()}));
	const names = (run, list) => (list || []).forEach(([i, ...code]) => run.codes[i] = code);
	for (const e of all("script.d")) {
		const c = JSON.parse(e.textContent), run = runs[c.r];
		c.at = run.n;
		run.n += c.n;
		run.chunks.push(c);
		names(run, c.w);
		for (const [series, row, code] of c.s || [])
			(run.changes[series] ||= []).push([c.at + row, code]);
		for (const [row, nr] of c.m || [])
			run.gaps.push([c.at + row, nr]);
	}
	for (const e of all("script.w")) {
		const w = JSON.parse(e.textContent), run = runs[w.r];
		run.phases = w.y || [];
		names(run, w.w);
		run.rows = w.rows || run.rows;
		if (w.v)
			run.whole = {l: w.l, v: doubles(w.v), e: bytes(w.e), p: bytes(w.p), s: bytes(w.s)};
	}
	runs.forEach(lay);
	return runs;
}

/* Collect the times of rows; the total of a run without intervals is its only row. */
function lay(run) {
	const n = run.n || (run.whole ? 1 : 0);
	run.end = new Float64Array(n);
	run.length = new Float64Array(n);
	for (const c of run.chunks) {
		run.end.set(doubles(c.t), c.at);
		run.length.set(doubles(c.l), c.at);
	}
	if (!run.n && n)
		run.end[0] = run.length[0] = run.whole.l || 1e9;
	run.rowsAreIntervals = run.n > 0;
	run.n = n;
	for (let i = 0; i < n; i++) {
		run.end[i] /= 1e9;
		run.length[i] /= 1e9;
	}
	run.start = i => run.end[i] - run.length[i];
}

const skipped = (list, series) => (list || []).reduce((nr, [from, n]) => nr + Math.max(0, Math.min(n, series - from)), 0);
const isIn = (list, series) => (list || []).some(([from, n]) => series >= from && series < from + n);

/* Decode the values of a series, their errors, and bytes: % of the time, plus 128 if over its threshold. */
function series(run, s) {
	let out = run.cache.get(s);
	if (out)
		return out;
	out = {
		v : new Float64Array(run.n).fill(NaN),
		e : new Float32Array(run.n).fill(run.errors ? 0 : NaN),
		p : new Uint8Array(run.n).fill(100)
	};
	for (const c of run.chunks) {
		if (isIn(c.a, s))
			continue;
		if (isIn(c.z, s)) {
			out.v.fill(0, c.at, c.at + c.n);
			continue;
		}
		const from = (s - skipped(c.a, s) - skipped(c.z, s)) * c.n;
		c.values ||= bytes(c.v);
		c.errors ||= c.e && bytes(c.e);
		c.shares ||= c.p && bytes(c.p);
		for (let i = 0; i < c.n; i++) {
			out.v[c.at + i] = c.values.getFloat64(8 * (from + i), true);
			if (c.e)
				out.e[c.at + i] = c.errors.getFloat32(4 * (from + i), true);
			if (c.p)
				out.p[c.at + i] = c.shares.getUint8(from + i);
		}
	}
	if (!run.rowsAreIntervals)
		[out.v[0], out.e[0], out.p[0]] = [run.whole.v[s], run.whole.e.getFloat32(4 * s, true), run.whole.p.getUint8(s)];
	run.cache.set(s, out);
	return out;
}

/* Return the status of a value, and the reason. */
function status(run, s, row) {
	let code = 0;
	if (!run.rowsAreIntervals)
		code = run.whole.s.getUint8(s);
	for (const [from, is] of run.changes[s] || []) {
		if (from > row)
			break;
		code = is;
	}
	return run.codes[code] || ["", ""];
}

/* Sum up a series in rows from a to b; without rows, in the whole run. */
function sum(run, s, range) {
	const {v, e, p} = series(run, s);
	if (!range && run.whole && run.rowsAreIntervals)
		return {v: run.whole.v[s], e: run.whole.e.getFloat32(4 * s, true), over: run.whole.p.getUint8(s) > 127, share: run.whole.p.getUint8(s) & 127,
			status: run.codes[run.whole.s.getUint8(s)]};
	const [a, b] = range || [0, run.n - 1];
	if (a == b)
		return {v: v[a], e: e[a], over: p[a] > 127, share: p[a] & 127, status: status(run, s, a)};
	let total = 0, time = 0, over = 0, nr = 0;
	for (let i = a; i <= b; i++)
		if (Number.isFinite(v[i])) {
			total += v[i] * run.length[i];
			time += run.length[i];
			over += p[i] > 127;
			nr++;
		}
	return {
		v : total / time,
		e : 0,
		over : 2 * over > nr,
		share : 127,
		status : nr ? [ "counted", "" ] : status(run, s, a)
	};
}

/* Make a bucket for each pixel in which a row begins: mean, minimum, maximum and largest error. */
function thin(run, s, [from, to], width) {
	const {v, e} = series(run, s), t0 = run.start(from), scale = width / (run.end[to] - t0), out = [];
	let b, last = -1;
	for (let i = from; i <= to; i++) {
		const pixel = Math.floor((run.start(i) - t0) * scale);
		if (pixel != last) {
			last = pixel;
			b = {x: (run.start(i) - t0) * scale, to: 0, total: 0, time: 0, min: Infinity, max: -Infinity, error: 0};
			out.push(b);
		}
		b.to = (run.end[i] - t0) * scale;
		if (Number.isFinite(v[i])) {
			b.total += v[i] * run.length[i];
			b.time += run.length[i];
			b.min = Math.min(b.min, v[i]);
			b.max = Math.max(b.max, v[i]);
			if (e[i] > b.error)
				b.error = e[i];
		}
	}
	for (const b of out)
		b.mean = b.time ? b.total / b.time : NaN;
	return out;
}

/* --- Places ----------------------------------------------------------------------------------- */

/* A place is a row of the grid, in a cgroup, on a type of core. */
function places(run) {
	const out = [], kinds = new Map();
	const there = s => run.rowsAreIntervals ? !run.chunks.every(c => isIn(c.a, s)) : status(run, s, 0)[0] != "absent";
	for (const c of run.columns)
		kinds.set(c.g + " " + (c.c || ""), {g: c.g, core: c.c || ""});
	const cores = new Set([...kinds.values()].filter(k => k.core).map(k => k.g));
	run.rows.forEach((name, row) => kinds.forEach(({g, core}) => {
		if (!core && cores.has(g))
			return;
		const columns = run.columns.map((c, i) => i).filter(i => run.columns[i].g == g && (run.columns[i].c || core) == core && there(i * run.rows.length + row));
		if (columns.length)
			out.push({row, columns, name: [name, run.cgroups[g], core].filter(x => x).join(" ") || "all"});
	}));
	return out;
}

const kinds = ["retiring", "frontend", "bad_spec", "backend"];
function colour(name, i) {
	const kind = kinds.findIndex(k => name.includes(k));
	return "b" + (kind >= 0 ? kind : 4 + i % 4);
}

/* --- A run ------------------------------------------------------------------------------------ */

const PAD = 42, HIGH = 150, FOOT = 20, LINE = 18, MOST = 64;

function show(run, section) {
	const live = find(".live", section), spots = places(run);
	if (!run.n || !spots.length)
		return;
	all(".still", section).forEach(e => e.hidden = true);
	let spot = spots.find(s => Number.isFinite(
				      sum(run, s.columns[0] * run.rows.length + s.row).v)) ||
		   spots[0],
	    view = [ 0, run.n - 1 ], range = null, hover = null, anchor = null, first = 0,
	    width = 900;
	const at = (column, where = spot) => column * run.rows.length + where.row;
	const tree = () => spot.columns.filter(i => run.columns[i].l > 0);
	const order = i => {
		const kind = kinds.findIndex(k => run.columns[i].n.includes(k));
		return kind < 0 ? 9 : kind;
	};
	const tops = () => tree().filter(i => !tree().includes(run.columns[i].a))
				   .sort((a, b) => order(a) - order(b));
	const unit = i => run.columns[i].u ? " " + run.columns[i].u : "";
	/* Find where most is lost: the largest node over its threshold, and so on below it; or the largest loss. */
	const worst = () => {
		const list = tops().filter(i => order(i) % 9);
		let found;
		for (let most = list; most.length; most = tree().filter(i => run.columns[i].a == found)) {
			const next = most.map(i => ({i, is: sum(run, at(i))})).filter(n => n.is.over && n.is.v > 0).sort((a, b) => b.is.v - a.is.v)[0];
			if (!next)
				break;
			found = next.i;
		}
		return found ?? list.sort((a, b) => (sum(run, at(b)).v || 0) - (sum(run, at(a)).v || 0))[0] ?? tops()[0] ?? spot.columns[0];
	};
	const plain = i => run.columns[i].q ? run.columns[i].q + " (" + run.columns[i].n + ")" : run.columns[i].n;
	let metric = worst();

	/* --- The frame --- */

	const select = (label, options, pick) => {
		const s = make("select", {"aria-label": label, change: () => pick(+s.value)});
		options.forEach(([value, text]) => s.append(make("option", {value}, text)));
		return s;
	};
	const button = (text, click) => make("button", {type: "button", click}, text);
	const where = select("Place", spots.map((s, i) => [i, s.name]), i => choose(spots[i]));
	const which = select("Metric or event", [], i => { metric = i; draw(); });
	const zoom = button("Zoom to range", () => { if (range) { view = range; draw(); } });
	const whole = button("Show all", () => { view = [0, run.n - 1]; range = null; draw(); });
	const slider = name => make("div", {class: name, tabindex: 0, role: "slider", "aria-label": "Interval", "aria-valuemin": 1, "aria-valuemax": run.n, keydown: key});
	const time = slider("time"), line = slider("line");
	const say = make("p", {class: "say", "aria-live": "polite"});
	const stacked = make("h3", {}, "Slots over time, in %"), boxes = make("p", {class: "hint"}, "Each box is as wide as its share of the slots. Red frame and !: over its threshold. Point at a box to read all of it."), noun = run.by == "cpu" ? "CPU" : run.by || "place";
	const heading = make("h3"), icicle = make("div", {class: "icicle"}), many = make("div", {});
	const values = make("div", {class: "wide"}), copied = make("span", {role: "status"});
	const back = button("Earlier", () => {
		first -= 50;
		table();
	}), on = button("Later", () => {
		    first += 50;
		    table();
	    });
	live.append(
		make("div", {class : "bar"}, ...(spots.length > 1 ? [make("label", {}, noun + ": ", where)] : []), ...(run.rowsAreIntervals ? [zoom, whole,
		     make("span", {class : "hint"},
			  "Point or use arrow keys: an interval. Drag or Shift+arrows: a range. Enter zooms, Escape goes back.")] : [])),
		stacked, time, say, icicle, boxes, heading,
		make("div", {class : "bar"}, make("label", {}, "Metric or event: ", which)), line, many);
	find(".values", section)
		.append(make("h3", {}, "All values"),
			make("div", {class : "bar"}, back, on, button("Copy as CSV", copy), copied),
			values);

	function choose(next) {
		const name = run.columns[metric].n;
		spot = next;
		where.value = spots.indexOf(spot);
		metric = spot.columns.find(i => run.columns[i].n == name) ?? worst();
		names();
		draw();
	}

	function names() {
		which.replaceChildren(...spot.columns.map(i => make("option", {value: i}, "\u00a0".repeat(2 * Math.max(0, run.columns[i].l - 1)) + run.columns[i].n + unit(i))));
	}

	/* --- Time --- */

	const x = t => PAD + (t - run.start(view[0])) / (run.end[view[1]] - run.start(view[0])) * (width - PAD);

	function rowAt(event, e) {
		const box = e.getBoundingClientRect(), t0 = run.start(view[0]);
		const t = t0 + ((event.clientX - box.left) / box.width * width - PAD) / (width - PAD) * (run.end[view[1]] - t0);
		let a = view[0], b = view[1];
		while (a < b) {
			const middle = a + b >> 1;
			run.end[middle] < t ? a = middle + 1 : b = middle;
		}
		return a;
	}

	const svg = (high, label, ...inside) => make("svg", {viewBox: `0 0 ${width} ${high}`, role: "img", "aria-label": label}, ...inside);

	function frame(high, most) {
		const out = [], [t0, t1] = [run.start(view[0]), run.end[view[1]]], nr = Math.max(2, Math.min(6, Math.floor(width / 170)));
		for (let i = 0; i <= 4; i += 2) {
			const y = 8 + (high - 8) * (1 - i / 4);
			out.push(
				make("line",
				     {x1 : PAD, x2 : width, y1 : y, y2 : y, class : "axis"}),
				make("text",
				     {x : PAD - 4, y : y + 4, "text-anchor" : "end", class : "dim"},
				     short(most * i / 4)));
		}
		for (let i = 0; i <= nr; i++)
			out.push(make("text", {x: PAD + i * (width - PAD) / nr, y: high + 15, "text-anchor": i ? i == nr ? "end" : "middle" : "start", class: "dim"},
				(t0 + (t1 - t0) * i / nr).toFixed(t1 - t0 < 10 ? 2 : 0) + " s"));
		return out;
	}

	const steps = (points, high, low, height) => {
		let d = "", open = [];
		const close = () => {
			if (open.length)
				d += "M" + open.map(b => `${(PAD + b.x).toFixed(1)} ${height(high(b))}H${(PAD + b.to).toFixed(1)}`).join("L") + "L" +
					open.reverse().map(b => `${(PAD + b.to).toFixed(1)} ${height(low(b))}H${(PAD + b.x).toFixed(1)}`).join("L") + "Z";
			open = [];
		};
		for (const b of points)
			Number.isFinite(high(b)) && Number.isFinite(low(b)) ? open.push(b) : close();
		close();
		return d;
	};

	function marks(high) {
		const g = make("g", {class: "marks"}), shown = hover ?? range;
		const put = (from, to, text) => {
			const left = Math.max(PAD, x(from)), right = Math.min(width, x(to));
			if (left < right)
				g.append(make("line", {x1: left, x2: left, y1: 0, y2: high, class: "phase"}),
					make("text", {x: left + 3, y: 20}, clip(right - left - 4, text, text.split(" ")[0])));
		};
		for (const p of run.phases)
			if (p.row == spot.row && p.cgroup == run.columns[spot.columns[0]].g && spot.columns.some(i => (run.columns[i].c || "") == p.core))
				p.phases.forEach(([from, to, name], i) => put(from / 1e9, to / 1e9, i + 1 + " " + (name.replace("tma_", "") || "nothing over")));
		const cut = range && [Math.max(range[0], view[0]), Math.min(range[1], view[1])];
		if (cut && cut[0] <= cut[1])
			g.append(make("rect", {x: x(run.start(cut[0])), width: Math.max(1, x(run.end[cut[1]]) - x(run.start(cut[0]))), y: 0, height: high, class: "range"}));
		if (shown && shown[0] == shown[1] && shown[0] >= view[0] && shown[1] <= view[1]) {
			const middle = x((run.start(shown[0]) + run.end[shown[0]]) / 2);
			g.append(make("line", {x1: middle, x2: middle, y1: 0, y2: high, class: "cursor"}));
		}
		return g;
	}

	/* --- Pictures --- */

	function stack() {
		const bands = tops(), height = y => (8 + (HIGH - 8) * (1 - Math.min(100, Math.max(0, y)) / 100)).toFixed(1);
		const points = bands.map(i => thin(run, at(i), view, width - PAD)), below = (points[0] || []).map(() => 0), drawn = [];
		bands.forEach((i, nr) => {
			const these = points[nr].map((b, n) => ({x: b.x, to: b.to, low: below[n], high: below[n] += b.mean}));
			drawn.push(make("path", {class: colour(run.columns[i].n, nr), d: steps(these, b => b.high, b => b.low, height)}));
		});
		const picture = svg(HIGH + FOOT, "Shares of the first level over time", ...frame(HIGH, 100), ...drawn, marks(HIGH));
		time.replaceChildren(picture, make("p", {}, ...bands.map((i, nr) => make("span", {class: "key"}, make("i", {class: colour(run.columns[i].n, nr)}), plain(i)))));
		pointer(picture);
	}

	function curve() {
		const points = thin(run, at(metric), view, width - PAD), reach = points.map(b => b.max + b.error).filter(Number.isFinite);
		const most = Math.max(...reach, 0) || 1, height = y => (8 + (HIGH - 8) * (1 - Math.max(0, y) / most)).toFixed(1);
		const d = points.map((b, i) => Number.isFinite(b.mean) ? (i && Number.isFinite(points[i - 1].mean) ? "L" : "M") + `${(PAD + b.x).toFixed(1)} ${height(b.mean)}H${(PAD + b.to).toFixed(1)}` : "").join("");
		const picture = svg(
			HIGH + FOOT, run.columns[metric].n + " over time",
			...frame(HIGH, most),
			make("path",
			     {class : "band", d : steps(points, b => b.max, b => b.min, height)}),
			make("path", {
				class : "error",
				d : steps(points, b => b.error ? b.mean + b.error : NaN,
					  b => b.mean - b.error, height)
			}),
			make("path", {class : "curve", d}), marks(HIGH));
		heading.textContent = plain(metric) + " over time" + (unit(metric) && ", in" + unit(metric));
		line.replaceChildren(picture);
		pointer(picture);
		which.value = metric;
	}

	function layers() {
		const nodes = tree(), out = [], shown = hover ?? range, high = 24, depth = Math.max(...nodes.map(i => run.columns[i].l));
		const children = i => nodes.filter(n => run.columns[n].a == i);
		const put = (list, left, room, level, kind) => list.forEach((i, nr) => {
			const is = sum(run, at(i), shown), c = run.columns[i], class_ = kind ?? colour(c.n, nr);
			const share = Math.max(0, Math.min(room, is.v || 0)),
			      wide = share * width / 100, from = left * width / 100,
			      mark = is.over ? "! " : "", short_ = c.n.replace("tma_", ""),
			      text = `${c.n} ${both(is.v, is.e, run)}${unit(i)}`;
			const words = (c.q ? c.q + ": " : "") + text + (is.over ? ", over its threshold" : "") + (is.share < 100 ? `, counted ${is.share} % of the time` : "") + (is.status[0] != "counted" ? `, ${is.status.filter(x => x).join(": ")}` : "");
			if (wide >= .5)
				out.push(make("g", {click: () => { metric = i; run.rowsAreIntervals && curve(); several(); }}, make("title", {}, words),
					make("rect", {x: from, y: level * high + 1, width: wide, height: high - 2, class: `node ${class_}${is.over ? " over" : level ? " under" : ""}`}),
					make("text", {x: from + 4, y: level * high + 16}, clip(wide - 8, mark + text, mark + short_ + " " + brief(is.v), mark + short_, mark + (c.q ?? short_)))));
			put(children(i), left, share, level + 1, class_);
			left += share;
			room -= share;
		});
		put(tops(), 0, 100, 0);
		const picture = svg(nodes.length ? depth * high : 1, "The tree, each part as wide as its share of the slots", ...out);
		boxes.hidden = !nodes.length;
		icicle.replaceChildren(...(nodes.length ? [picture] : []));
	}

	/* Choose the first text that fits; tooltips and the tables have the others. */
	const clip = (wide, ...texts) => texts.find(text => text.length * 7.2 < wide) ?? "";

	/* Draw the selected metric in all places: a heat map, with lines for the MOST places with the largest values. */
	function several() {
		const flat = !run.rowsAreIntervals, cut = (text, most) => text.length > most ? text.slice(0, most - 2) + "\u2026" : text;
		const name = run.columns[metric].n, cells = Math.min(160, Math.floor(width / 5)),
		      SIDE = Math.min(width / 2, 70 + 7.5 * Math.max(...spots.map(s => s.name.length))), wide = width - SIDE;
		let list = spots.map(s => ({s, i : s.columns.find(i => run.columns[i].n == name)}))
				   .filter(p => p.i !== undefined);
		if (list.length < 2)
			return many.replaceChildren();
		for (const p of list)
			p.sum = sum(run, at(p.i, p.s), view).v;
		const nr = list.length;
		if (nr > MOST)
			list = list.filter(p => p.sum).sort((a, b) => b.sum - a.sum).slice(0, MOST);
		for (const p of list)
			p.points = thin(run, at(p.i, p.s), view, cells)
					   .filter(b => Number.isFinite(b.mean));
		const most = Math.max(...list.flatMap(p => p.points.map(b => b.mean)), 0) || 1;
		const title =
			`${plain(metric)} by ${noun}, ` + (flat ? "in" + (unit(metric) || " numbers") : `from 0 (faint) to ${short(most)}${unit(metric)}`) +
			(list.length < nr ? `: the ${list.length} of ${nr} with most` : "");
		many.replaceChildren(
			make("h3", {}, title),
			svg(list.length * LINE, title,
			    ...list.map((p, n) => make(
						"g", {
							click : () => choose(p.s),
							class : p.s == spot ? "here" : ""
						},
						make("title", {},
						     `${p.s.name}: ${brief(p.sum)}${unit(p.i)}`),
						make("text", {x : 0, y : n * LINE + LINE - 5},
						     cut(`${short(p.sum)}  ${p.s.name}`, SIDE / 7.5)),
						...p.points.map(
							b => make("rect", {
								x : SIDE + b.x * wide / cells,
								width : Math.max(.5, flat ? wide * b.mean / most : (b.to - b.x) * wide / cells),
								y : n * LINE,
								height : LINE - 1,
								class : "heat",
								"fill-opacity" : flat ? 1 : (.05 + .95 * Math.max(0, b.mean) / most).toFixed(2)
							}))))));
	}

	/* --- Texts --- */

	function tell() {
		const shown = hover ?? range, [a, b] = shown ?? [0, run.n - 1], gap = shown && a == b && run.gaps.find(([row]) => row == a);
		const span = !run.rowsAreIntervals ? "Whole run, " + seconds(run.end[0])
			     : a == b ? `Interval ${a + 1} of ${run.n}, to ${seconds(run.end[a])}`
				      : `${shown ? "Mean of intervals" : "Whole run: intervals"} ${
						a + 1} to ${b + 1}, ${seconds(run.start(a))} to ${
						seconds(run.end[b])}`;
		const tops_ = tops().length ? tops() : [metric];
		const text = `${span}${gap ? ` (${gap[1]} rows were left out before it)` : ""}: ` + tops_.map(i => {
			const is = sum(run, at(i), shown);
			return `${run.columns[i].n} ${both(is.v, is.e, run)}${unit(i)}${
				Number.isFinite(is.v) ? ""
						      : " " + is.status.filter(x => x).join(": ")}`;
		}).join(", ");
		say.textContent = text;
		for (const e of [time, line]) {
			e.setAttribute("aria-valuenow", b + 1);
			e.setAttribute("aria-valuetext", text);
		}
	}

	const shownRows = () => range && range[0] != range[1] ? range : view;

	function table() {
		const [from, to] = shownRows(), nr = to - from + 1;
		first = Math.max(0, Math.min(first, nr - 1 - (nr - 1) % 50));
		back.disabled = !first;
		on.disabled = first + 50 >= nr;
		back.hidden = on.hidden = nr <= 50;
		const head = make("tr", {}, ...["time / s", "length / s", ...spot.columns.map(i => run.columns[i].n + (run.columns[i].u ? " / " + run.columns[i].u : ""))].map(t => make("th", {scope: "col"}, t)));
		const body = [];
		for (let row = from + first; row <= Math.min(to, from + first + 49); row++)
			body.push(make("tr", {}, make("th", {scope: "row"}, run.end[row].toFixed(9)), make("td", {}, run.length[row].toFixed(9)), ...spot.columns.map(i => {
				const {v, e} = series(run, at(i)), [is, why] = Number.isFinite(v[row]) ? ["", exact(v[row])] : status(run, at(i), row);
				return make("td", {title: why}, is == "absent" ? "" : is || both(v[row], e[row], run));
			})));
		values.replaceChildren(
			make("table", {},
			     make("caption", {class : "text"},
				  `${spot.name}: rows ${from + first + 1} to ${
					  Math.min(to, from + first + 49) + 1} of ${run.n}`),
			     make("thead", {}, head), make("tbody", {}, ...body)));
	}

	function csv() {
		const [from, to] = shownRows(), quote = t => /[",\n]/.test(t) ? '"' + t.replaceAll('"', '""') + '"' : t;
		const columns = spot.columns.map(i => ({...series(run, at(i)), name: run.columns[i].n + (run.columns[i].u ? ` (${run.columns[i].u})` : "")})), lines = [];
		for (const c of columns)
			c.off = c.e.some(Number.isFinite);
		lines.push(["time", "length", ...columns.flatMap(c => c.off ? [c.name, c.name + " error"] : [c.name])].map(quote).join(","));
		for (let row = from; row <= to; row++)
			lines.push([run.end[row].toFixed(9), run.length[row].toFixed(9), ...columns.flatMap(c => c.off ? [exact(c.v[row]), exact(c.e[row])] : [exact(c.v[row])])].join(","));
		return lines.join("\n") + "\n";
	}

	async function copy() {
		const text = csv(), area = make("textarea", {}, text);
		try {
			await navigator.clipboard.writeText(text);
		} catch {
			document.body.append(area);
			area.select();
			document.execCommand("copy");
			area.remove();
		}
		copied.textContent = `${text.split("\n").length - 2} rows are on the clipboard.`;
	}

	/* --- Input --- */

	let due = false;
	function later() {
		if (!due)
			requestAnimationFrame(() => { due = false; light(); });
		due = true;
	}

	/* Draw only the marks that follow the pointer again. */
	function light() {
		all(".marks", live).forEach(g => g.replaceWith(marks(HIGH)));
		layers();
		tell();
		zoom.disabled = !range || range[0] == range[1];
	}

	function pointer(picture) {
		picture.addEventListener("pointermove", event => {
			const row = rowAt(event, picture);
			if (anchor !== null)
				range = [Math.min(anchor, row), Math.max(anchor, row)];
			hover = anchor === null ? [row, row] : null;
			later();
		});
		picture.addEventListener("pointerdown", event => {
			anchor = rowAt(event, picture);
			range = [anchor, anchor];
			hover = null;
			picture.setPointerCapture(event.pointerId);
			later();
		});
		picture.addEventListener("pointerup", () => { anchor = null; first = 0; later(); table(); });
		picture.addEventListener("pointerleave", () => { hover = null; later(); });
		picture.addEventListener("dblclick", () => { view = [0, run.n - 1]; range = null; draw(); });
	}

	let fixed = 0, moved = 0;
	function key(event) {
		const step = {ArrowLeft: -1, ArrowRight: 1, ArrowDown: -1, ArrowUp: 1, PageDown: Math.ceil((view[1] - view[0]) / 10), PageUp: -Math.ceil((view[1] - view[0]) / 10), Home: -run.n, End: run.n}[event.key];
		if (step) {
			if (!range)
				moved = fixed = step > 0 ? view[0] - 1 : view[1] + 1;
			else if (!event.shiftKey && range[0] == range[1])
				moved = fixed = range[0];
			moved = Math.max(view[0], Math.min(view[1], moved + step));
			if (!event.shiftKey || fixed < view[0] || fixed > view[1])
				fixed = moved;
			range = [Math.min(fixed, moved), Math.max(fixed, moved)];
		} else if (event.key == "Enter" && range && range[0] != range[1]) {
			view = range;
		} else if (event.key == "Escape") {
			range ? range = null : view = [0, run.n - 1];
		} else {
			return;
		}
		event.preventDefault();
		hover = null;
		first = 0;
		step ? (light(), table()) : draw();
	}

	function draw() {
		width = Math.max(300, Math.round(live.clientWidth) || 900);
		const flat = !run.rowsAreIntervals;
		time.hidden = !tops().length || flat;
		line.hidden = heading.hidden = which.closest(".bar").hidden = flat;
		stacked.hidden = time.hidden;
		if (!time.hidden)
			stack();
		if (!flat)
			curve();
		several();
		table();
		light();
	}

	names();
	where.value = spots.indexOf(spot);
	draw();
	new ResizeObserver(() => { if (Math.abs(live.clientWidth - width) > 4) draw(); }).observe(live);
	return {run, csv, places: spots, series: i => series(run, i), choose};
}

/* --- Tables that sort --------------------------------------------------------------------------- */

/* A heading sorts by its column: texts from A at first, numbers from the largest; empty fields are last. */
function sortable(table) {
	const heads = [...table.tHead.rows[0].cells], body = table.tBodies[0], lines = [...body.rows];
	heads.forEach((th, i) => th.replaceChildren(make("button", {type: "button", click: () => {
		const words = th.className == "text", was = th.getAttribute("aria-sort"), up = was ? was == "descending" : words;
		const key = ({cells: {[i]: c}}) => words ? c.textContent : parseFloat(c.dataset.v ?? c.textContent);
		const none = k => k === "" || k !== k;
		heads.forEach(c => c.removeAttribute("aria-sort"));
		th.setAttribute("aria-sort", up ? "ascending" : "descending");
		lines.sort((a, b) => {
			const [x, y] = [key(a), key(b)];
			return none(x) - none(y) || (words ? x.localeCompare(y, "en", {numeric: true}) : none(x) ? 0 : x - y) * (up ? 1 : -1);
		});
		body.append(...lines);
	}}, ...th.childNodes)));
}
all("table.sort").forEach(sortable);

const runs = load();
document.title = "tma: " + (runs[0] ? runs[0].what : "nothing");
const shown = runs.map(run => show(run, find(`[data-run="${run.run}"]`)));
document.documentElement.dataset.ready = shown.length;
window.tma = shown;
})();
