// @ts-check
/**
 * Passkeys: signing in with one, by a button (`#passkey-sign-in`) or from what a browser offers for the name field, and adding
 * one to the account (`#add-passkey`). Browsers and the server exchange the JSON of WebAuthn. It is read and
 * written here, because not every browser does.
 */

/** A refusal of the server, by its code. */
class Refused extends Error {}

/** @param {string} text @returns {Uint8Array<ArrayBuffer>} */
const decode = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (char) => char.charCodeAt(0));

/** @param {ArrayBuffer | null | undefined} buffer */
const encode = (buffer) =>
  buffer && btoa(String.fromCharCode(...new Uint8Array(buffer))).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");

/** @param {string} address @param {object} fields @param {AbortSignal} [signal] */
const post = async (address, fields, signal) => {
  const { ok, answer } = await send(address, new Blob([JSON.stringify(fields)], { type: "application/json" }), signal);
  signal?.throwIfAborted();
  if (!ok) throw new Refused(answer?.code ?? "other");
  return answer;
};

/** The answer of an authenticator. @param {any} credential */
const written = ({ id, rawId, type, authenticatorAttachment, response }) => ({
  id,
  rawId: encode(rawId),
  type,
  authenticatorAttachment,
  clientExtensionResults: {},
  response: {
    clientDataJSON: encode(response.clientDataJSON),
    attestationObject: encode(response.attestationObject),
    transports: response.attestationObject && (response.getTransports?.() ?? []),
    authenticatorData: response.signature && encode(response.authenticatorData),
    signature: encode(response.signature),
    userHandle: encode(response.userHandle),
  },
});

/** @param {HTMLFormElement} form @param {{ mediation?: "conditional", signal?: AbortSignal }} [how] */
const signIn = async (form, how = {}) => {
  const options = await post(form.action, {}, how.signal);
  const publicKey = { ...options, challenge: decode(options.challenge), allowCredentials: [] };
  const credential = written(await navigator.credentials.get({ publicKey, ...how }));
  try {
    await post("/api/passkey_finish_sign_in", { credential });
  } catch (error) {
    // So that the authenticator need not offer a passkey again that has been removed here.
    const known = /** @type {any} */ (PublicKeyCredential);
    if (reason(error) === "unknown_passkey") {
      await known.signalUnknownCredential?.({ rpId: options.rpId, credentialId: credential.id }).catch(() => {});
    }
    throw error;
  }
  location.assign(form.dataset.next ?? "/");
};

/** The field for the name of the account, where browsers offer passkeys beside names. */
const NAME_FIELD = "[autocomplete~=webauthn]";
/** The time for which offers use a challenge before another takes its place. Below the server's timeout of a challenge. */
const OFFER_LIFETIME_MS = 240_000;
/** The passkeys on offer; aborted before the button asks, because a browser carries out one request at a time. */
const offer = new AbortController();

/** Offers passkeys until one has been used, or the button is. @param {HTMLFormElement} form @param {(why: string) => void} say */
const offerPasskeys = async (form, say) => {
  const stopped = offer.signal;
  while (!stopped.aborted) {
    const renewal = new AbortController();
    const renew = () => renewal.abort();
    stopped.addEventListener("abort", renew);
    const timer = setTimeout(renew, OFFER_LIFETIME_MS);
    try {
      await signIn(form, { mediation: "conditional", signal: renewal.signal });
      return;
    } catch (error) {
      if (renewal.signal.aborted) continue;
      // Nobody has asked for anything yet, so only what the server has refused is said.
      if (error instanceof Refused && reason(error) !== "other") say(reason(error));
      return;
    } finally {
      clearTimeout(timer);
      stopped.removeEventListener("abort", renew);
    }
  }
};

/**
 * Offers passkeys once the reader turns to the name field: a challenge for each page would be counted, mostly for nothing.
 *
 * @param {HTMLFormElement} form @param {(why: string) => void} say
 */
const offerAtNameField = async (form, say) => {
  const isAvailable = PublicKeyCredential.isConditionalMediationAvailable?.().catch(() => false);
  if (!(await isAvailable) || offer.signal.aborted) return;
  const turns = ["focusin", "pointerover"];
  const begin = (/** @type {{ target: EventTarget | null }} */ { target }) => {
    if (!(target instanceof Element && target.matches(NAME_FIELD))) return;
    for (const name of turns) document.removeEventListener(name, begin);
    if (!offer.signal.aborted) void offerPasskeys(form, say);
  };
  for (const name of turns) document.addEventListener(name, begin);
  begin({ target: document.activeElement });
};

/** @param {HTMLFormElement} form */
const signInNow = (form) => {
  offer.abort();
  return signIn(form);
};

/** @param {HTMLFormElement} form */
const add = async (form) => {
  const { name, password } = Object.fromEntries(new FormData(form));
  const options = await post(form.action, { password });
  const publicKey = {
    ...options,
    challenge: decode(options.challenge),
    user: { ...options.user, id: decode(options.user.id) },
    excludeCredentials: options.excludeCredentials.map((/** @type {any} */ known) => ({ ...known, id: decode(known.id) })),
  };
  const credential = written(await navigator.credentials.create({ publicKey }));
  await post("/api/passkey_finish_registration", { credential, name });
  location.assign("/account?done=passkey");
};

/** Returns the cause of a failure, as the page has words for it. @param {any} error */
const reason = (error) => {
  if (error instanceof Refused) return error.message;
  if (error.name === "NotAllowedError" || error.name === "AbortError") return "cancelled";
  return error.name === "InvalidStateError" ? "exists" : "unsupported";
};

/** @param {string} id @param {(form: HTMLFormElement) => Promise<void>} act @param {typeof offerAtNameField} [begin] */
const on = (id, act, begin) => {
  const form = /** @type {HTMLFormElement | null} */ (document.getElementById(id));
  if (!form) return;
  const button = /** @type {HTMLButtonElement} */ (form.querySelector("button"));
  const said = /** @type {HTMLElement} */ (form.querySelector("[role=alert]"));
  const say = (/** @type {string} */ why) => {
    said.textContent = said.dataset[why] ?? said.dataset.other ?? "";
  };
  if (!globalThis.PublicKeyCredential) {
    say("unsupported");
    return;
  }
  button.disabled = false;
  form.addEventListener("submit", async (submit) => {
    submit.preventDefault();
    button.disabled = true;
    said.textContent = "";
    try {
      await act(form);
    } catch (error) {
      say(reason(error));
    }
    button.disabled = false;
  });
  void begin?.(form, say);
};

export {};

on("passkey-sign-in", signInNow, offerAtNameField);
on("add-passkey", add);
