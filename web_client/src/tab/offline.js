// The service worker, which shows a page of its own without a network, and stores nothing else.

const WORKER = '/service-worker.js';

/** Return the worker's address, by the only policy that the security headers of the page allow. @returns {string} */
function trustedWorker() {
  const { trustedTypes } = /** @type {any} */ (window);
  if (!trustedTypes) return WORKER;
  const policy = trustedTypes.createPolicy('service-worker', { createScriptURL: () => WORKER });
  return policy.createScriptURL('');
}

/** Register the worker, if the browser has service workers. */
export async function prepareForOffline() {
  await navigator.serviceWorker?.register(trustedWorker()).catch(() => {});
}
