// @ts-check
/**
 * Keeps the analyses to which links of this page lead, where their addresses have no room for all of them, in the storage of
 * this tab. `crates/pages/src/ui/analysis/address.rs` reads them; without them its page says that something is missing.
 */
for (const link of /** @type {NodeListOf<HTMLAnchorElement>} */ (document.querySelectorAll("a[data-study]"))) {
  try {
    sessionStorage.setItem(`study-${link.dataset.kept}`, link.dataset.study ?? "");
  } catch {
    // The browser keeps nothing, or no more.
  }
}
