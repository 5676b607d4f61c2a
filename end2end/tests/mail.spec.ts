/** Mail: an address is confirmed by the link of a mail, and gives a new password to who has forgotten the old one. */
import { expect, expectAccessible, test } from "./fixtures";
import { OwnServer } from "./own_server";
import { SmtpServer, type Mail } from "./smtp_server";

/** The path of the link to this page that a mail has. */
function link({ text }: Mail, origin: string, page: string): string {
  const found = text.split(/\s/).find((word) => word.startsWith(`${origin}${page}?token=`));
  expect(found, text).toBeDefined();
  return found!;
}

test("an address is confirmed by a mail, and a forgotten password is set anew by another", async ({ alice }) => {
  const smtp = await SmtpServer.start();
  const server = await OwnServer.start((origin) => ({ SMTP_URL: smtp.url, PUBLIC_ORIGIN: origin }));
  const { origin } = server;
  try {
    const { page } = alice;
    const address = `${alice.name}@example.org`;
    await alice.account(origin);
    await page.goto(`${origin}/account`);
    await alice.waitForHydration();
    const mail = page.getByRole("region", { name: "Email", exact: true });
    await mail.getByLabel("Email address").fill(address);
    await mail.getByLabel("Password").fill(alice.password);
    await mail.getByRole("button", { name: "Save address" }).click();
    await expect(mail.getByText(`Open the link we sent to ${address}.`)).toBeVisible();
    await expectAccessible(page);

    const confirmation = await smtp.next();
    expect(confirmation).toMatchObject({ to: [address], subject: "Confirm your email address" });
    // To open a link changes nothing: programs that look at mails do so, too.
    const confirm = link(confirmation, origin, "/mail/confirm");
    await page.goto(confirm);
    await page.goto(confirm);
    await page.getByRole("button", { name: "Confirm address" }).click();
    await expect(page.getByText("Your address is confirmed.")).toBeVisible();
    await page.goto(`${origin}/account`);
    await expect(mail.getByText(`Your address: ${address}`)).toBeVisible();
    await expectAccessible(page);

    // Signed out, without the password.
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.goto(`${origin}/recover`);
    await alice.waitForHydration();
    const reset = page.getByRole("form", { name: "Reset by email" });
    await reset.getByLabel("Name").fill(alice.name);
    await reset.getByRole("button", { name: "Send link" }).click();
    await expect(page.getByText("If the account has an address, a link is on its way.")).toBeVisible();
    const fresh = "a brand new horse";
    await page.goto(link(await smtp.next(), origin, "/mail/reset"));
    await page.getByLabel("New password").fill(fresh);
    await page.getByRole("button", { name: "Set password" }).click();
    const sign = async (password: string) => {
      const form = { name: alice.name, password };
      return (await page.request.post(`${origin}/api/login`, { form })).status();
    };
    await expect(page).not.toHaveURL(/\/mail\/reset/);
    expect(await sign(alice.password)).not.toBe(200);
    expect(await sign(fresh)).toBe(200);
  } finally {
    await server.stop();
    smtp.stop();
  }
});
