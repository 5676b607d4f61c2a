// @ts-check
/** A board in miniature, in a corner of its frame while it is zoomed in, with a rectangle round the part in view. */

/**
 * What the overview needs of the board's `View`.
 *
 * @typedef {{
 *   board: SVGSVGElement, frame: HTMLElement, sheet: HTMLElement, isTurned: boolean, pitch: number,
 *   scale: number, pan: { x: number, y: number },
 * }} View
 */

/** The side of a square in SVG units, as in `geometry.rs`. */
const SQUARE = 10;

/** It is a canvas and not a copy of the SVG: a thousand more elements would double the time that a move takes. */
export class Overview {
  isDrawScheduled = false;

  /** @param {View} view */
  constructor({ board, frame, sheet, isTurned, pitch }) {
    const [width, height] = [sheet.offsetWidth, sheet.offsetHeight];
    this.size = { width, height };
    this.groups = ["areas", "dots", "ring"].map((name) => /** @type {Element} */ (board.querySelector(`:scope > .${name}`)));
    this.element = create("div", "overview");
    this.element.setAttribute("aria-hidden", "true");
    this.canvas = create("canvas", "");
    this.viewport = create("div", "window");
    this.element.append(this.canvas, this.viewport);
    frame.append(this.element);

    const resolution = (this.element.clientWidth / width) * devicePixelRatio;
    [this.canvas.width, this.canvas.height] = [width * resolution, height * resolution];
    const { x, y, width: long, height: short } = board.viewBox.baseVal;
    const unit = pitch / SQUARE;
    const [across, down] = isTurned ? [short, long] : [long, short];
    /** The transform from SVG units to pixels of the canvas. */
    this.transform = new DOMMatrix()
      .scale(resolution)
      .translate((width - across * unit) / 2, (height - down * unit) / 2)
      .multiply(isTurned ? new DOMMatrix([0, unit, -unit, 0, across * unit, 0]) : new DOMMatrix().scale(unit))
      .translate(-x, -y);
    this.draw();
    this.observer = new MutationObserver(() => this.scheduleDraw());
    for (const group of this.groups) this.observer.observe(group, { childList: true });
    // The theme and the palette.
    this.observer.observe(document.documentElement, { attributes: true });
  }

  /** Draws when the browser is idle, so that a move on the board itself is shown first. */
  scheduleDraw() {
    if (this.isDrawScheduled) return;
    this.isDrawScheduled = true;
    // Safari has no idle callbacks.
    const schedule = globalThis.requestIdleCallback ?? setTimeout;
    schedule(() => {
      this.isDrawScheduled = false;
      this.draw();
    });
  }

  draw() {
    const context = /** @type {CanvasRenderingContext2D} */ (this.canvas.getContext("2d"));
    context.resetTransform();
    context.clearRect(0, 0, this.canvas.width, this.canvas.height);
    context.setTransform(this.transform);
    // The style sheet sets the colours of the players as text colours of these two elements.
    const [red, blue] = [this.element, this.canvas].map((element) => getComputedStyle(element).color);
    for (const mark of this.groups.flatMap((group) => [...group.children])) {
      context.fillStyle = context.strokeStyle = mark.classList.contains("red") ? red : blue;
      const path = mark.getAttribute("d") ?? mark.querySelector("path")?.getAttribute("d");
      if (path && mark.classList.contains("area")) {
        context.globalAlpha = 0.25;
        context.fill(new Path2D(path));
        continue;
      }
      if (path) {
        context.globalAlpha = 1;
        context.lineWidth = 3;
        context.stroke(new Path2D(path));
        continue;
      }
      context.globalAlpha = mark.classList.contains("dead") ? 0.5 : 1;
      context.beginPath();
      // The last move is marked by a larger dot.
      const radius = mark.classList.contains("last") ? 9 : 4;
      context.arc(Number(mark.getAttribute("cx")), Number(mark.getAttribute("cy")), radius, 0, 2 * Math.PI);
      context.fill();
    }
  }

  /**
   * Marks the part in view, and moves to the corner that is farthest from it.
   *
   * @param {View} view
   */
  show({ pan, scale }) {
    const { width, height } = this.size;
    const [across, down] = [0.5 - pan.x / width, 0.5 - pan.y / height];
    /** @param {number} share */
    const percent = (share) => `${100 * share}%`;
    const { style } = this.viewport;
    style.left = percent(across - 0.5 / scale);
    style.top = percent(down - 0.5 / scale);
    style.width = style.height = percent(1 / scale);
    this.place("at-left", across);
    this.place("at-top", down);
  }

  /**
   * Changes sides only once the view is clearly past the middle.
   *
   * @param {string} side
   * @param {number} position From 0 to 1.
   */
  place(side, position) {
    if (Math.abs(position - 0.5) > 0.05) this.element.classList.toggle(side, position > 0.5);
  }

  remove() {
    this.observer.disconnect();
    this.element.remove();
  }
}

/**
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {string} classes
 */
function create(tag, classes) {
  const element = document.createElement(tag);
  element.className = classes;
  return element;
}
