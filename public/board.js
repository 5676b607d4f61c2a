/**
 * What a hand does to the view of a board: zooms and pans it with fingers, wheel, keys and buttons, and sees in an
 * overview where it is.
 *
 * It knows nothing of games, and works before the WebAssembly is there and without it. The gestures are Panzoom's; this
 * says what they mean for a board. The markup comes from `src/ui/board/`, the buttons from its `tools.rs`.
 */
import "./panzoom-4.6.2.min.js";

/** How wide a square is in the units of the drawing, as in `geometry.rs`. */
const SQUARE = 10;

/** Points that lie closer on the screen than this (CSS pixels) are too close for a finger, which is then brought nearer. */
const TOO_CLOSE = 24;

/** How far apart points are brought for a finger, and how far at most. */
const COMFORTABLE = 30;
const CLOSEST = 80;

/** How far a press may stray before it is a pan. */
const STRAY = 8;

/** How long after its last turn a wheel still belongs to the board, in milliseconds. */
const SAME_TURN = 300;

const still = matchMedia("(prefers-reduced-motion: reduce)");
const dark = matchMedia("(prefers-color-scheme: dark)");

class View {
  /** The pointers that are down, with where they are now. */
  pointers = new Map();
  /** Where the first of them came down. */
  start = null;
  /** Whether what is going on is no press any more, but a pan or a pinch. */
  strayed = false;
  /** Whether the mouse has come to the board by itself; a page that scrolls may carry the board under it. */
  attended = false;
  /** When the wheel has last zoomed. */
  wheeled = -Infinity;
  overview = null;

  constructor(frame, buttons) {
    this.frame = frame;
    this.sheet = frame.querySelector(".board-sheet");
    this.board = frame.querySelector(".board");
    this.panzoom = Panzoom(this.sheet, {
      contain: "outside",
      minScale: 1,
      panOnlyWhenZoomed: true,
      overflow: "clip",
      // What the style sheet says is right.
      cursor: "",
      touchAction: "",
      // A press is also one on the board: it focuses it, and may place.
      handleStartEvent: () => {},
      // The same as Panzoom's own, but in this order what it zooms round stays in place also on the way.
      setTransform: (sheet, { scale, x, y }) => {
        sheet.style.transform = `translate(${x * scale}px, ${y * scale}px) scale(${scale})`;
      },
    });
    this.tools = frame.nextElementSibling;
    this.tools.replaceChildren(buttons);
    frame.classList.add("zoomable");
    this.listen();
    this.changed();
    new ResizeObserver(() => this.resized()).observe(frame);
  }

  listen() {
    const { frame, sheet } = this;
    sheet.addEventListener("panzoomchange", () => this.changed());
    // Before Panzoom hears of it, and the board.
    frame.addEventListener("pointerdown", (event) => this.down(event), true);
    frame.addEventListener("click", (event) => this.clicked(event), true);
    frame.addEventListener("pointermove", (event) => this.move(event));
    for (const name of ["pointerup", "pointercancel"]) {
      window.addEventListener(name, (event) => this.up(event));
    }
    // One finger scrolls the page while the whole board is seen. Two never do: the pinch is ours.
    for (const name of ["touchstart", "touchmove"]) {
      const pinch = (event) => event.touches.length > 1 && event.cancelable && event.preventDefault();
      frame.addEventListener(name, pinch, { passive: false });
    }
    frame.addEventListener("click", (event) => this.tapped(event));
    frame.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    window.addEventListener("scroll", () => (this.attended = false), { passive: true });
    frame.addEventListener("keydown", (event) => this.key(event));
    dark.addEventListener("change", () => this.overview?.drawLater());
    this.tools.addEventListener("click", (event) => this.tool(event.target.closest("button")?.name));
  }

  get scale() {
    return this.panzoom.getScale();
  }

  get isZoomed() {
    return this.scale > 1.01;
  }

