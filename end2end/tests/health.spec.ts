/** The health checks of the server. */
import { expect, test } from "./fixtures";

test("the server and its database are healthy", async ({ request }) => {
  expect((await request.get("/healthz")).status()).toBe(200);
  expect((await request.get("/readyz")).status()).toBe(200);
});
