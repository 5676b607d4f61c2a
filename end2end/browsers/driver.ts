/** The interface to a browser that is not driven by Playwright. */
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

/** A browser window. */
export interface Driver {
  goto(url: string): Promise<void>;
  /** Calls a function in the page; arguments and result are JSON. */
  evaluate<Result, Args extends unknown[]>(call: (...args: Args) => Result, ...args: Args): Promise<Result>;
  /** Moves the mouse to a point of the viewport, in CSS pixels. */
  moveTo(x: number, y: number): Promise<void>;
  /** Clicks at a point of the viewport. */
  click(x: number, y: number): Promise<void>;
  /** Types into the focused element. */
  type(text: string): Promise<void>;
  close(): Promise<void>;
}

/** The size of every window, in CSS pixels. */
export const WINDOW = { width: 1280, height: 900 };

/** The first installed program of these names or paths. */
export function installed(...programs: string[]): string | undefined {
  const folders = (process.env.PATH ?? "").split(delimiter);
  return programs
    .flatMap((program) => (program.startsWith("/") ? [program] : folders.map((folder) => join(folder, program))))
    .find(existsSync);
}
