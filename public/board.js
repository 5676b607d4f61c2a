// @ts-check
/**
 * Zooms and pans a board with touch, wheel, keys and buttons, and shows an overview while it is zoomed in.
 *
 * The script does not depend on the game, and works before and without the WebAssembly. The markup is rendered by
 * `crates/pages/src/ui/board_view/`, the buttons by its `tools.rs`.
 */

/** @typedef {{ x: number, y: number }} Point A point of the viewport, in CSS pixels. */

/**
 * How a board stands in its frame: enlarged round the centre, and moved from there, in CSS pixels at scale 1.
 *
 * @typedef {{ scale: number, pan: Point }} Place
 */

/** The side of a square in SVG units, as in `geometry.rs`. */
const SQUARE = 10;

/** A tap zooms in where points are closer on the screen than this, in CSS pixels. */
const MIN_TOUCH_PITCH = 24;

/** The distance of points, in CSS pixels, after zooming in for a tap, and at the largest scale. */
const TOUCH_PITCH = 30;
const MAX_PITCH = 80;

/** The distance that a pointer may move, in CSS pixels, before a press becomes a pan. */
const DRAG_THRESHOLD = 8;

/** The time after the last zoom in which the wheel does not scroll the page. */
const WHEEL_TIMEOUT_MS = 300;

/** A second tap so soon, and so near, is meant to zoom, as everywhere else on a phone: it places nothing. */
const DOUBLE_TAP_MS = 300;
const DOUBLE_TAP_DISTANCE = 24;

/** The largest coordinates, in CSS pixels. */
const MAX_TICK = 14;

const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");
const darkTheme = matchMedia("(prefers-color-scheme: dark)");

class View {
  /** How much the board is enlarged. */
  scale = 1;
  /** @type {Point} */
  pan = { x: 0, y: 0 };
  /** The pointers that are down, each with its last event. @type {Map<number, PointerEvent>} */
  pointers = new Map();
  /** The event with which the first of them came down. @type {PointerEvent | null} */
  start = null;
  /**
   * The fingers, or the mouse, when the last of them came down or went up, and the place of the board then.
   *
   * @type {Place & { at: Point, spread: number } | null}
   */
  grip = null;
  /** Whether the current gesture is a pan or a pinch, and no longer a press. */
  isDragging = false;
  /** Whether the mouse has moved on the board. A page that scrolls can carry the board under a mouse that rests. */
  isMouseActive = false;
  /** The time stamp of the last wheel event that zoomed. */
  lastWheelAt = -Infinity;
  /** Whether the board was turned when its size was last observed. @type {boolean | undefined} */
  wasTurned;
  /** @type {import("./board_overview.js").Overview | null} */
  overview = null;
  /** The last tap. @type {MouseEvent | null} */
  lastTap = null;
  /** Whether it was on the place that the tap before had marked. */
  isAtAim = false;
  /** Moves the hint of `tap_hint.js` with the board. */
  moveHint = () => {};

  /**
   * @param {HTMLElement} frame
   * @param {Node} buttons
   */
  constructor(frame, buttons) {
    this.frame = frame;
    this.sheet = /** @type {HTMLElement} */ (frame.querySelector(".board-sheet"));
    this.board = /** @type {SVGSVGElement} */ (frame.querySelector(".board"));
    this.tools = /** @type {HTMLElement} */ (frame.nextElementSibling);
    this.tools.replaceChildren(buttons);
    frame.classList.add("zoomable");
    this.listen();
    this.changed();
    new ResizeObserver(() => this.resized()).observe(frame);
    this.focusAtStart();
  }

  /**
   * Focuses the board of a game that its player has opened, unless they are somewhere already: it says what it is and which keys
   * it has. It is outlined from the first key on.
   */
  focusAtStart() {
    const game = this.frame.closest(".table:not(.replay)");
    if (!this.isPlayable || !game?.querySelector(".actions") || document.activeElement !== document.body || location.hash) return;
    this.frame.classList.add("unmarked");
    this.board.focus({ preventScroll: true });
  }

