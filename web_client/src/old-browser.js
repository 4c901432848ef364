// Older browsers than Safari 16.4, Firefox 115 and Chrome 111 show one sentence instead of the page.
// They may know no modules, so this is a script in the language of 2009.

if (isOld()) document.documentElement.setAttribute('data-too-old', '');

/** Return whether the browser lacks what the page needs and those versions have. */
function isOld() {
  // A literal would keep browsers that cannot read it from running the rest of the script.
  var lookBehind = '(?<=a)b';
  try {
    return !(
      'toSorted' in [] &&
      CSS.supports('color', 'color-mix(in srgb, red, red)') &&
      new RegExp(lookBehind)
    );
  } catch (_) {
    return true;
  }
}
