// Whether the server has another version of the page than the one that is shown: after a deploy, its
// files are gone or do not fit those that are already loaded. A lost request is no such sign.

const NOT_FOUND = 404;

/** Whether the server has refused a file of the page as unknown since the last question. */
let isFileGone = false;

/** Look for files that are gone. @param {PerformanceEntryList} entries */
function look(entries) {
  for (const entry of entries)
    if (/** @type {PerformanceResourceTiming} */ (entry).responseStatus === NOT_FOUND)
      isFileGone ||= /\/(src|css)\//.test(entry.name);
}

const observer = new PerformanceObserver((list) => look(list.getEntries()));
observer.observe({ type: 'resource' });

/** Return whether a part could not be loaded because it is of another version. @param {unknown} error */
export function isOfOtherVersion(error) {
  look(observer.takeRecords());
  const wasGone = isFileGone;
  isFileGone = false;
  return wasGone || error instanceof SyntaxError;
}
