// @ts-check
/**
 * On the page of a match by correspondence: what it says about vacations and nights, which the server words, follows the vacations of
 * the players.
 */
let vacationsSeen = 0;

document.addEventListener("vacation_changed", async () => {
  vacationsSeen += 1;
  const seen = vacationsSeen;
  const response = await fetch(location.href).catch(() => null);
  const html = response?.ok ? await response.text().catch(() => null) : null;
  // Of two changes the later answer alone is known to have both. After a failure the next page says it.
  if (!html || seen !== vacationsSeen) return;
  const lines = new DOMParser().parseFromString(html, "text/html").getElementById("time-lines");
  document.getElementById("time-lines")?.replaceChildren(...(lines?.childNodes ?? []));
});
