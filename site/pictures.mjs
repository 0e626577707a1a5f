/** Pictures that a page shows: in Markdown, and with a form for dark themes in HTML. */
export function picturesIn(text) {
  return [...text.matchAll(/!\[[^\]]+\]\(([^)]+)\)|<(?:source|img)[^>]* src(?:set)?="([^"]+)"/g)].map(
    ([, inMarkdown, inHtml]) => inMarkdown ?? inHtml,
  );
}

/** The text with an image for each theme instead of `<picture>`, which knows the system's theme, but not the site's. */
export function withThemes(text) {
  return text.replaceAll(
    /<picture>\s*<source [^>]*srcset="([^"]+)">\s*<img alt="([^"]+)" src="([^"]+)">\s*<\/picture>/g,
    '<img class="dark-only" alt="$2" src="./$1"> <img class="light-only" alt="$2" src="./$3">',
  );
}