  /** Whether the board lies turned on an upright phone, as in `Sheet::is_turned`. */
  get isTurned() {
    const { width, height } = this.board.viewBox.baseVal;
    return width > height && this.sheet.offsetWidth < this.sheet.offsetHeight;
  }

  /** How far apart the points are on the screen while the whole board is seen. */
  get pitch() {
    let { width, height } = this.board.viewBox.baseVal;
    if (this.isTurned) [width, height] = [height, width];
    return SQUARE * Math.min(this.sheet.offsetWidth / width, this.sheet.offsetHeight / height);
  }

  get closest() {
    return Math.max(1, CLOSEST / this.pitch);
  }

  resized() {
    this.panzoom.setOptions({ maxScale: this.closest });
    if (this.wasTurned !== this.isTurned) {
      this.wasTurned = this.isTurned;
      this.panzoom.reset({ animate: false });
    } else {
      const { x, y } = this.panzoom.getPan();
      this.panzoom.pan(x, y, { animate: false });
    }
    this.changed();
  }

  down(event) {
    if (event.isPrimary) {
      this.pointers.clear();
      this.strayed = false;
      this.start = event;
    }
    this.pointers.set(event.pointerId, event);
    if (this.pointers.size === 2) {
      this.strayed = true;
      // Panzoom adds to the scale as fingers part. In these steps it multiplies: what is under them stays there.
      const [one, other] = this.pointers.values();
      this.panzoom.setOptions({ step: (80 * this.scale) / Math.max(distance(one, other), 1) });
    }
  }

  move(event) {
    this.attended ||= event.movementX !== 0 || event.movementY !== 0;
    if (!this.pointers.has(event.pointerId)) return;
    this.pointers.set(event.pointerId, event);
    this.strayed ||= distance(event, this.start) > STRAY;
    this.frame.classList.toggle("panning", this.strayed && this.isZoomed);
  }

  up(event) {
    this.pointers.delete(event.pointerId);
    this.frame.classList.remove("panning");
  }

  /** A pan or a pinch may end like a click. It is none, and the board does not hear of it. */
  clicked(event) {
    if (this.strayed) {
      this.strayed = false;
      event.preventDefault();
      event.stopPropagation();
    }
  }

  /** A finger has aimed where points are too close for it: they are brought nearer, with the aim where it is. */
  tapped(event) {
    const finger = this.start?.pointerType === "touch";
    const here = { x: event.clientX, y: event.clientY };
    if (finger && this.isPlayed && this.pitch * this.scale < TOO_CLOSE) {
      this.show(here, here, COMFORTABLE / this.pitch);
    }
  }

  /** Whether a hand may place something here. */
  get isPlayed() {
    return this.board.getAttribute("role") === "application";
  }

  /**
   * The wheel zooms at the pointer, as on a map. It stays the page's while the page scrolls under a mouse at rest, and
   * where the board can be no larger or smaller.
   */
  wheel(event) {
    if (!this.attended && !event.ctrlKey) return;
    const same = event.timeStamp - this.wheeled < SAME_TURN;
    const pixels = event.deltaY * (event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? 1 : 30);
    // A pinch on a touchpad comes as small turns with the control key.
    const scale = this.allowed(this.scale * Math.exp(-pixels * (event.ctrlKey ? 0.01 : 0.002)));
    if (scale === this.scale && !same) return;
    event.preventDefault();
    this.wheeled = event.timeStamp;
    if (scale !== this.scale) {
      this.settle();
      this.panzoom.zoomToPoint(scale, event);
    }
  }