  listen() {
    const { frame } = this;
    // In the capture phase, before the listeners of the board.
    frame.addEventListener("pointerdown", (event) => this.down(event), true);
    frame.addEventListener("click", (event) => this.clicked(event), true);
    frame.addEventListener("pointermove", (event) => this.move(event));
    // A mouse that pans may leave the frame.
    window.addEventListener("pointermove", (event) => this.drag(event), { passive: true });
    for (const name of /** @type {const} */ (["pointerup", "pointercancel"])) {
      window.addEventListener(name, (event) => this.up(event));
    }
    // One finger scrolls the page while the whole board is visible. Two fingers always zoom the board, never the page.
    for (const name of /** @type {const} */ (["touchstart", "touchmove"])) {
      const pinch = (/** @type {TouchEvent} */ event) =>
        event.touches.length > 1 && event.cancelable && event.preventDefault();
      frame.addEventListener(name, pinch, { passive: false });
    }
    frame.addEventListener("click", (event) => this.tapped(event));
    frame.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    window.addEventListener("scroll", () => (this.isMouseActive = false), { passive: true });
    frame.addEventListener("keydown", (event) => this.key(event));
    darkTheme.addEventListener("change", () => this.overview?.scheduleDraw());
    this.tools.addEventListener("click", ({ target }) => {
      this.runTool(/** @type {Element} */ (target).closest("button")?.name);
    });
  }

  get isZoomed() {
    return this.scale > 1.01;
  }

  /** Whether the board is rotated by 90 degrees, on a phone in portrait mode, as in `BoardSize::is_turned`. */
  get isTurned() {
    const { width, height } = this.board.viewBox.baseVal;
    return width > height && this.sheet.offsetWidth < this.sheet.offsetHeight;
  }

  /** The distance of neighbouring points in CSS pixels at scale 1. */
  get pitch() {
    let { width, height } = this.board.viewBox.baseVal;
    if (this.isTurned) [width, height] = [height, width];
    return SQUARE * Math.min(this.sheet.offsetWidth / width, this.sheet.offsetHeight / height);
  }

  get maxScale() {
    return Math.max(1, MAX_PITCH / this.pitch);
  }

  resized() {
    this.board.style.setProperty("--tick", `${(MAX_TICK * SQUARE) / this.pitch}px`);
    if (this.wasTurned !== this.isTurned) {
      this.wasTurned = this.isTurned;
      this.place(1, this.pan, false);
    } else {
      this.place(this.clamped(this.scale), this.pan, false);
    }
  }

  /**
   * Enlarges the board and moves it, as far as it still fills its frame.
   *
   * @param {number} scale
   * @param {Point} pan
   * @param {boolean} animate
   */
  place(scale, pan, animate) {
    /** @param {number} position @param {number} size */
    const bounded = (position, size) => {
      const limit = (size / 2) * (1 - 1 / scale);
      return Math.min(Math.max(position, -limit), limit);
    };
    const { style, offsetWidth, offsetHeight } = this.sheet;
    const [x, y] = [bounded(pan.x, offsetWidth), bounded(pan.y, offsetHeight)];
    this.scale = scale;
    this.pan = { x, y };
    style.transition = animate ? "transform 200ms ease-in-out" : "none";
    // In this order the point that stays in place also does so during the animation.
    style.transform = `translate(${x * scale}px, ${y * scale}px) scale(${scale})`;
    this.changed();
  }

  /** @param {PointerEvent} event */
  down(event) {
    if (event.isPrimary) {
      this.pointers.clear();
      this.isDragging = false;
      this.start = event;
    }
    this.pointers.set(event.pointerId, event);
    if (this.pointers.size === 2) this.isDragging = true;
    this.takeGrip();
  }

  takeGrip() {
    this.finishAnimations();
    const { scale, pan } = this;
    this.grip = this.pointers.size > 0 ? { ...this.held(), scale, pan } : null;
  }

  /** The point between the pointers that are down, and the distance of two. */
  held() {
    const [one, other = one] = [...this.pointers.values()];
    const at = { x: (one.clientX + other.clientX) / 2, y: (one.clientY + other.clientY) / 2 };
    return { at, spread: distance(one, other) };
  }

  /** Pans a zoomed board with one pointer, and zooms with two, so that each finger stays on its point of the board.
   * @param {PointerEvent} event */
  drag(event) {
    const { grip } = this;
    if (!grip || !this.pointers.has(event.pointerId)) return;
    // The mouse was released where the page does not hear of it.
    if (event.pointerType === "mouse" && event.buttons === 0) return this.up(event);
    this.pointers.set(event.pointerId, event);
    const { at, spread } = this.held();
    if (this.pointers.size > 1) this.show(grip.at, at, (grip.scale * spread) / Math.max(grip.spread, 1), false, grip);
    else if (this.isZoomed) this.show(grip.at, at, grip.scale, false, grip);
  }

  /** @param {PointerEvent} event */
  move(event) {
    this.isMouseActive ||= event.movementX !== 0 || event.movementY !== 0;
    if (!this.start || !this.pointers.has(event.pointerId)) return;
    this.isDragging ||= distance(event, this.start) > DRAG_THRESHOLD;
    this.frame.classList.toggle("panning", this.isDragging && this.isZoomed);
  }

