// The service worker, which shows a page of its own when there is no network. It keeps nothing else.

const WORKER = '/service-worker.js';

/**
 * The one policy that the page's security headers allow: only this script may be a worker.
 *
 * @returns {string}
 */
function trustedWorker() {
  const { trustedTypes } = /** @type {any} */ (window);
  if (!trustedTypes) return WORKER;
  const policy = trustedTypes.createPolicy('service-worker', { createScriptURL: () => WORKER });
  return policy.createScriptURL('');
}

/** Register the worker, where there can be one. */
export async function prepareForOffline() {
  await navigator.serviceWorker?.register(trustedWorker()).catch(() => {});
}