  key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const tool = { "+": "in", "=": "in", "-": "out", 0: "whole" }[event.key];
    if (tool) this.tool(tool);
    else requestAnimationFrame(() => this.follow());
  }

  /** Brings the cursor of the keys into view. */
  follow() {
    const cursor = this.board.querySelector(".cursor");
    if (!cursor || !this.isZoomed) return;
    const at = middle(cursor);
    const frame = this.frame.getBoundingClientRect();
    const margin = 1.5 * this.pitch * this.scale;
    const into = (spot, low, high) => Math.min(Math.max(spot, low + margin), Math.max(high - margin, low + margin));
    const to = { x: into(at.x, frame.left, frame.right), y: into(at.y, frame.top, frame.bottom) };
    if (to.x !== at.x || to.y !== at.y) this.show(at, to, this.scale, false);
  }

  tool(name) {
    const centre = middle(this.frame);
    if (name === "in" || name === "out") {
      const aimed = this.board.querySelector(".cursor, .ghost");
      const around = aimed ? middle(aimed) : centre;
      this.show(around, around, this.scale * (name === "in" ? 1.5 : 1 / 1.5));
    } else if (name === "whole") {
      this.settle();
      this.panzoom.reset({ animate: !still.matches });
    } else if (name === "last") {
      const last = this.board.querySelector(".last");
      if (last) this.show(middle(last), centre, Math.max(this.scale, COMFORTABLE / this.pitch));
    }
  }

  allowed(scale) {
    const bounded = Math.min(Math.max(scale, 1), this.closest);
    // The last bit of a way out is no step of its own.
    return bounded < 1.02 ? 1 : bounded;
  }

  /** Ends what is still gliding: Panzoom measures where things are, and they are to be where they go. */
  settle() {
    for (const gliding of this.sheet.getAnimations()) gliding.finish();
  }

  /** Brings what is at one spot of the screen to another, as near as the edges allow, in some scale. */
  show(from, to, wanted, animate = !still.matches) {
    this.settle();
    const [centre, scale, wide] = [middle(this.frame), this.scale, this.allowed(wanted)];
    const pan = this.panzoom.getPan();
    // Panzoom's pan is measured in the scale of the whole board, from its middle.
    const target = (axis) => (to[axis] - centre[axis]) / wide - (from[axis] - centre[axis]) / scale + pan[axis];
    const [x, y] = [target("x"), target("y")];
    if (wide === scale) {
      this.panzoom.pan(x, y, { animate, force: true });
    } else {
      // The focal point is the one that leads there: see `zoom` in Panzoom.
      const focal = (toward, now) => (wide * (toward - now)) / (1 / wide - 1 / scale);
      this.panzoom.zoom(wide, { animate, focal: { x: focal(x, pan.x), y: focal(y, pan.y) } });
    }
  }

  changed() {
    const { isZoomed, scale } = this;
    this.frame.classList.toggle("zoomed", isZoomed);
    const shut = { in: scale >= this.closest - 0.01, out: !isZoomed, whole: !isZoomed };
    for (const button of this.tools.querySelectorAll("button")) button.disabled = !!shut[button.name];
    if (isZoomed) {
      this.overview ??= new Overview(this);
      this.overview.show(this.panzoom.getPan(), scale);
    } else {
      this.overview?.remove();
      this.overview = null;
    }
  }
}

/**
 * The whole board, small, in a corner, and on it what is in view. It is a picture and no second board: a thousand more
 * elements would make every move as slow again.
 */
class Overview {
  constructor({ board, frame, sheet, isTurned, pitch }) {
    const [width, height] = [sheet.offsetWidth, sheet.offsetHeight];
    this.size = { width, height };
    this.marks = ["areas", "dots", "ring"].map((name) => board.querySelector(`:scope > .${name}`));
    this.element = made("div", "overview");
    this.element.setAttribute("aria-hidden", "true");
    this.canvas = made("canvas");
    this.window = made("div", "window");
    this.element.append(this.canvas, this.window);
    frame.append(this.element);

    const fine = (this.element.clientWidth / width) * devicePixelRatio;
    [this.canvas.width, this.canvas.height] = [width * fine, height * fine];
    const { x, y, width: long, height: short } = board.viewBox.baseVal;
    const unit = pitch / SQUARE;
    const [across, down] = isTurned ? [short, long] : [long, short];
    this.lying = new DOMMatrix()
      .scale(fine)
      .translate((width - across * unit) / 2, (height - down * unit) / 2)
      .multiply(isTurned ? new DOMMatrix([0, unit, -unit, 0, across * unit, 0]) : new DOMMatrix().scale(unit))
      .translate(-x, -y);
    this.draw();
    // Not in the frame that shows a move, but when there is nothing else to do.
    this.watch = new MutationObserver(() => this.drawLater());
    for (const marks of this.marks) this.watch.observe(marks, { childList: true });
    // Another theme or palette.
    this.watch.observe(document.documentElement, { attributes: true });
  }

