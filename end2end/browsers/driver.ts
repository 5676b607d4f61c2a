/** The interface to a browser that is not driven by Playwright. */

/** A browser window. */
export interface Driver {
  goto(url: string): Promise<void>;
  /** Calls a function in the page; arguments and result are JSON. */
  evaluate<Result, Args extends unknown[]>(call: (...args: Args) => Result, ...args: Args): Promise<Result>;
  /** Moves the mouse to a point of the viewport, in CSS pixels. */
  moveTo(x: number, y: number): Promise<void>;
  /** Clicks at a point of the viewport. */
  click(x: number, y: number): Promise<void>;
  /** Types into the focused element; a line feed is the Enter key. */
  type(text: string): Promise<void>;
  close(): Promise<void>;
}

/** The size of every window, in CSS pixels. */
export const WINDOW = { width: 1280, height: 900 };
