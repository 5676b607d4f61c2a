/** The server is up and says so. */
import { expect, test } from "./fixtures";

test("the server is up, and its database too", async ({ request }) => {
  expect((await request.get("/healthz")).status()).toBe(200);
  expect((await request.get("/readyz")).status()).toBe(200);
});
