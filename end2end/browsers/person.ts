/** The page object of a player in a browser that Playwright does not drive. Elements are located by role and name. */
import { randomBytes } from "node:crypto";
import { expect } from "@playwright/test";
import type { Driver } from "./driver";

type Point = { x: number; y: number };

export class Person {
  readonly name = `carol-${randomBytes(4).toString("hex")}`;

  constructor(
    private readonly origin: string,
    private readonly driver: Driver,
  ) {}

  async register(): Promise<void> {
    await this.driver.goto(`${this.origin}/register`);
    await this.hydrated();
    await this.fill("Name", this.name);
    await this.fill("Password", "a long enough password");
    await this.press("button", "Register");
    await this.isAt(/\/play/);
  }

  /** Waits for a page of this address whose islands are hydrated. */
  async isAt(path: RegExp): Promise<void> {
    await poll(() => this.path(), "the address").toMatch(path);
    await this.hydrated();
  }

  async path(): Promise<string> {
    return this.driver.evaluate(() => location.pathname);
  }

  private async hydrated(): Promise<void> {
    const isHydrated = () => this.driver.evaluate(() => document.documentElement.hasAttribute("data-hydrated"));
    await poll(isHydrated, "the page is hydrated").toBe(true);
  }

  async fill(label: string, text: string): Promise<void> {
    await this.focus("input", label);
    await this.driver.type(text);
  }

  /** Waits for an element and presses it with the key: where it stands may change while others come and go. */
  async press(role: "button" | "summary", name: string): Promise<void> {
    await this.focus(role, name);
    await this.driver.type("\n");
  }

  private async focus(role: "button" | "input" | "summary", name: string): Promise<void> {
    await poll(() => this.driver.evaluate(focus, role, name), `${role} "${name}" has the focus`).toBe(true);
  }

  /** Waits for a text anywhere on the page. */
  async sees(text: string): Promise<void> {
    await poll(() => this.driver.evaluate(() => document.body.innerText), `the text of the page`).toContain(text);
  }

  /** Waits until this many moves are listed. */
  async seesMoves(count: number): Promise<void> {
    const listed = () => this.driver.evaluate(() => document.querySelectorAll(".moves li").length);
    await poll(listed, "the moves listed").toBe(count);
  }

  /** Waits until this score is shown for red. */
  async seesRedPoints(points: string): Promise<void> {
    const shown = () => this.driver.evaluate(() => document.querySelector(".seat.red .points")?.textContent ?? "");
    await poll(shown, "the points of red").toContain(points);
  }

  /** Waits for the text that a preview draws on the board. */
  async seesOnBoard(text: string): Promise<void> {
    const drawn = () => this.driver.evaluate(() => document.querySelector("svg.board")?.textContent ?? "");
    await poll(drawn, "what is drawn on the board").toContain(text);
  }

  async hover(x: number, y: number): Promise<void> {
    const at = await this.driver.evaluate(pointOf, x, y);
    await this.driver.moveTo(at.x, at.y);
  }

  async place(x: number, y: number): Promise<void> {
    const at = await this.driver.evaluate(pointOf, x, y);
    await this.driver.click(at.x, at.y);
  }
}

/** Asks again and again. While one page replaces another there is none to ask: the failure is an answer like others. */
function poll<Answer>(ask: () => Promise<Answer>, subject: string) {
  return expect.poll(() => ask().catch(String), subject);
}

/** Focuses a visible element, if it can have the focus. Runs in the page. */
function focus(role: string, name: string): boolean {
  const nameOf = (element: Element) => {
    const label = role === "input" ? (element as HTMLInputElement).labels?.[0] : element;
    return (element.getAttribute("aria-label") ?? (label as HTMLElement | undefined)?.innerText ?? "").trim();
  };
  const found = [...document.querySelectorAll<HTMLElement>(role)].find((element) => {
    const { width, height } = element.getBoundingClientRect();
    return width > 0 && height > 0 && nameOf(element) === name;
  });
  found?.focus();
  return !!found && document.activeElement === found;
}

/** Returns the place of a board's point in the viewport. Runs in the page. */
function pointOf(x: number, y: number): Point {
  const board = document.querySelector("svg.board") as SVGSVGElement;
  const at = new DOMPoint(10 * x, 10 * y).matrixTransform(board.getScreenCTM()!);
  return { x: at.x, y: at.y };
}