  /** @param {PointerEvent} event */
  up(event) {
    if (!this.pointers.delete(event.pointerId)) return;
    this.takeGrip();
    this.frame.classList.remove("panning");
  }

  /** Suppresses the click that a browser sends at the end of a pan or a pinch, and the second one of a double tap.
   * @param {MouseEvent} event */
  clicked(event) {
    const [before, aim] = [this.lastTap, this.aim];
    this.isAtAim = !!aim && Math.hypot(centreOf(aim).x - event.clientX, centreOf(aim).y - event.clientY) < this.pitch * this.scale;
    this.lastTap = this.isTouch ? event : null;
    // A press that `early_press.js` repeats counts no presses, and is not the second of anything.
    const isDouble =
      event.detail > 0 &&
      before &&
      this.lastTap &&
      event.timeStamp - before.timeStamp < DOUBLE_TAP_MS &&
      distance(event, before) < DOUBLE_TAP_DISTANCE;
    if (!this.isDragging && !isDouble) return;
    event.preventDefault();
    event.stopPropagation();
    if (!this.isDragging && isDouble) {
      const isLargest = this.scale >= this.maxScale - 0.01;
      if (isLargest) this.runTool("whole");
      else this.show(here(event), here(event), Math.max(2 * this.scale, TOUCH_PITCH / this.pitch));
    }
    this.isDragging = false;
  }

  get isTouch() {
    return this.start?.pointerType === "touch";
  }

  /** Zooms in round a tap where points are too close for a finger, and says what the next tap does. @param {MouseEvent} event */
  tapped(event) {
    if (!this.isTouch || !this.isPlayable) return;
    if (this.pitch * this.scale < MIN_TOUCH_PITCH) this.show(here(event), here(event), TOUCH_PITCH / this.pitch);
    // By then the aim is drawn, or has become a move.
    requestAnimationFrame(async () => {
      const { hint = "", again } = template.dataset;
      /** @type {typeof import("./tap_hint.js")} */ (await import(hint)).show(this, again);
    });
  }

  /** The mark at the place of the next move. */
  get aim() {
    return this.board.querySelector(".ghost");
  }

  /** Whether moves can be made on this board. */
  get isPlayable() {
    return this.board.getAttribute("role") === "application";
  }

  /**
   * Zooms round the pointer, as on a map. The wheel scrolls the page while the mouse has not moved on the board, and at
   * the smallest and the largest scale.
   *
   * @param {WheelEvent} event
   */
  wheel(event) {
    if (!this.isMouseActive && !event.ctrlKey) return;
    const isSameTurn = event.timeStamp - this.lastWheelAt < WHEEL_TIMEOUT_MS;
    const pixels = event.deltaY * (event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? 1 : 30);
    // A pinch on a touchpad arrives as wheel events with small deltas and the control key.
    const scale = this.clamped(this.scale * Math.exp(-pixels * (event.ctrlKey ? 0.01 : 0.002)));
    if (scale === this.scale && !isSameTurn) return;
    event.preventDefault();
    this.lastWheelAt = event.timeStamp;
    this.show(here(event), here(event), scale, false);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    /** @type {Record<string, string>} */
    const tools = { "+": "in", "=": "in", "-": "out", 0: "whole" };
    const tool = tools[event.key];
    if (tool) this.runTool(tool);
    else requestAnimationFrame(() => this.followCursor());
  }

  /** Pans so that the keyboard cursor is in view. */
  followCursor() {
    const cursor = this.board.querySelector(".cursor");
    if (!cursor || !this.isZoomed) return;
    const at = centreOf(cursor);
    const frame = this.frame.getBoundingClientRect();
    const margin = 1.5 * this.pitch * this.scale;
    /** @type {(position: number, low: number, high: number) => number} */
    const inside = (position, low, high) => Math.min(Math.max(position, low + margin), Math.max(high - margin, low + margin));
    const to = { x: inside(at.x, frame.left, frame.right), y: inside(at.y, frame.top, frame.bottom) };
    if (to.x !== at.x || to.y !== at.y) this.show(at, to, this.scale, false);
  }

  /** @param {string | undefined} name The name of a button of `tools.rs`. */
  runTool(name) {
    const centre = centreOf(this.frame);
    if (name === "in" || name === "out") {
      const preview = this.board.querySelector(".cursor, .ghost");
      const focal = preview ? centreOf(preview) : centre;
      this.show(focal, focal, this.scale * (name === "in" ? 1.5 : 1 / 1.5));
    } else if (name === "whole") {
      this.place(1, this.pan, !reducedMotion.matches);
    } else if (name === "last") {
      const last = this.board.querySelector(".last");
      if (last) this.show(centreOf(last), centre, Math.max(this.scale, TOUCH_PITCH / this.pitch));
    }
  }

