// The addresses of links. The server names a better base than that of the page where it knows one,
// such as the public address, or the machine's own one in place of `localhost`. Pure.

/**
 * Return the base of links for other people.
 *
 * @param {string} origin of the page
 * @param {string | null | undefined} named the base that the server names
 */
export const linkBase = (origin, named) => named || origin;

/** Return whether a link works only on the computer that it was made on. @param {string} link */
export function worksOnlyHere(link) {
  const { hostname } = new URL(link);
  return /^(?:localhost|.*\.localhost|127(?:\.\d+){3}|\[::1\]|0\.0\.0\.0)$/.test(hostname);
}