  drawLater() {
    if (this.due) return;
    this.due = true;
    const idle = globalThis.requestIdleCallback ?? setTimeout;
    idle(() => {
      this.due = false;
      this.draw();
    });
  }

  draw() {
    const pen = this.canvas.getContext("2d");
    pen.resetTransform();
    pen.clearRect(0, 0, this.canvas.width, this.canvas.height);
    pen.setTransform(this.lying);
    // The style sheet lends both inks as colours of text.
    const [red, blue] = [this.element, this.canvas].map((lender) => getComputedStyle(lender).color);
    for (const mark of this.marks.flatMap((marks) => [...marks.children])) {
      pen.fillStyle = pen.strokeStyle = mark.classList.contains("red") ? red : blue;
      const path = mark.getAttribute("d") ?? mark.querySelector("path")?.getAttribute("d");
      if (path && mark.classList.contains("area")) {
        pen.globalAlpha = 0.25;
        pen.fill(new Path2D(path));
        continue;
      }
      if (path) {
        pen.globalAlpha = 1;
        pen.lineWidth = 3;
        pen.stroke(new Path2D(path));
        continue;
      }
      pen.globalAlpha = mark.classList.contains("dead") ? 0.5 : 1;
      pen.beginPath();
      // The last dot is ringed here by being larger.
      const radius = mark.classList.contains("last") ? 9 : 4;
      pen.arc(mark.getAttribute("cx"), mark.getAttribute("cy"), radius, 0, 2 * Math.PI);
      pen.fill();
    }
  }

  /** Marks what is in view, and stands in the corner that lies farthest from it. */
  show(pan, scale) {
    const { width, height } = this.size;
    const [across, down] = [0.5 - pan.x / width, 0.5 - pan.y / height];
    const percent = (share) => `${100 * share}%`;
    const { style } = this.window;
    style.left = percent(across - 0.5 / scale);
    style.top = percent(down - 0.5 / scale);
    style.width = style.height = percent(1 / scale);
    this.stand("at-left", across);
    this.stand("at-top", down);
  }

  /** Changes sides only once the view is clearly past the middle. */
  stand(side, along) {
    if (Math.abs(along - 0.5) > 0.05) this.element.classList.toggle(side, along > 0.5);
  }

  remove() {
    this.watch.disconnect();
    this.element.remove();
  }
}

function made(name, kind = "") {
  const element = document.createElement(name);
  element.className = kind;
  return element;
}

function middle(element) {
  const { left, top, width, height } = element.getBoundingClientRect();
  return { x: left + width / 2, y: top + height / 2 };
}

function distance(one, other) {
  return Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY);
}

const buttons = document.getElementById("board-tools").content;
for (const frame of document.querySelectorAll(".board-frame")) new View(frame, buttons.cloneNode(true));

// Sounds are fetched when the first is due. A browser lets none be heard before the visitor has touched the page.
for (const name of ["tick", "low"]) {
  document.addEventListener(`sound:${name}`, async () => {
    const wanted = document.documentElement.dataset.sound !== "off";
    if (wanted && navigator.userActivation?.hasBeenActive !== false) (await import("./sound.js"))[name]();
  });
}