  /** @param {number} scale */
  clamped(scale) {
    const bounded = Math.min(Math.max(scale, 1), this.maxScale);
    // So close to 1, the board is meant to be whole.
    return bounded < 1.02 ? 1 : bounded;
  }

  /** Jumps to the end of running animations, because elements are measured where they will be. */
  finishAnimations() {
    for (const animation of this.sheet.getAnimations()) animation.finish();
  }

  /**
   * Moves what is at `from` to `to`, as far as the edges of the board allow, and zooms to `wanted`.
   *
   * @param {Point} from
   * @param {Point} to
   * @param {number} wanted
   * @param {boolean} animate
   * @param {Place} now The place in which the board has the point at `from`.
   */
  show(from, to, wanted, animate = !reducedMotion.matches, now = this) {
    this.finishAnimations();
    const [centre, next] = [centreOf(this.frame), this.clamped(wanted)];
    /** @param {"x" | "y"} axis */
    const target = (axis) => (to[axis] - centre[axis]) / next - (from[axis] - centre[axis]) / now.scale + now.pan[axis];
    this.place(next, { x: target("x"), y: target("y") }, animate);
  }

  changed() {
    const { isZoomed, scale } = this;
    this.moveHint();
    this.frame.classList.toggle("zoomed", isZoomed);
    /** @type {Record<string, boolean>} */
    const disabled = { in: scale >= this.maxScale - 0.01, out: !isZoomed, whole: !isZoomed };
    for (const button of this.tools.querySelectorAll("button")) button.disabled = !!disabled[button.name];
    if (isZoomed) {
      this.showOverview();
    } else {
      this.overview?.remove();
      this.overview = null;
    }
  }

  async showOverview() {
    /** @type {typeof import("./board_overview.js") | null} */
    const script = await import(template.dataset.overview ?? "").catch(() => null);
    if (!script || !this.isZoomed) return;
    this.overview ??= new script.Overview(this);
    this.overview.show(this);
  }
}

/** @param {Element} element @returns {Point} */
function centreOf(element) {
  const { left, top, width, height } = element.getBoundingClientRect();
  return { x: left + width / 2, y: top + height / 2 };
}

/** @param {MouseEvent} event @returns {Point} */
const here = (event) => ({ x: event.clientX, y: event.clientY });

/** @param {MouseEvent} one @param {MouseEvent} other */
function distance(one, other) {
  return Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY);
}

const template = /** @type {HTMLTemplateElement} */ (document.getElementById("board-tools"));
/** The frames that have their tools. @type {WeakSet<Element>} */
const equipped = new WeakSet();
const frames = /** @type {HTMLCollectionOf<HTMLElement>} */ (document.getElementsByClassName("board-frame"));

function equip() {
  for (const frame of frames) {
    if (equipped.has(frame)) continue;
    equipped.add(frame);
    new View(frame, template.content.cloneNode(true));
  }
}
equip();
// The boards of the computer and of analysis appear when their code has run, which may be before or after this script.
new MutationObserver(equip).observe(document.body, { childList: true, subtree: true });

document.addEventListener("keydown", ({ key, code, target, ctrlKey, metaKey, altKey }) => {
  document.querySelector(".unmarked")?.classList.remove("unmarked");
  const isTyping = /** @type {Element} */ (target).closest("input, textarea, select, dialog");
  if (key === "?" && !isTyping) import("./board_keys.js").then((keys) => keys.show(template.dataset.close));
  // The key N leads to the next game on turn. In a layout without Latin letters it is the place of the key.
  if (/^n$/i.test(/[^ -~]/.test(key) ? code.slice(3) : key) && !isTyping && !ctrlKey && !metaKey && !altKey) document.getElementById("next-game")?.click();
});

// The sounds are loaded when the first one is needed. Browsers play none before the first user gesture.
for (const name of /** @type {const} */ (["tick", "low", "call"])) {
  document.addEventListener(`sound:${name}`, async () => {
    const isOn = document.documentElement.dataset.sound !== "off";
    if (isOn && navigator.userActivation?.hasBeenActive !== false) (await import("./sound.js"))[name]();
  });
}

// A request of the opponent is noticed in another tab, too.
document.addEventListener("asked", async (event) => {
  const { detail } = /** @type {CustomEvent<string>} */ (event);
  (await import("./asked.js")).show(detail);
});

export {};
