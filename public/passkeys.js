// @ts-check
/**
 * Passkeys: signing in with one (`#passkey-sign-in`), and adding one to the account (`#add-passkey`). What browsers and the
 * server say to each other is the JSON of WebAuthn. It is read and written here, because not every browser does.
 */

/** A refusal of the server, by its code. */
class Refused extends Error {}

/** @param {string} text @returns {Uint8Array<ArrayBuffer>} */
const decode = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (char) => char.charCodeAt(0));

/** @param {ArrayBuffer | null | undefined} buffer */
const encode = (buffer) =>
  buffer && btoa(String.fromCharCode(...new Uint8Array(buffer))).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");

/** @param {string} path @param {object} fields */
const post = async (path, fields) => {
  const headers = { accept: "application/json", "content-type": "application/json" };
  const request = { method: "POST", headers, body: JSON.stringify(fields) };
  const response = await fetch(path, request).catch(() => null);
  const answer = await response?.json().catch(() => null);
  if (!response?.ok) throw new Refused(answer?.code ?? "other");
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

/** @param {HTMLFormElement} form */
const signIn = async (form) => {
  const options = await post(form.action, {});
  const publicKey = { ...options, challenge: decode(options.challenge), allowCredentials: [] };
  const credential = written(await navigator.credentials.get({ publicKey }));
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

/** What went wrong, as the page has words for it. @param {any} error */
const reason = (error) => {
  if (error instanceof Refused) return error.message;
  if (error.name === "NotAllowedError" || error.name === "AbortError") return "cancelled";
  return error.name === "InvalidStateError" ? "exists" : "unsupported";
};

/** @param {string} id @param {(form: HTMLFormElement) => Promise<void>} act */
const on = (id, act) => {
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
};

export {};

on("passkey-sign-in", signIn);
on("add-passkey", add);
